import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { addDevice, deviceImport, importedMac } from '@carillon/contracts';
import { columns, computed, currentSql } from '@carillon/persistence';
import {
  CACHE,
  checkedBy,
  countingTaken,
  emitLive,
  errorOf,
  fail,
  Failure,
  Importer,
  type Cache,
  type ConcealedText,
  type ImportedRow,
  type RowDone,
  type RowError,
  type RowPlan,
  type RowRefused,
  type RowUndo,
  type RowWrite,
} from '@carillon/service';
import { can, context } from '@carillon/tenancy';
import { SiteService } from '../site/site.service.ts';
import { macsKept } from './deleted-device.queries.ts';
import { DeletionService } from './deletion.service.ts';
import { groupsIn, linesIn, modelOf, noSecret, placeErrors, secretError, tagsIn } from './device-import.cells.ts';
import { namedIn, namesFor, type Names, type Stored } from './device-import.names.ts';
import { patchDevices, type DevicePatch } from './device-patch.ts';
import { Device } from './device.entity.ts';
import { hashOf, insertFree, newSecret } from './device.service.ts';

interface Write {
  /** Set when a device is changed. */
  id?: string;
  mac: string;
  secretHash: string | null;
  /** All values of a new device; of a known one those that change. */
  set: DevicePatch;
}

const texts = ['name', 'model', 'sn'] as const;
/** What undoing compares. For an added device it also checks that it was not used since. */
const changedParts = ['name', 'model', 'sn', 'site_id', 'server_id', 'org_id', 'accounts', 'group_ids', 'tags'];
const addedParts = [...changedParts, 'mac', 'secret_hash', 'online', 'last_online_at', 'enabled'];
const parts = (names: readonly string[]): string =>
  `jsonb_build_object(${names.map((name) => `'${name}', to_jsonb(d) -> '${name}'`).join(', ')})`;
const state = columns(Device, 'd', ['id', 'orgId'], {
  added: computed<object>(parts(addedParts)),
  changed: computed<object>(parts(changedParts)),
});
const same = columns(Device, 'd', ['id', 'orgId'], {
  isNew: computed<boolean>('u.before is null'),
});

/** Without a site, the addresses of the first contact decide (SITE-01). */
const rowBody = addDevice.body.pick({ mac: true, name: true, model: true, sn: true });

const secretPattern = /^[A-Za-z0-9_-]{32,128}$/;
const columnOf = (property: string): string | null => (property === 'orgId' ? null : property);

/** Imports devices from a spreadsheet (DEV-04). A MAC that the company already has is updated. */
@Injectable()
export class DeviceImport extends Importer<Write> {
  readonly noun = 'device';
  readonly fields = deviceImport;

  constructor(
    private readonly sites: SiteService,
    private readonly deletions: DeletionService,
    @Inject(CACHE) private readonly cache: Cache,
  ) {
    super();
  }

  /** New devices go to the caller's organization. */
  override admit(): void {
    const { orgId, orgIds } = context();
    if (!orgId || (orgIds !== '*' && !orgIds.includes(orgId))) fail('common.notFound');
  }

  keyOf({ mac }: ImportedRow['cells']): string | undefined {
    return mac === undefined ? undefined : importedMac(mac);
  }

  /** Only the hash of a secret is ever stored. */
  override conceal(all: readonly ConcealedText[]): Promise<string[]> {
    return Promise.resolve(all.map(({ text }) => (secretPattern.test(text) ? hashOf(text) : noSecret)));
  }

  async plan(rows: readonly ImportedRow[]): Promise<RowPlan<Write>[]> {
    const names = await namesFor(rows, this.sites);
    return rows.map(({ cells }) => this.planned(cells, names));
  }

  private planned(cells: ImportedRow['cells'], names: Names): RowPlan<Write> {
    const there = names.devices.get(this.keyOf(cells) ?? '');
    const given = Object.fromEntries(texts.flatMap((f) => (cells[f] === undefined ? [] : [[f, cells[f]]])));
    const schema = there ? rowBody.partial({ name: true, model: true, sn: true }) : rowBody;
    const checked = checkedBy(schema, { mac: this.keyOf(cells), ...given }, columnOf);
    const site = namedIn('site', names.sites, cells['site'], there?.siteId);
    const server = namedIn('sipServer', names.servers, cells['sipServer'], there?.serverId);
    const organization = namedIn('organization', names.organizations, cells['organization'], there?.orgId);
    const model = modelOf(names.models, cells['model'], there);
    const orgId = organization.id ?? there?.orgId ?? context().orgId;
    const groups = organization.error ? {} : groupsIn(names, cells['groups'], orgId, there);
    const tags = tagsIn(cells['tags']);
    const serverId = server.id ?? there?.serverId ?? null;
    const serverName = serverId === null ? undefined : names.serverById.get(serverId);
    const isOtherServer = serverId !== (there?.serverId ?? null);
    const lines = linesIn(names, cells, { lines: model.lines, server: serverName, isOtherServer, there });
    const found = [
      model.error,
      site.error,
      server.error,
      ...placeErrors(cells, { lines: model.lines, serverId: server.id }, there),
      organization.error,
      groups.error,
      tags.error,
      secretError(cells['secret'], there?.secretHash),
    ];
    const errors = [
      ...('errors' in checked ? checked.errors : []),
      ...found.flatMap((error) => error ?? []),
      ...lines.errors,
    ];
    if ('errors' in checked || errors.length > 0) return { outcome: 'wrong', errors };
    const { mac, name = there?.name, sn = there?.sn } = checked.body;
    const wanted: Required<DevicePatch> = {
      name: name!,
      model: model.name!,
      sn: sn!,
      site_id: site.id ?? there?.siteId ?? null,
      server_id: serverId,
      org_id: orgId!,
      accounts: lines.accounts,
      group_ids: groups.ids ?? there?.groupIds ?? [],
      tags: tags.tags ?? there?.tags ?? {},
    };
    const secretHash = cells['secret'] ?? null;
    if (!there) return { outcome: 'add', write: { mac, secretHash, set: wanted } };
    const { changes, set } = changesOf(wanted, there, lines.changed);
    return changes.length === 0
      ? { outcome: 'unchanged' }
      : { outcome: 'update', changes, write: { id: there.id, mac, secretHash, set } };
  }

  async write(rows: readonly RowWrite<Write>[]): Promise<(RowDone | RowRefused)[]> {
    const added = rows.filter((row) => row.outcome === 'add');
    const changed = rows.filter((row) => row.outcome === 'update');
    const before = await this.states(changed.map((row) => row.write.id!));
    const made = await this.add(added.map((row) => row.write));
    await patchDevices(changed.map(({ write }) => ({ id: write.id!, set: write.set })));
    const now = await this.states([...made.values(), ...changed.map((row) => row.write.id!)]);
    const done: (RowDone | RowRefused)[] = [];
    for (const { rowId, outcome, write } of rows) {
      const objectId = outcome === 'add' ? made.get(write.mac) : write.id!;
      if (objectId === undefined) done.push({ rowId, errors: [await this.taken()] });
      else if (outcome === 'add') done.push({ rowId, objectId, before: null, after: now.get(objectId)!.added });
      else
        done.push({
          rowId,
          objectId,
          before: partsOf(before.get(objectId)!.changed, write.set),
          after: partsOf(now.get(objectId)!.changed, write.set),
        });
    }
    const { companyId } = context();
    const orgIds = new Set([...before.values(), ...now.values()].map((device) => device.orgId));
    await emitLive(companyId, 'device', [...now.keys()], [...orgIds]);
    return done;
  }

  /** Adds devices and returns their ids by MAC. MACs of another company are missing in the result. */
  private async add(devices: readonly Write[]): Promise<ReadonlyMap<string, string>> {
    if (devices.length === 0) return new Map();
    const { companyId } = context();
    const kept = await macsKept(
      companyId,
      devices.map((d) => d.mac),
    );
    const rows = await insertFree(
      companyId,
      devices
        .filter((d) => !kept.has(d.mac))
        .map(({ mac, secretHash, set }) => {
          const { site_id: siteId, server_id: serverId, org_id: orgId, group_ids: groupIds, ...rest } = set;
          return {
            ...(rest as Required<typeof rest>),
            mac,
            siteId: siteId!,
            serverId: serverId!,
            orgId: orgId!,
            groupIds: groupIds!,
            // Nobody knows this secret: a new one is generated on the device's page.
            secretHash: secretHash ?? hashOf(newSecret()),
          };
        }),
      'out',
    );
    return new Map(rows.map((row) => [row.mac, row.id]));
  }

  /** Reports that another company has a MAC only a limited number of times per user, like adding a device. */
  private async taken(): Promise<RowError> {
    try {
      return await countingTaken(this.cache, ['device.macTaken'], () => Promise.reject(new Failure('device.macTaken')));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { ...errorOf(error, columnOf), field: 'mac' };
    }
  }

  /** Lines are taken back only for a user who may assign accounts. */
  async undo(rows: readonly RowUndo[]): Promise<ReadonlySet<string>> {
    const allowed = rows.filter(({ before }) => !before?.['accounts'] || can('assignSipAccount'));
    const left = await currentSql().rows(
      same,
      `
        select ${same}
        from device d
        join jsonb_to_recordset($1::jsonb) as u("objectId" uuid, before jsonb, after jsonb) on u."objectId" = d.id
        where not exists (
            select 1 from jsonb_each(u.after) a where to_jsonb(d) -> a.key is distinct from a.value
          )
          and ${stillThere}
        order by d.id
        for update of d
      `,
      [JSON.stringify(allowed)],
    );
    const added = left.filter((device) => device.isNew).map((device) => device.id);
    const changed = new Set(left.filter((device) => !device.isNew).map((device) => device.id));
    if (added.length > 0) await this.deletions.remove(added);
    const restored = await patchDevices(
      allowed.flatMap(({ objectId: id, before }) => (changed.has(id) && before ? [{ id, set: before }] : [])),
    );
    await emitLive(
      context().companyId,
      'device',
      [...changed],
      [...new Set([...left, ...restored].map((device) => device.orgId))],
    );
    return new Set(left.map((device) => device.id));
  }

  private async states(ids: readonly string[]) {
    const rows = await currentSql().rows(
      state,
      `select ${state} from device d where d.id = any ($1::uuid[]) order by d.id for update`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** SQL: the former site, organization, groups and accounts of a device still exist. */
const stillThere = `
  (u.before ->> 'site_id' is null
    or exists (select 1 from site_copy s where s.id = (u.before ->> 'site_id')::uuid))
  and (u.before ->> 'org_id' is null or u.before ->> 'org_id' = d.org_id::text
    or exists (select 1 from organization_copy o where o.id = (u.before ->> 'org_id')::uuid))
  and not exists (
    select 1
    from jsonb_array_elements_text(coalesce(u.before -> 'group_ids', '[]')) g
    where not exists (select 1 from device_group f where f.id = g::uuid)
  )
  and not exists (
    select 1
    from jsonb_array_elements(coalesce(u.before -> 'accounts', '[]')) x
    where not exists (select 1 from account_copy a where a.id = (x ->> 'accountId')::uuid)
      and not d.accounts @> jsonb_build_array(jsonb_build_object('accountId', x -> 'accountId'))
  )
`;

const partsOf = (state: object, set: object): object =>
  Object.fromEntries(Object.entries(state).filter(([part]) => part in set));

/** Returns the columns that differ, for the preview, and the values to store. */
function changesOf(
  wanted: Required<DevicePatch>,
  there: Stored,
  lines: readonly string[],
): { changes: string[]; set: DevicePatch } {
  const parts: readonly (readonly [field: string, column: keyof DevicePatch, isOther: boolean])[] = [
    ['name', 'name', wanted.name !== there.name],
    ['model', 'model', wanted.model !== there.model],
    ['sn', 'sn', wanted.sn !== there.sn],
    ['site', 'site_id', wanted.site_id !== there.siteId],
    ['sipServer', 'server_id', wanted.server_id !== there.serverId],
    ['organization', 'org_id', wanted.org_id !== there.orgId],
    ['groups', 'group_ids', !isDeepStrictEqual(new Set(wanted.group_ids), new Set(there.groupIds))],
    ['tags', 'tags', !isDeepStrictEqual(wanted.tags, there.tags)],
  ];
  const changed = parts.filter(([, , isOther]) => isOther);
  const columns = [...changed.map(([, column]) => column), ...(lines.length > 0 ? (['accounts'] as const) : [])];
  return {
    changes: [...changed.map(([field]) => field), ...lines],
    set: Object.fromEntries(columns.map((column) => [column, wanted[column]])),
  };
}
