import { Controller } from '@nestjs/common';
import { deviceState, type Message, type TaskStatus } from '@carillon/contracts';
import { column, columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { On, project } from '@carillon/messaging';
import { emitLive } from '@carillon/service';
import { openSql } from '../dispatch/due.ts';
import { movesLock } from '../dispatch/expand.ts';
import { addSums, moves } from '../task/task.sums.ts';
import { TaskDevice } from '../task/task.entity.ts';
import { inFlight, next, statesOf, taskDeviceStates } from '../task/task.states.ts';
import { DeviceCopy } from './device-copy.entity.ts';

/** What was not sent is cancelled, what was sent has failed. */
const ends = Object.fromEntries([
  ...statesOf(taskDeviceStates, 'cancel').map((from) => [from, next(taskDeviceStates, from, 'cancel')]),
  ...inFlight.map((from) => [from, next(taskDeviceStates, from, 'fail')]),
]);

@Controller()
export class DeviceProjection {
  @On(deviceState, ['device'])
  async device(messages: Message<typeof deviceState>[]): Promise<void> {
    const { moved } = await project(
      DeviceCopy,
      messages,
      ({ id: _, siteId = null, groupIds = [], tags = {}, enabled = true, accounts: __, ...device }, { companyId }) => ({
        ...device,
        siteId,
        groupIds,
        tags,
        enabled,
        companyId: companyId!,
      }),
      'orgId',
    );
    const gone = messages.filter((m) => m.data === null).map((m) => m.key);
    // Whoever is giving a task its rows may have read the copy of before: his rows are waited for, and those to come
    // are given by the new one.
    if (gone.length + moved.length > 0) await movesLock('hold', messages[0]!.companyId!);
    const ended = gone.length > 0 ? await endDeleted(gone) : [];
    const taken = moved.length > 0 ? await takeAlong(moved) : [];
    const tasks = [...Map.groupBy([...ended, ...taken], (r) => r.taskId)].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [taskId, of] of tasks) await addSums(taskId, moves(of));
    // Where nothing of a task is left, nobody sees it any more.
    if (taken.length > 0)
      await currentSql().query('delete from task_organization where task_id = any($1::uuid[]) and total = 0', [
        taken.map((r) => r.taskId),
      ]);
    if (tasks.length > 0)
      await emitLive(
        messages[0]!.companyId!,
        'task',
        tasks.map(([id]) => id),
        [...ended.map((r) => r.orgId), ...taken.flatMap((r) => [r.orgId, r.toOrgId])],
      );
  }
}

const endedRow = columns(TaskDevice, 'td', ['taskId', 'orgId'], {
  from: computed<TaskStatus>('g.was'),
  to: column(TaskDevice, 'td', 'status'),
});
const takenRow = columns(TaskDevice, 'td', ['taskId'], {
  orgId: computed<string>('m.was'),
  toOrgId: computed<string>('m.is'),
  from: column(TaskDevice, 'td', 'status'),
  to: column(TaskDevice, 'td', 'status'),
});

/** What a deleted device was still to do will never be done: its tasks must not wait for it until their expiry. */
function endDeleted(deviceIds: readonly string[]): Promise<RowOf<typeof endedRow>[]> {
  return currentSql().rows(
    endedRow,
    `
      with gone as (
        select task_id, device_id, status as was
        from task_device
        where device_id = any($1::uuid[]) and status in ${openSql}
        for update
      )
      update task_device td
      set status = $2::jsonb ->> g.was, code = 'deleted', ended_at = now(), updated_at = now(), deadline_at = null
      from gone g
      where td.task_id = g.task_id and td.device_id = g.device_id
      returning ${endedRow}
    `,
    [deviceIds, JSON.stringify(ends)],
  );
}

/**
 * What a device was told is seen by who sees the device: its rows go along to its new organization, with its part of
 * the sums.
 */
function takeAlong(deviceIds: readonly string[]): Promise<RowOf<typeof takenRow>[]> {
  return currentSql().rows(
    takenRow,
    `
      with moved as (
        select td.task_id, td.device_id, td.org_id as was, c.org_id as is
        from task_device td
        join device_copy c on c.id = td.device_id
        where td.device_id = any($1::uuid[]) and td.org_id <> c.org_id
        for update of td
      )
      update task_device td
      set org_id = m.is
      from moved m
      where td.task_id = m.task_id and td.device_id = m.device_id
      returning ${takenRow}
    `,
    [deviceIds],
  );
}
