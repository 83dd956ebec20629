import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { deviceState, type Message, type TaskStatus } from '@carillon/contracts';
import { currentSql, tenant, tenantProperties } from '@carillon/persistence';
import { On, project } from '@carillon/messaging';
import { emitLive } from '@carillon/service';
import { openSql } from '../dispatch/due.ts';
import { addSums, moves } from '../task/task.sums.ts';
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
    await project(copy, messages, ({ id: _, orgId, internalIp, configFailed, failedLines, ownerEpoch, siteId, ...same }, { companyId }) => ({
      ...same, company_id: companyId, org_id: orgId, internal_ip: internalIp, config_failed: configFailed, failed_lines: failedLines, owner_epoch: ownerEpoch, site_id: siteId ?? null,
    }));
    const gone = messages.filter((m) => m.data === null).map((m) => m.key);
    if (gone.length > 0) await endDeleted(gone);
  }
}

/** What a deleted device was still to do will never be done: its tasks must not wait for it until their expiry. */
async function endDeleted(deviceIds: readonly string[]): Promise<void> {
  const { rows } = await currentSql().query<{ task_id: string; company_id: string; was: TaskStatus; is: TaskStatus }>(`
    with gone as (select task_id, device_id, status as was from task_device where device_id = any($1::uuid[]) and status in ${openSql} for update)
    update task_device td set status = $2::jsonb ->> g.was, code = 'deleted', ended_at = now(), updated_at = now(), deadline_at = null from gone g
    where td.task_id = g.task_id and td.device_id = g.device_id returning td.task_id, td.company_id, g.was, td.status as is`,
    [deviceIds, JSON.stringify(ends)]);
  const tasks = [...Map.groupBy(rows, (r) => r.task_id)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [taskId, of] of tasks) await addSums(taskId, moves(of.map((r) => ({ from: r.was, to: r.is }))));
  if (tasks.length > 0) await emitLive(rows[0]!.company_id, 'task', tasks.map(([id]) => id), null);
}
