import { longestRetryWait } from '@carillon/contracts';
import { columns, currentSql } from '@carillon/persistence';
import { TaskDevice } from '../task/task.entity.ts';
import { addSums } from '../task/task.sums.ts';

/**
 * SQL: when the device `td` that failed with class `kind` is retried; null when it is not. Each wait is twice the
 * previous one. No retry begins after the device's expiry, or in a task that has ended.
 */
export const nextTrySql = (kind: string): string => `
  (
    select w.at
    from task t
    cross join lateral (
      select now() + make_interval(
        secs => least((t.pace #>> '{retry,firstSeconds}')::float8 * 2 ^ (td.try_number - 1), ${longestRetryWait})
      ) as at
    ) w
    where t.id = td.task_id
      and t.ended_at is null
      and td.try_number < (t.pace #>> '{retry,tries}')::int
      and t.pace #> '{retry,of}' ? ${kind}
      and w.at < td.expires_at
  )
`;

/** SQL: the failed tries of `td`, including the current one. */
export const triedSql = (code: string, message = 'null', values = 'null'): string =>
  `(td.tried || jsonb_build_object('at', now(), 'code', ${code}, 'message', ${message}, 'values', ${values}))`;

const endedRow = columns(TaskDevice, 'td', ['orgId']);

/**
 * Cancels devices that were put back for a retry while a user stopped their task. Called after updating the sums, whose
 * lock makes the end visible that the retry did not see.
 */
export async function endRetries(taskId: string): Promise<void> {
  const rows = await currentSql().rows(
    endedRow,
    `
      update task_device td
      set status = 'cancel', not_before = null, ended_at = now(), updated_at = now()
      where td.task_id = $1
        and td.status = 'wait'
        and td.not_before is not null
        and (select t.ended_at is not null from task t where t.id = td.task_id)
      returning ${endedRow}
    `,
    [taskId],
  );
  if (rows.length === 0) return;
  const byOrganization = [...Map.groupBy(rows, (r) => r.orgId)];
  await addSums(
    taskId,
    new Map(byOrganization.map(([orgId, rows]) => [orgId, { wait: -rows.length, cancel: rows.length }])),
  );
}
