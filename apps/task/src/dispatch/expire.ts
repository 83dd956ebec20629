import type { TaskStatus } from '@carillon/contracts';
import { columns, computed, currentSql } from '@carillon/persistence';
import { TaskDevice } from '../task/task.entity.ts';
import { addSums, moves } from '../task/task.sums.ts';
import { epochOf, inFlightSql, openSql } from './due.ts';

const expiredRow = columns(TaskDevice, 'td', ['taskId', 'deviceId', 'orgId'], { was: computed<TaskStatus>('due.was') });

/**
 * Ends what had its time: past its expiry, or unanswered by a device that is connected. An offline device's clock
 * stands still until the expiry. What somebody else holds is left to the next tick, so that two never wait for each
 * other.
 */
export async function expireCommands(): Promise<{ taskIds: string[]; deviceIds: string[]; orgIds: string[] }> {
  const rows = await currentSql().rows(
    expiredRow,
    `
    with due as (
      select td.task_id, td.device_id, td.status as was, td.accepted_at, td.expires_at < now() as expired
      from task_device td
      where (td.ended_at is null and td.status in ${openSql} and td.expires_at < now()) or (
        td.status in ${inFlightSql}
        and td.deadline_at < now()
        and ${epochOf('td.device_id')} = td.sent_epoch
      )
      limit 5000
      for update of td skip locked
    )
    update task_device td
    set status = 'timeout', ended_at = now(), updated_at = now(), deadline_at = null,
      code = case when due.expired then 'expired' when due.accepted_at is null then 'noAnswer' else 'notDone' end
    from due
    where td.task_id = due.task_id and td.device_id = due.device_id
    returning ${expiredRow}
  `,
  );
  const tasks = [...Map.groupBy(rows, (r) => r.taskId)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [taskId, ended] of tasks)
    await addSums(taskId, moves(ended.map((r) => ({ orgId: r.orgId, from: r.was, to: 'timeout' }))));
  return {
    taskIds: tasks.map(([id]) => id),
    deviceIds: rows.map((r) => r.deviceId),
    orgIds: rows.map((r) => r.orgId),
  };
}
