import type { Clock } from '@carillon/contracts/time';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Returns the first instant with another offset between two instants that differ; to the minute. */
function changeBetween(offsetAt: (at: number) => number, before: number, after: number): number {
  let [low, high] = [before, after];
  while (high - low > minuteMs) {
    const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
    if (offsetAt(middle) === offsetAt(before)) low = middle;
    else high = middle;
  }
  return high;
}

/** Returns a change as `month/week/day/hour`, in the clock before it; week 5 is the last. */
function edgeOf(at: number, offsetBefore: number): string {
  const wall = new Date(at + offsetBefore * minuteMs);
  const day = wall.getUTCDate();
  const last = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate();
  const week = day + 7 > last ? 5 : Math.ceil(day / 7);
  return [wall.getUTCMonth() + 1, week, wall.getUTCDay(), wall.getUTCHours()].join('/');
}

/**
 * Returns a zone in the product's form from its offset at each instant, so that the server can use it for exports. A
 * zone that does not change exactly twice a year keeps its current offset.
 */
export function clockOf(offsetAt: (at: number) => number, year: number, now = Date.now()): Clock {
  const changes: { at: number; before: number; after: number }[] = [];
  const end = Date.UTC(year + 1, 0, 1);
  for (let day = Date.UTC(year, 0, 1); day < end; day += dayMs) {
    const [before, after] = [offsetAt(day), offsetAt(day + dayMs)];
    if (before !== after) changes.push({ at: changeBetween(offsetAt, day, day + dayMs), before, after });
  }
  const start = changes.find((c) => c.after > c.before);
  const back = changes.find((c) => c.after < c.before);
  if (changes.length !== 2 || !start || !back || start.before !== back.after)
    return { offset: offsetAt(now), rule: null };
  const rule = ['1', edgeOf(start.at, start.before), edgeOf(back.at, back.before), start.after - start.before].join(
    ';',
  );
  return { offset: start.before, rule };
}
