import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { deviceState, type Message, type TaskStatus } from '@carillon/contracts';
import { currentSql, tenant, tenantProperties } from '@carillon/persistence';
import { On, project } from '@carillon/messaging';
import { emitLive } from '@carillon/service';
import { openSql } from '../dispatch/due.ts';
import { movesLock } from '../dispatch/expand.ts';
import { addSums, moves, sumOf, type OrgSums } from '../task/task.sums.ts';
import { inFlight, next, statesOf, taskDeviceStates } from '../task/task.states.ts';

/** Copy of what a task must know of a device to find it, to judge it and to name it later. */
export const DeviceCopy = defineEntity({
  name: 'DeviceCopy', tableName: 'device_copy',
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    mac: p.string().length(12),
    name: p.string().length(64),
    model: p.string().length(128),
    sn: p.string().length(128),
    firmware: p.string().length(128).nullable(),
    internalIp: p.string().length(64).nullable(),
    capabilities: p.json<string[]>(),
    configured: p.boolean(),
    configFailed: p.boolean(),
    failedLines: p.integer(),
    ownerEpoch: p.integer(),
    siteId: p.uuid().nullable(),
    version: p.bigint('number'),
    era: p.integer(),
  },
  ...tenant({ organization: true }),
});

const copy = {
  table: 'device_copy', id: 'id',
  columns: {
    company_id: 'uuid', org_id: 'uuid', mac: 'text', name: 'text', model: 'text', sn: 'text', firmware: 'text', internal_ip: 'text', capabilities: 'jsonb', configured: 'boolean', config_failed: 'boolean', failed_lines: 'int', owner_epoch: 'int', site_id: 'uuid',
  },
};

/** What was not sent is cancelled, what was sent has failed. */
const ends = Object.fromEntries([
  ...statesOf(taskDeviceStates, 'cancel').map((from) => [from, next(taskDeviceStates, from, 'cancel')]),
  ...inFlight.map((from) => [from, next(taskDeviceStates, from, 'fail')]),
]);

@Controller()
export class DeviceProjection {
  @On(deviceState, ['device'])
  async device(messages: Message<typeof deviceState>[]): Promise<void> {
    const moved = await movedDevices(messages);
    await project(copy, messages, ({ id: _, orgId, internalIp, configFailed, failedLines, ownerEpoch, siteId, ...same }, { companyId }) => ({
      ...same, company_id: companyId, org_id: orgId, internal_ip: internalIp, config_failed: configFailed, failed_lines: failedLines, owner_epoch: ownerEpoch, site_id: siteId ?? null,
    }));
    const gone = messages.filter((m) => m.data === null).map((m) => m.key);
    if (gone.length > 0) await endDeleted(gone);
    if (moved.length > 0) await takeAlong(moved);
  }
}

/** What a deleted device was still to do will never be done: its tasks must not wait for it until their expiry. */
async function endDeleted(deviceIds: readonly string[]): Promise<void> {
  const { rows } = await currentSql().query<{ task_id: string; company_id: string; org_id: string; was: TaskStatus; is: TaskStatus }>(`
    with gone as (select task_id, device_id, status as was from task_device where device_id = any($1::uuid[]) and status in ${openSql} for update)
    update task_device td set status = $2::jsonb ->> g.was, code = 'deleted', ended_at = now(), updated_at = now(), deadline_at = null from gone g
    where td.task_id = g.task_id and td.device_id = g.device_id returning td.task_id, td.company_id, td.org_id, g.was, td.status as is`,
    [deviceIds, JSON.stringify(ends)]);
  const tasks = [...Map.groupBy(rows, (r) => r.task_id)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [taskId, of] of tasks) await addSums(taskId, moves(of.map((r) => ({ orgId: r.org_id, from: r.was, to: r.is }))));
  if (tasks.length > 0) await emitLive(rows[0]!.company_id, 'task', tasks.map(([id]) => id), rows.map((r) => r.org_id));
}

/** Devices that these messages move to another organization. Whoever gives a task its rows waits until they have moved. */
async function movedDevices(messages: readonly Message<typeof deviceState>[]): Promise<string[]> {
  const told = messages.flatMap((m) => (m.data ? [{ id: m.key, org: m.data.orgId }] : []));
  const ask = async () => (await currentSql().query<{ id: string }>('select c.id from device_copy c join jsonb_to_recordset($1::jsonb) as x(id uuid, org uuid) on x.id = c.id where c.org_id <> x.org', [JSON.stringify(told)])).rows;
  if (told.length === 0 || (await ask()).length === 0) return [];
  await movesLock('hold', messages[0]!.companyId!);
  return (await ask()).map((r) => r.id);
}

/** What a device was told is seen by who sees the device: its rows go along to its new organization, with its part of the sums. */
async function takeAlong(deviceIds: readonly string[]): Promise<void> {
  const { rows } = await currentSql().query<{ task_id: string; company_id: string; was: string; is: string; status: TaskStatus }>(`
    with moved as (select td.task_id, td.device_id, td.org_id as was, c.org_id as is from task_device td join device_copy c on c.id = td.device_id
      where td.device_id = any($1::uuid[]) and td.org_id <> c.org_id for update of td)
    update task_device td set org_id = m.is from moved m where td.task_id = m.task_id and td.device_id = m.device_id returning td.task_id, td.company_id, m.was, m.is, td.status`, [deviceIds]);
  const tasks = [...Map.groupBy(rows, (r) => r.task_id)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [taskId, of] of tasks) {
    const sums: OrgSums = new Map();
    for (const { was, is, status } of of) {
      for (const [orgId, by] of [[was, -1], [is, 1]] as const) {
        const sum = sums.get(orgId) ?? {};
        sums.set(orgId, { ...sum, total: (sum.total ?? 0) + by, [sumOf[status]]: (sum[sumOf[status]] ?? 0) + by });
      }
    }
    await addSums(taskId, sums);
    // Where nothing of it is left, nobody sees it any more.
    await currentSql().query('delete from task_organization where task_id = $1 and total = 0', [taskId]);
  }
  if (tasks.length > 0) await emitLive(rows[0]!.company_id, 'task', tasks.map(([id]) => id), rows.flatMap((r) => [r.was, r.is]));
}
