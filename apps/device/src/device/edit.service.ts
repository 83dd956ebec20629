import { Injectable } from '@nestjs/common';
import type { editDevice, RouteInput } from '@carillon/contracts';
import { columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { auditNote, emitLive, found } from '@carillon/service';
import { alsoWith, serverById } from '../line/line.queries.ts';
import { organizationFor } from '../organization/organization.queries.ts';
import { deviceRecord } from './device-list.queries.ts';
import { settleFacts, siteById } from './device-facts.ts';
import { Device } from './device.entity.ts';
import { deviceView, publishCredentials, publishDevices, publishCertificateNeed } from './device.publisher.ts';

const stored = columns(
  Device,
  'd',
  ['id', 'companyId', 'orgId', 'name', 'model', 'sn', 'siteId', 'serverId', 'accounts'],
  { organization: computed<string | null>('(select o.name from organization_copy o where o.id = d.org_id)') },
);
type Stored = RowOf<typeof stored>;

const storedById = async (id: string): Promise<Stored | undefined> =>
  (await currentSql().rows(stored, `select ${stored} from device d where d.id = $1 for update`, [id]))[0];

/** Returns a device for the operation log: names, and the number of lines with an account. */
async function audited({ name, model, sn, siteId, serverId, organization, accounts }: Stored) {
  return {
    name,
    model,
    sn,
    site: siteId === null ? null : ((await siteById(siteId))?.name ?? null),
    server: serverId === null ? null : ((await serverById(serverId))?.name ?? null),
    organization,
    accounts: accounts.map((a) => a.line).join(', '),
  };
}

/** Returns only the differences, for the log. */
function differing<T extends object>(before: T, after: T): { before: Partial<T>; after: Partial<T> } {
  const keys = (Object.keys(before) as (keyof T)[]).filter((key) => before[key] !== after[key]);
  const only = (record: T) => Object.fromEntries(keys.map((key) => [key, record[key]])) as Partial<T>;
  return { before: only(before), after: only(after) };
}

/** Edits a device's data, place and lines as one change (DEV-05). */
@Injectable()
export class DeviceEditService {
  async edit({ id, orgId: namedOrg, ...wanted }: RouteInput<typeof editDevice>['body']) {
    const before = found(await storedById(id));
    // A refusal is logged as well.
    auditNote({ objectId: id, objectName: before.name, orgIds: [before.orgId] });
    const settled = await settleFacts(wanted, before);
    const orgId = namedOrg === undefined || namedOrg === before.orgId ? before.orgId : await organizationFor(namedOrg);
    const { name, model, sn, siteId, serverId, accounts } = { ...before, ...settled };
    const [view] = await currentSql().rows(
      deviceView,
      `
        update device d
        set name = $2, model = $3, sn = $4, site_id = $5::uuid, server_id = $6, accounts = $7::jsonb, org_id = $8,
          -- A group has devices of its own organization only.
          group_ids = case when d.org_id = $8 then d.group_ids else '{}' end,
          left_site_id = case when d.site_id is not distinct from $5::uuid then d.left_site_id end,
          placed = d.placed or d.site_id is distinct from $5::uuid, version = d.version + 1
        where d.id = $1
        returning ${deviceView}
      `,
      [id, name, model, sn, siteId, serverId, JSON.stringify(accounts), orgId],
    );
    await publishDevices([view!]);
    if (orgId !== before.orgId) await publishCredentials([id]);
    else await publishCertificateNeed([{ id, model, modelBefore: before.model }]);
    const orgIds = [...new Set([before.orgId, orgId])];
    const after = found(await storedById(id));
    auditNote({ objectName: after.name, orgIds, detail: differing(await audited(before), await audited(after)) });
    await emitLive(before.companyId, 'device', [id], orgIds);
    const sql = `select ${deviceRecord} from device d where d.id = $1`;
    const record = found((await currentSql().rows(deviceRecord, sql, [id]))[0]);
    return wanted.lines === undefined ? record : { ...record, also: await alsoWith(id, accounts) };
  }
}
