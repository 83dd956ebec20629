import type { ErrorKey } from '@carillon/contracts/errors';
import { columns, computed, currentSql, iso } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { emitLive } from '@carillon/service';
import { lockDevices } from '../device/device-list.queries.ts';
import { Device } from '../device/device.entity.ts';
import { deviceView, publishCredentials, publishDevices, publishCertificateNeed } from '../device/device.publisher.ts';
import { linesOfModel } from '../model/chosen-model.ts';
import { DeviceChange, DeviceChangeRow, type ChangeSet } from './device-change.entity.ts';

export const changeRecord = columns(
  DeviceChange,
  'c',
  ['id', 'kind', 'status', 'total', 'done', 'unchanged', 'failed'],
  { set: computed<Record<string, string>>('c.names'), createdAt: computed<string>('c.created_at', iso) },
);
export const changeRow = columns(DeviceChangeRow, 'r', ['deviceId', 'name', 'mac', 'state', 'error']);

/** The outcome for a device. */
export interface Outcome {
  deviceId: string;
  state: 'done' | 'unchanged' | 'failed';
  error?: ErrorKey;
}

const looked = columns(Device, 'd', ['id', 'orgId', 'siteId', 'serverId', 'model'], {
  lines: computed<number>(`(select coalesce(max((x ->> 'line')::int), 0) from jsonb_array_elements(d.accounts) x)`),
  /** Whether a line has an account of another server than the new one, which is `$2`. */
  otherServer: computed<boolean>(`
    exists (
      select from jsonb_to_recordset(d.accounts) as x("accountId" uuid)
      join account_copy a on a.id = x."accountId"
      join server_copy s on s.id = $2::uuid
      where a.server <> s.name
    )
  `),
});

/** Returns for each device whether the change fails, has nothing to do, or can be made. */
async function outcomeOf(set: ChangeSet, ids: readonly string[]): Promise<Outcome[]> {
  const devices = await currentSql().rows(looked, `select ${looked} from device d where d.id = any ($1::uuid[])`, [
    ids,
    set.serverId ?? null,
  ]);
  const known = new Map(devices.map((device) => [device.id, device]));
  const most = set.model === undefined ? Infinity : await linesOfModel(set.model);
  return ids.map((deviceId): Outcome => {
    const device = known.get(deviceId);
    if (!device) return { deviceId, state: 'failed', error: 'common.notFound' };
    if (device.lines > most) return { deviceId, state: 'failed', error: 'device.linesMany' };
    if (set.serverId !== undefined && set.serverId !== device.serverId && device.otherServer)
      return { deviceId, state: 'failed', error: 'device.accountServer' };
    const same = (['model', 'orgId', 'siteId', 'serverId'] as const).every(
      (field) => set[field] === undefined || set[field] === device[field],
    );
    return { deviceId, state: same ? 'unchanged' : 'done' };
  });
}

const was = columns(Device, 'd', ['id', 'orgId', 'model']);

/** Changes the devices in the running transaction and returns the outcomes. */
export async function changeDevices(set: ChangeSet, ids: readonly string[]): Promise<Outcome[]> {
  await lockDevices(ids);
  const outcomes = await outcomeOf(set, ids);
  const changed = outcomes.filter((outcome) => outcome.state === 'done').map((outcome) => outcome.deviceId);
  if (changed.length === 0) return outcomes;
  const before = await currentSql().rows(was, `select ${was} from device d where d.id = any ($1::uuid[])`, [changed]);
  const rows = await currentSql().rows(
    deviceView,
    `
      update device d
      set model = coalesce($2, d.model), org_id = coalesce($3::uuid, d.org_id),
        -- A group has devices of its own organization only.
        group_ids = case when $3::uuid is null or d.org_id = $3::uuid then d.group_ids else '{}' end,
        site_id = case when $4 then $5::uuid else d.site_id end,
        left_site_id = case when $4 then null else d.left_site_id end, placed = d.placed or $4,
        server_id = coalesce($6::uuid, d.server_id), version = d.version + 1
      where d.id = any ($1::uuid[])
      returning ${deviceView}
    `,
    [changed, set.model ?? null, set.orgId ?? null, set.siteId !== undefined, set.siteId ?? null, set.serverId ?? null],
  );
  await publishDevices(rows);
  const models = new Map(before.map((device) => [device.id, device.model]));
  if (set.orgId !== undefined) await publishCredentials(changed);
  else await publishCertificateNeed(rows.map(({ id, model }) => ({ id, model, modelBefore: models.get(id)! })));
  const orgIds = new Set([...before, ...rows].map((device) => device.orgId));
  await emitLive(context().companyId, 'device', changed, [...orgIds]);
  return outcomes;
}
