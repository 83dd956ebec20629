import { Controller } from '@nestjs/common';
import { deviceState, handedOver, type Message, type TaskStatus } from '@carillon/contracts';
import { column, columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { On, project } from '@carillon/messaging';
import { emitLive } from '@carillon/service';
import { openSql } from '../dispatch/due.ts';
import { holdMoves } from '../dispatch/expand.ts';
import { addEarlierSums, addSums, moves } from '../task/task.sums.ts';
import { TaskDevice } from '../task/task.entity.ts';
import { inFlight, next, statesOf, taskDeviceStates } from '../task/task.states.ts';
import { DeviceCopy } from './device-copy.entity.ts';

/** Unsent rows are cancelled, sent ones fail. */
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
        {
          id: _,
          siteId = null,
          groupIds = [],
          tags = {},
          enabled = true,
          doorCount = null,
          configVersion = null,
          configDrifted = false,
          accounts: __,
          ...device
        },
        { companyId },
      ) => ({
        ...device,
        doorCount,
        configVersion,
        configDrifted,
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
    // A running expansion may have read the old copy: wait for its rows; later ones use the new copy.
    if (gone.length + moved.length > 0) await holdMoves('alone', messages[0]!.companyId!);
    const given = tombstones.filter((m) => m.reason === handedOver).map((m) => m.key);
    // Rows ended here are not ended again as deleted.
    const ended = [...(await endRows(given, handedOver)), ...(await endRows(gone, 'deleted'))];
    const taken = moved.length > 0 ? await takeAlong(moved) : [];
    const tasks = [...Map.groupBy([...ended, ...taken], (r) => r.taskId)].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [taskId, rows] of tasks) {
      await addSums(taskId, moves(rows.filter((r) => r.isLast)));
      await moveEarlier(
        taskId,
        rows.filter((r) => !r.isLast),
      );
    }
    // A task without rows in an organization is no longer visible there.
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

/** Whether the row is of the task's last run, whose sums the task has. */
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

/** Ends the open rows of deleted devices, so that their tasks do not wait until the expiry. */
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
 * Moves a device's rows to its new organization, with its part of the sums, because users who see the device see its
 * tasks.
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

/** Moves its part in the sums of earlier runs too. Users who see the task only through them keep seeing it. */
async function moveEarlier(
  taskId: string,
  taken: readonly (Parameters<typeof moves>[0][number] & { run: number })[],
): Promise<void> {
  for (const [run, rows] of [...Map.groupBy(taken, (r) => r.run)].sort(([a], [b]) => a - b))
    await addEarlierSums(taskId, run, moves(rows));
}
