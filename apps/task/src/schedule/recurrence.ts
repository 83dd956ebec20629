import { Cron } from 'croner';
import type { TaskRepeat, TaskSchedule } from '@carillon/contracts';

const dayMs = 86_400_000;

const cron = (pattern: string, timezone: string) => new Cron(pattern, { timezone, paused: true });

/** Cache of recent results: of ten thousand tasks due in one minute, most repeat alike. */
const lately = new Map<string, readonly Date[]>();
const rememberedMost = 1_000;

function runsOf(pattern: string, timeZone: string, from: Date, count: number): readonly Date[] {
  const key = `${pattern} ${timeZone} ${from.getTime()} ${count}`;
  const known = lately.get(key);
  if (known) return known;
  if (lately.size >= rememberedMost) lately.clear();
  const runs = cron(pattern, timeZone).nextRuns(count, from);
  lately.set(key, runs);
  return runs;
}

/** Returns the day of the month and of the week in cron's spelling. */
function daysOf(repeat: TaskRepeat): { day: string | number; weekday: string | number } {
  switch (repeat.every) {
    case 'day':
      return { day: '*', weekday: '*' };
    case 'week':
      return { day: '*', weekday: repeat.weekdays.join(',') };
    case 'monthDay':
      return { day: repeat.day, weekday: '*' };
    case 'monthWeekday':
      return { day: '*', weekday: `${repeat.weekday}#${repeat.ordinal === -1 ? 'L' : repeat.ordinal}` };
  }
}

const partsOf = (localMinute: string): [number, number, number, number] =>
  /-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(localMinute)!.slice(1).map(Number) as [number, number, number, number];

/**
 * Returns the instant of a minute in a time zone. A skipped minute becomes the next existing one, of a repeated one it
 * is the first: croner guarantees this for patterns, not for dates.
 */
export function instantOf(localMinute: string, timeZone: string): Date {
  const [month, day, hour, minute] = partsOf(localMinute);
  const from = new Date(Date.parse(`${localMinute}Z`) - 2 * dayMs);
  return runsOf(`${minute} ${hour} ${day} ${month} *`, timeZone, from, 1)[0]!;
}

function patternOf({ begin, repeat }: Extract<TaskSchedule, { type: 'cycle' }>): string {
  const [, , hour, minute] = partsOf(begin);
  const { day, weekday } = daysOf(repeat);
  return `${minute} ${hour} ${day} * ${weekday}`;
}

/** Returns the next times of a schedule after `after`, at most `count` (TASK-01, TASK-06). */
export function nextTimes(schedule: TaskSchedule, timeZone: string, after: Date, count: number): Date[] {
  if (schedule.type === 'now') return [];
  if (schedule.type === 'timer') return [instantOf(schedule.begin, timeZone)].filter((at) => at > after);
  // No zone differs from UTC by a day or more; most calls are after the start.
  const hasBegun = after.getTime() > Date.parse(`${schedule.begin}Z`) + dayMs;
  const from = hasBegun
    ? after
    : new Date(Math.max(after.getTime(), instantOf(schedule.begin, timeZone).getTime() - 1_000));
  const end = schedule.end === null ? null : instantOf(schedule.end, timeZone);
  return runsOf(patternOf(schedule), timeZone, from, count).filter((at) => end === null || at <= end);
}

/** Returns the last time of a cycle; null when it has no end. */
export function lastTime(schedule: TaskSchedule, timeZone: string): Date | null {
  if (schedule.type !== 'cycle' || schedule.end === null) return null;
  const end = instantOf(schedule.end, timeZone);
  return cron(patternOf(schedule), timeZone).previousRuns(1, new Date(end.getTime() + 1_000))[0] ?? null;
}
