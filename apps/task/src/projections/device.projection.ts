import { Controller } from '@nestjs/common';
import { deviceState, handedOver, type Message, type TaskStatus } from '@carillon/contracts';
import { column, columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { On, project } from '@carillon/messaging';
import { emitLive } from '@carillon/service';
import { openSql } from '../dispatch/due.ts';
import { movesLock } from '../dispatch/expand.ts';
import { addEarlierSums, addSums, moves } from '../task/task.sums.ts';
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
      (
        { id: _, siteId = null, groupIds = [], tags = {}, enabled = true, doorCount = null, accounts: __, ...device },
        { companyId },
      ) => ({
        ...device,
        doorCount,
        siteId,
        groupIds,
        tags,
        enabled,
        companyId: companyId!,
      }),
      'orgId',
    );
    const tombstones = messages.filter((m) => m.data === null);
    const gone = tombstones.map((m) => m.key);
    if (gone.length > 0)
      await currentSql().query('delete from device_restart where device_id = any($1::uuid[])', [gone]);
    // Whoever is giving a task its rows may have read the copy of before: his rows are waited for, and those to come
    // are given by the new one.
    if (gone.length + moved.length > 0) await movesLock('hold', messages[0]!.companyId!);
    const given = tombstones.filter((m) => m.reason === handedOver).map((m) => m.key);
    // What that ends is not ended again as deleted.
    const ended = [...(await endRows(given, handedOver)), ...(await endRows(gone, 'deleted'))];
    const taken = moved.length > 0 ? await takeAlong(moved) : [];
    const tasks = [...Map.groupBy([...ended, ...taken], (r) => r.taskId)].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [taskId, of] of tasks) {
      await addSums(taskId, moves(of.filter((r) => r.isLast)));
      await moveEarlier(
        taskId,
        of.filter((r) => !r.isLast),
      );
    }
    // Where nothing of a task is left, nobody sees it any more.
    if (taken.length > 0)
      await currentSql().query(
        `
          delete from task_organization o
          where o.task_id = any($1::uuid[])
            and o.total = 0
            and not exists (
              select 1
              from task_run_organization r
              where r.task_id = o.task_id and r.org_id = o.org_id and r.total > 0
            )
        `,
        [taken.map((r) => r.taskId)],
      );
    if (tasks.length > 0)
      await emitLive(
        messages[0]!.companyId!,
        'task',
        tasks.map(([id]) => id),
        [...ended.map((r) => r.orgId), ...taken.flatMap((r) => [r.orgId, r.toOrgId])],
      );
  }
}

/** Of the task's last run, whose sums the task has. */
const isLast = computed<boolean>('td.run = (select t.runs from task t where t.id = td.task_id)');
const endedRow = columns(TaskDevice, 'td', ['taskId', 'orgId'], {
  from: computed<TaskStatus>('g.was'),
  isLast,
  run: column(TaskDevice, 'td', 'run'),
  to: column(TaskDevice, 'td', 'status'),
});
const takenRow = columns(TaskDevice, 'td', ['taskId'], {
  orgId: computed<string>('m.was'),
  toOrgId: computed<string>('m.is'),
  isLast,
  run: column(TaskDevice, 'td', 'run'),
  from: column(TaskDevice, 'td', 'status'),
  to: column(TaskDevice, 'td', 'status'),
});

/** What a device that is gone was still to do will never be done: its tasks must not wait for it until their expiry. */
async function endRows(
  deviceIds: readonly string[],
  code: 'deleted' | typeof handedOver,
): Promise<RowOf<typeof endedRow>[]> {
  if (deviceIds.length === 0) return [];
  return currentSql().rows(
    endedRow,
    `
      with gone as (
        select task_id, run, device_id, status as was
        from task_device
        where device_id = any($1::uuid[]) and status in ${openSql}
        for update
      )
      update task_device td
      set status = $2::jsonb ->> g.was, code = $3, ended_at = now(), updated_at = now(), deadline_at = null
      from gone g
      where td.task_id = g.task_id and td.run = g.run and td.device_id = g.device_id
      returning ${endedRow}
    `,
    [deviceIds, JSON.stringify(ends), code],
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
        select td.task_id, td.run, td.device_id, td.org_id as was, c.org_id as is
        from task_device td
        join device_copy c on c.id = td.device_id
        where td.device_id = any($1::uuid[]) and td.org_id <> c.org_id
        for update of td
      )
      update task_device td
      set org_id = m.is
      from moved m
      where td.task_id = m.task_id and td.run = m.run and td.device_id = m.device_id
      returning ${takenRow}
    `,
    [deviceIds],
  );
}

/** The sums of earlier runs go along as well. Who sees the task by them alone goes on seeing it. */
async function moveEarlier(
  taskId: string,
  taken: readonly (Parameters<typeof moves>[0][number] & { run: number })[],
): Promise<void> {
  for (const [run, of] of [...Map.groupBy(taken, (r) => r.run)].sort(([a], [b]) => a - b))
    await addEarlierSums(taskId, run, moves(of));
}
