import { columns, computed, preparedSql, type RowOf } from '@carillon/persistence';
import { inFlightSql } from './due.ts';
import { TaskSite } from './site.entity.ts';

const roomRow = columns(TaskSite, 's', ['siteId'], { room: computed<number>('x.room') });
export type SiteRoom = RowOf<typeof roomRow>;

/**
 * Returns how many devices of each site of a task may be started now, `most` without a limit. Call it under the lock of
 * the task's pass, which every sender holds, so that all processes together never exceed the limits. A separate
 * statement, because rows read before the lock are outdated.
 */
export const siteRooms = (taskId: string, most: number): Promise<SiteRoom[]> =>
  preparedSql().rows(
    roomRow,
    `
      select ${roomRow}
      from task_site s
      join task t on t.id = s.task_id
      cross join lateral (
        select least(
          $2::int,
          nullif((t.pace ->> 'siteSync')::int, 0) - (
            select count(*)::int
            from task_device o
            where o.task_id = s.task_id and o.site_id = s.site_id and o.ended_at is null and o.status in ${inFlightSql}
          ),
          nullif((t.pace ->> 'sitePerMinute')::int, 0) - (
            select count(*)::int from unnest(s.told) at where at > clock_timestamp() - interval '1 minute'
          )
        ) as room
      ) x
      where s.task_id = $1 and x.room > 0
      order by s.site_id
    `,
    [taskId, most],
  );

/** Records starts of devices at these sites: each counts for a minute. */
export async function countTold(taskId: string, siteIds: readonly string[]): Promise<void> {
  await preparedSql().query(
    `
      update task_site s
      set told = array(select at from unnest(s.told) at where at > clock_timestamp() - interval '1 minute')
        || array_fill(clock_timestamp(), array[x.n])
      from (select site_id, count(*)::int as n from unnest($2::uuid[]) site_id group by site_id) x
      where s.task_id = $1 and s.site_id = x.site_id
    `,
    [taskId, siteIds],
  );
}
