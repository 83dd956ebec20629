import type { TaskStatus } from '@carillon/contracts';
import { column, columns, computed, currentSql } from '@carillon/persistence';
import { TaskDevice } from '../task/task.entity.ts';
import { publishEnded } from '../task/task-device.publisher.ts';
import { addSums, moves } from '../task/task.sums.ts';
import { endRetries, nextTrySql, triedSql } from './retry.ts';
import { awaySql, epochOf, inFlightSql, openSql, overSql, toldOnceSql } from './due.ts';

const expiredRow = columns(TaskDevice, 'td', ['taskId', 'deviceId', 'orgId'], {
  was: computed<TaskStatus>('due.was'),
  is: column(TaskDevice, 'td', 'status'),
});

const codeSql = `
  (case
    when due.away then 'notBack'
    when due.expired then 'expired'
    when due.accepted_at is null then 'noAnswer'
    else 'notDone'
  end)
`;

/**
 * Ends expired rows: past their expiry, or unanswered by a connected device. For an offline device only the expiry
 * counts, unless it must come back from a restart. A device with remaining tries gets the next one. Rows locked by
 * others are left to the next tick, so that two processes never wait for each other.
 */
export async function expireCommands(): Promise<{ taskIds: string[]; deviceIds: string[]; orgIds: string[] }> {
  const rows = await currentSql().rows(
    expiredRow,
    `
    with due as (
      select td.task_id, td.run, td.device_id, td.status as was, td.accepted_at,
        td.expires_at < now() and not ${toldOnceSql} as expired,
        td.deadline_at < now() and ${awaySql} as away,
        case when td.status in ${inFlightSql} and td.expires_at > now() then ${nextTrySql(`'timeout'`)} end as next_at
      from task_device td
      where (td.ended_at is null and td.status in ${openSql} and ${overSql}) or (
        td.status in ${inFlightSql}
        and td.deadline_at < now()
        and (${epochOf('td.device_id')} = td.sent_epoch or ${awaySql})
      )
      limit 5000
      for update of td skip locked
    )
    update task_device td
    set status = case when due.next_at is not null then 'wait' when due.away then 'fail' else 'timeout' end,
      ended_at = case when due.next_at is null then now() end, updated_at = now(), deadline_at = null,
      code = case when due.next_at is null then ${codeSql} end, not_before = due.next_at,
      progress = case when due.next_at is null then td.progress end,
      message = case when due.next_at is null then td.message end,
      code_values = case when due.next_at is null then td.code_values end,
      try_number = td.try_number + case when due.next_at is null then 0 else 1 end,
      tried = case when due.next_at is null then td.tried else ${triedSql(codeSql)} end
    from due
    where td.task_id = due.task_id and td.run = due.run and td.device_id = due.device_id
    returning ${expiredRow}
  `,
  );
  const tasks = [...Map.groupBy(rows, (r) => r.taskId)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [taskId, ended] of tasks) {
    await addSums(taskId, moves(ended.map((r) => ({ orgId: r.orgId, from: r.was, to: r.is }))));
    if (ended.some((r) => r.is === 'wait')) await endRetries(taskId);
  }
  await publishEnded(rows);
  return {
    taskIds: tasks.map(([id]) => id),
    deviceIds: rows.map((r) => r.deviceId),
    orgIds: rows.map((r) => r.orgId),
  };
}
