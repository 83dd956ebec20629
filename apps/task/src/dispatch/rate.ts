import { actions } from '@carillon/actions';
import { columns, preparedSql } from '@carillon/persistence';
import { TaskRate } from '../task/task.entity.ts';

const rateRow = columns(TaskRate, 'r', ['given']);

/**
 * Returns how many devices per second a task of this action may start: the lower of the action's own rate and the
 * installation's; 0 is unlimited.
 */
export function rateOf(action: string, perSecond: number): number {
  const rates = [actions[action]?.perSecond ?? 0, perSecond].filter((rate) => rate > 0);
  return rates.length === 0 ? 0 : Math.min(...rates);
}

/**
 * Takes up to `want` devices from a task's current allowance: one second's worth at most, refilled by the database's
 * clock, so that all processes that send for it share one rate and a restart gives none away. Call it first in a
 * transaction, before any device is locked; a waiting caller then holds nothing that the current holder needs. `walked`
 * is the position of the pass over the task's rows.
 */
export async function takeRate(
  companyId: string,
  taskId: string,
  rate: number,
  want: number,
  walked: string | null,
): Promise<number> {
  const [row] = await preparedSql().rows(
    rateRow,
    `
      insert into task_rate as r (task_id, company_id, rest, given, at, walked, walked_at)
      values (
        $1, $2, $3::float8 - least($4::int, $3::int), least($4::int, $3::int), clock_timestamp(), $5::uuid,
        case when $5 is not null then clock_timestamp() end
      )
      on conflict (task_id) do update set given = least(
        $4::int, floor(least($3::float8, r.rest + extract(epoch from clock_timestamp() - r.at) * $3::float8))
      )::int,
        rest = least($3::float8, r.rest + extract(epoch from clock_timestamp() - r.at) * $3::float8) - least(
          $4::int, floor(least($3::float8, r.rest + extract(epoch from clock_timestamp() - r.at) * $3::float8))
        ),
        at = clock_timestamp(), walked = coalesce(excluded.walked, r.walked),
        walked_at = coalesce(excluded.walked_at, r.walked_at)
      returning ${rateRow}
    `,
    [taskId, companyId, rate, want, walked],
  );
  return row!.given;
}

/** Returns unused allowance. */
export async function returnRate(taskId: string, count: number): Promise<void> {
  if (count > 0) await preparedSql().query('update task_rate set rest = rest + $2 where task_id = $1', [taskId, count]);
}
