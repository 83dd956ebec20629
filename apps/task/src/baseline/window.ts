import { columns, computed, currentSql } from '@carillon/persistence';
import { Baseline } from './baseline.entity.ts';

/** Minutes that its window is still open; null without a window, 0 outside of it. */
const here = '(now() at time zone b.time_zone)';
const endsSql = `
  (date_trunc('day', ${here}) + b.to_local::time
    + case when b.to_local::time <= ${here}::time then interval '1 day' else interval '0' end)
`;
const inWindowSql = `
  (case when b.from_local < b.to_local
    then ${here}::time >= b.from_local::time and ${here}::time < b.to_local::time
    else ${here}::time >= b.from_local::time or ${here}::time < b.to_local::time
  end)
`;
export const minutesSql = `
  (case when b.from_local is not null then
    case when ${inWindowSql}
      then floor(extract(epoch from ${endsSql} at time zone b.time_zone - now()) / 60)::int
      else 0
    end
  end)
`;

const window = columns(Baseline, 'b', [], {
  minutes: computed<number | null>(minutesSql),
  nextAt: computed<string | null>(`
    (
      (date_trunc('day', ${here}) + b.from_local::time
        + case when b.from_local::time <= ${here}::time then interval '1 day' else interval '0' end)
      at time zone b.time_zone
    )
  `),
  length: computed<number | null>(
    '(((extract(epoch from b.to_local::time - b.from_local::time) / 60)::int + 1440) % 1440)',
  ),
});

/** Returns when a task that is approved now begins, and how long it may run: only within the window. */
export async function baselineStart(id: string): Promise<{ dueAt?: Date; durationMinutes?: number | null }> {
  const [row] = await currentSql().rows(window, `select ${window} from baseline b where b.id = $1`, [id]);
  // A deleted baseline has nothing due.
  if (!row) return {};
  const { minutes, nextAt, length } = row;
  return minutes === 0 ? { dueAt: new Date(nextAt!), durationMinutes: length } : { durationMinutes: minutes };
}
