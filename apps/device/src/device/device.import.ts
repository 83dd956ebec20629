import { Inject, Injectable } from '@nestjs/common';
import { addDevice, deviceImport, importedMac } from '@carillon/contracts';
import { columns, computed, currentSql, type RowOf } from '@carillon/persistence';
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
import { context } from '@carillon/tenancy';
import { serverNames } from '../line/line.queries.ts';
import { chosenModel } from '../model/chosen-model.ts';
import { knownModels, type KnownModel } from '../model/model.queries.ts';
import { SiteService } from '../site/site.service.ts';
import { macsKept } from './deleted-device.queries.ts';
import { DeletionService } from './deletion.service.ts';
import { Device } from './device.entity.ts';
import { deviceView, emitViews, hashOf, insertFree, newSecret } from './device.service.ts';

interface Write {
  /** Set when a device is changed. */
  id?: string;
  mac: string;
  name: string;
  model: string;
  sn: string;
  siteId: string | null;
  serverId: string | null;
  secretHash: string | null;
}

const texts = ['name', 'model', 'sn'] as const;
const stored = columns(Device, 'd', ['id', 'mac', ...texts, 'siteId', 'serverId', 'accounts', 'secretHash']);
type Stored = RowOf<typeof stored>;
/** What undoing compares. For an added device it also checks that it was not used since. */
const changedParts = ['name', 'model', 'sn', 'site_id', 'server_id', 'org_id', 'mac'];
const addedParts = [...changedParts, 'secret_hash', 'online', 'last_online_at', 'group_ids', 'accounts', 'enabled'];
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
/** Replaces the hash of an invalid secret, which is not kept. */
const noSecret = 'none';
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
    const known = new Map(
      (
        await currentSql().rows(stored, `select ${stored} from device d where d.mac = any ($1::text[])`, [
          rows.flatMap(({ cells }) => this.keyOf(cells) ?? []),
        ])
      ).map((device) => [device.mac, device] as const),
    );
    const sites = rows.some(({ cells }) => cells['site'] !== undefined) ? await this.sitesByName() : new Map();
    const servers = byName(await serverNames());
    const models = await knownModels();
    return rows.map(({ cells }): RowPlan<Write> => {
      const there = known.get(this.keyOf(cells) ?? '');
      const given = Object.fromEntries(texts.flatMap((f) => (cells[f] === undefined ? [] : [[f, cells[f]]])));
      const schema = there ? rowBody.partial({ name: true, model: true, sn: true }) : rowBody;
      const checked = checkedBy(schema, { mac: this.keyOf(cells), ...given }, columnOf);
      const site = namedIn('site', sites, cells['site'], there?.siteId);
      const server = namedIn('sipServer', servers, cells['sipServer'], there?.serverId);
      const model = modelOf(models, cells['model'], there);
      const found = [
        model.error,
        site.error,
        server.error ?? serverError(cells['sipServer'], server.id, there),
        secretError(cells['secret'], there?.secretHash),
      ];
      const errors = [...('errors' in checked ? checked.errors : []), ...found.flatMap((error) => error ?? [])];
      if ('errors' in checked || errors.length > 0) return { outcome: 'wrong', errors };
      const body = { ...there, ...checked.body } as Pick<Write, 'mac' | 'name' | 'sn'>;
      const { mac, name, sn } = body;
      const siteId: string | null = site.id ?? there?.siteId ?? null;
      const serverId: string | null = server.id ?? there?.serverId ?? null;
      const fields = { mac, name, model: model.name!, sn, siteId, serverId, secretHash: cells['secret'] ?? null };
      if (!there) return { outcome: 'add', write: fields };
      const changes: string[] = [
        ...texts.filter((field) => fields[field] !== there[field]),
        ...(siteId === there.siteId ? [] : ['site']),
        ...(serverId === there.serverId ? [] : ['sipServer']),
      ];
      return changes.length === 0
        ? { outcome: 'unchanged' }
        : { outcome: 'update', changes, write: { ...fields, id: there.id } };
    });
  }

  async write(rows: readonly RowWrite<Write>[]): Promise<(RowDone | RowRefused)[]> {
    const added = rows.filter((row) => row.outcome === 'add');
    const changed = rows.filter((row) => row.outcome === 'update');
    const before = await this.states(changed.map((row) => row.write.id!));
    const made = await this.add(added.map((row) => row.write));
    await this.change(changed.map((row) => row.write));
    const now = await this.states([...made.values(), ...changed.map((row) => row.write.id!)]);
    const done: (RowDone | RowRefused)[] = [];
    for (const { rowId, outcome, write } of rows) {
      const objectId = outcome === 'add' ? made.get(write.mac) : write.id!;
      if (objectId === undefined) done.push({ rowId, errors: [await this.taken()] });
      else if (outcome === 'add') done.push({ rowId, objectId, before: null, after: now.get(objectId)!.added });
      else done.push({ rowId, objectId, before: before.get(objectId)!.changed, after: now.get(objectId)!.changed });
    }
    const { companyId } = context();
    const orgIds = [...now.values()].map((device) => device.orgId);
    await emitLive(companyId, 'device', [...now.keys()], orgIds);
    return done;
  }

  /** Adds devices and returns their ids by MAC. MACs of another company are missing in the result. */
  private async add(devices: readonly Write[]): Promise<ReadonlyMap<string, string>> {
    if (devices.length === 0) return new Map();
    const { companyId, orgId } = context();
    const kept = await macsKept(
      companyId,
      devices.map((d) => d.mac),
    );
    const rows = await insertFree(
      companyId,
      devices
        .filter((d) => !kept.has(d.mac))
        .map(({ id: _, secretHash, ...d }) => ({
          ...d,
          orgId: orgId!,
          // Nobody knows this secret: a new one is generated on the device's page.
          secretHash: secretHash ?? hashOf(newSecret()),
        })),
      'out',
    );
    return new Map(rows.map((row) => [row.mac, row.id]));
  }

  private async change(devices: readonly Write[]): Promise<void> {
    if (devices.length === 0) return;
    const rows = await currentSql().rows(
      deviceView,
      `
        update device d
        set name = x.name, model = x.model, sn = x.sn, site_id = x."siteId", server_id = x."serverId",
          left_site_id = case when d.site_id is not distinct from x."siteId" then d.left_site_id end,
          placed = d.placed or d.site_id is distinct from x."siteId", version = d.version + 1
        from jsonb_to_recordset($1::jsonb) as x(
          id uuid, name text, model text, sn text, "siteId" uuid, "serverId" uuid
        )
        where d.id = x.id
        returning ${deviceView}
      `,
      [JSON.stringify(devices)],
    );
    await emitViews(rows);
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

  async undo(rows: readonly RowUndo[]): Promise<ReadonlySet<string>> {
    const list = JSON.stringify(rows);
    const left = await currentSql().rows(
      same,
      `
        select ${same}
        from device d
        join jsonb_to_recordset($1::jsonb) as u("objectId" uuid, before jsonb, after jsonb) on u."objectId" = d.id
        where not exists (
            select 1 from jsonb_each(u.after) a where to_jsonb(d) -> a.key is distinct from a.value
          )
          and (u.before ->> 'site_id' is null
            or exists (select 1 from site_copy s where s.id = (u.before ->> 'site_id')::uuid))
        order by d.id
        for update of d
      `,
      [list],
    );
    const added = left.filter((device) => device.isNew).map((device) => device.id);
    const changed = new Set(left.filter((device) => !device.isNew).map((device) => device.id));
    if (added.length > 0) await this.deletions.remove(added);
    await this.change(
      rows.flatMap(({ objectId: id, before }) =>
        changed.has(id) && before
          ? [
              {
                ...(before as unknown as Write),
                id,
                siteId: before['site_id'] as string | null,
                serverId: (before['server_id'] ?? null) as string | null,
                secretHash: null,
              },
            ]
          : [],
      ),
    );
    await emitLive(
      context().companyId,
      'device',
      [...changed],
      left.map((device) => device.orgId),
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

  /** Returns site ids by name and by full path: `Hotel / Lobby`. */
  private async sitesByName(): Promise<ReadonlyMap<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const { id, name, path } of await this.sites.listNames())
      for (const key of new Set([name.toLowerCase(), path.join(' / ').toLowerCase()]))
        found.set(key, [...(found.get(key) ?? []), id]);
    return found;
  }
}

const byName = (all: readonly { id: string; name: string }[]): ReadonlyMap<string, string[]> =>
  new Map(all.map(({ id, name }) => [name.toLowerCase(), [id]]));

/**
 * Returns the model of a row in the spelling of the list. A device may keep its current model even when the list does
 * not have it.
 */
function modelOf(
  models: readonly KnownModel[],
  named: string | undefined,
  there: Stored | undefined,
): { name?: string; error?: RowError } {
  if (named === undefined || named === there?.model) return there ? { name: there.model } : {};
  const chosen = chosenModel(models, named);
  if ('error' in chosen) return { error: { field: 'model', error: chosen.error } };
  if (there?.accounts.some((account) => account.line > chosen.lines))
    return { error: { field: 'model', error: 'device.linesMany' } };
  return { name: chosen.model };
}

/** Checks the server of a row: a new device needs one, and a device whose lines have accounts keeps its own. */
function serverError(
  named: string | undefined,
  id: string | undefined,
  there: Stored | undefined,
): RowError | undefined {
  if (!there) return named === undefined ? { field: 'sipServer', error: 'device.serverMissing' } : undefined;
  const other = id !== undefined && id !== there.serverId && there.accounts.length > 0;
  return other ? { field: 'sipServer', error: 'device.accountServer' } : undefined;
}

/**
 * Returns the id for a name; of several the current one. Returns an error when there is none or the name is ambiguous.
 */
function namedIn(
  field: 'site' | 'sipServer',
  all: ReadonlyMap<string, string[]>,
  name: string | undefined,
  now: string | null | undefined,
): { id?: string; error?: RowError } {
  if (name === undefined) return {};
  const ids = all.get(name.toLowerCase()) ?? [];
  if (ids.length === 1) return { id: ids[0]! };
  if (now && ids.includes(now)) return { id: now };
  return { error: { field, error: ids.length === 0 ? 'import.notFound' : 'import.notOne' } };
}

function secretError(hash: string | undefined, known: string | undefined): RowError | undefined {
  if (hash === undefined) return undefined;
  if (hash === noSecret) return { field: 'secret', error: 'device.secretFormat' };
  return known === undefined || known === hash ? undefined : { field: 'secret', error: 'device.secretStays' };
}
