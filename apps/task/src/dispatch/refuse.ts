import type { Action } from '@carillon/actions';
import { columns, computed, currentSql, parameters } from '@carillon/persistence';
import { fail } from '@carillon/service';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { inFlightSql } from './due.ts';
import { targetSql, type TaskTarget } from './target.ts';

/** SQL: whether a changing command is in flight on device `d`, or one goes first; paused tasks block nothing. */
const hasRunningTaskSql = `
  exists (
    select from task_device b
    where b.device_id = d.id
      and b.changes_device
      and (
        b.status in ${inFlightSql}
        or (b.status = 'wait' and b.not_before is null and (select t.paused_at is null from task t where t.id = b.task_id))
      )
  )
`;
const state = columns(DeviceCopy, 'd', [], {
  isReady: computed<boolean>('exists (select from ready)'),
  isOnline: computed<boolean>('exists (select from online)'),
  devices: computed<number>('(select count(*)::int from meant)'),
});

const any = columns(DeviceCopy, 'd', [], { exists: computed<boolean>('exists (select from meant)') });

/** Fails a task that begins now and whose target has no device. */
export async function refuseWithoutDevices(target: TaskTarget): Promise<void> {
  const { values, add } = parameters();
  const sql = `with meant as not materialized (${targetSql(target, add)}) select ${any}`;
  const [found] = await currentSql().rows(any, sql, values);
  if (!found!.exists) fail('task.createFailed');
}

/** Fails a push that cannot begin now on any of its devices, with the reason (DEV-06). */
export async function refuseUnlessReady(action: Action, target: TaskTarget): Promise<void> {
  const { values, add } = parameters();
  const meant = targetSql(target, add);
  // In one statement: a device that comes online between two would be reported as busy.
  const [found] = await currentSql().rows(
    state,
    `
      with meant as not materialized (${meant}),
      online as not materialized (select d.id from meant d where d.online),
      ready as not materialized (
        select d.id from meant d where d.online ${action.changesDevice ? `and not ${hasRunningTaskSql}` : ''}
      )
      select ${state}
    `,
    values,
  );
  const { isReady, isOnline, devices } = found!;
  if (devices === 0) fail('task.createFailed');
  if (!isReady) fail(isOnline ? 'device.hasRunningTask' : 'device.offline', { devices });
}
