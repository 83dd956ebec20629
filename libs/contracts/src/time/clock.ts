/**
 * The only place that formats and parses times (SHELL-19): the offset of the user's zone plus the daylight saving rule
 * of their country. Uses no schema library and no platform zone data: the stored rule decides, in the browser too.
 */

/**
 * An edge of daylight saving time in wall-clock time: `week` 1 to 4, or 5 for the last; `day` is the weekday, 0 or 7
 * for Sunday.
 */
export interface WeekdayEdge {
  month: number;
  week: number;
  day: number;
  hour: number;
}
/** An edge by date: `day` is the day of the month. */
export interface DateEdge {
  month: number;
  day: number;
  hour: number;
}
/** The object form (SHELL-19). */
export interface DstRuleObject {
  enabled: boolean;
  startMonth: number;
  startWeek: number;
  startDay: number;
  startHour: number;
  endMonth: number;
  endWeek: number;
  endDay: number;
  endHour: number;
  /** Minutes that the clock is put forward. */
  offset: number;
}
/**
 * The string form: `mode;start;end`, mode 0 for dates as `month/day/hour`, 1 for weekdays as `month/week/day/hour`; the
 * minutes may follow, by default 60.
 */
export type DstRule = DstRuleObject | string;
/** A zone's minutes east of Greenwich and the country's rule; null means no daylight saving. */
export interface Clock {
  offset: number;
  rule: DstRule | null;
}

export interface Rule {
  start: WeekdayEdge | DateEdge;
  end: WeekdayEdge | DateEdge;
  minutes: number;
}

const within = (value: number, from: number, to: number) => Number.isInteger(value) && value >= from && value <= to;
const daysOf = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function edgeOf(text: string, weekday: boolean): WeekdayEdge | DateEdge | undefined {
  const parts = text.split('/');
  if (parts.some((p) => !/^\d{1,2}$/.test(p)) || parts.length !== (weekday ? 4 : 3)) return undefined;
  const n = parts.map(Number) as [number, number, number, number];
  const edge = weekday ? { month: n[0], week: n[1], day: n[2], hour: n[3] } : { month: n[0], day: n[1], hour: n[2] };
  return validEdge(edge) ? edge : undefined;
}

function validEdge(e: WeekdayEdge | DateEdge): boolean {
  if (!within(e.month, 1, 12) || !within(e.hour, 0, 24)) return false;
  return 'week' in e ? within(e.week, 1, 5) && within(e.day, 0, 7) : within(e.day, 1, daysOf[e.month - 1]!);
}

/** Normalizes a rule; undefined when it is absent, not enabled or invalid. */
export function ruleOf(rule: DstRule | null): Rule | undefined {
  if (rule === null) return undefined;
  if (typeof rule === 'string') {
    const [mode, start, end, minutes = '60', ...more] = rule.split(';');
    if (
      (mode !== '0' && mode !== '1') ||
      start === undefined ||
      end === undefined ||
      more.length > 0 ||
      !/^-?\d{1,3}$/.test(minutes)
    )
      return undefined;
    const edges = [edgeOf(start, mode === '1'), edgeOf(end, mode === '1')];
    return edges[0] && edges[1] && validMinutes(Number(minutes))
      ? { start: edges[0], end: edges[1], minutes: Number(minutes) }
      : undefined;
  }
  if (!rule.enabled) return undefined;
  const start = { month: rule.startMonth, week: rule.startWeek, day: rule.startDay, hour: rule.startHour };
  const end = { month: rule.endMonth, week: rule.endWeek, day: rule.endDay, hour: rule.endHour };
  return validEdge(start) && validEdge(end) && validMinutes(rule.offset)
    ? { start, end, minutes: rule.offset }
    : undefined;
}

const validMinutes = (minutes: number) => within(minutes, -120, 120) && minutes !== 0;

/** Returns whether a rule can be stored: a disabled object can, an invalid text cannot. */
export function validRule(rule: DstRule | null): boolean {
  return (
    rule === null ||
    (typeof rule === 'object' && ruleOf({ ...rule, enabled: true }) !== undefined) ||
    ruleOf(rule) !== undefined
  );
}

/** Returns an edge in a year as Unix time in milliseconds, as if the wall clock were UTC. */
function wallClock(year: number, e: WeekdayEdge | DateEdge): number {
  if (!('week' in e)) return Date.UTC(year, e.month - 1, e.day, e.hour);
  const weekday = e.day % 7;
  const first = ((weekday - new Date(Date.UTC(year, e.month - 1, 1)).getUTCDay() + 7) % 7) + 1;
  let day = first + (e.week - 1) * 7;
  if (e.week === 5 && day > new Date(Date.UTC(year, e.month, 0)).getUTCDate()) day -= 7;
  return Date.UTC(year, e.month - 1, day, e.hour);
}

const minuteMs = 60_000;

/**
 * Returns the instants at which daylight saving begins and ends in a year: the start is given in winter time, the end
 * in summer time.
 */
export function dstEdges(year: number, clock: Clock): { start: number; end: number } | undefined {
  const rule = ruleOf(clock.rule);
  return (
    rule && {
      start: wallClock(year, rule.start) - clock.offset * minuteMs,
      end: wallClock(year, rule.end) - (clock.offset + rule.minutes) * minuteMs,
    }
  );
}

/** Returns the minutes east of Greenwich of the wall clock at an instant (Unix time in milliseconds). */
export function offsetAt(at: number, clock: Clock): number {
  const rule = ruleOf(clock.rule);
  if (rule === undefined) return clock.offset;
  const year = new Date(at + clock.offset * minuteMs).getUTCFullYear();
  const { start, end } = dstEdges(year, clock)!;
  // In the south, where summer spans the turn of the year, the year starts and ends in summer time.
  const summer = start < end ? at >= start && at < end : at >= start || at < end;
  return clock.offset + (summer ? rule.minutes : 0);
}

const two = (v: number) => String(v).padStart(2, '0');

/**
 * Returns the instant as `YYYY-MM-DD HH:mm:ss` on that clock (SHELL-19); a dash for an absent or invalid one.
 */
export function renderTime(instant: string | number | null | undefined, clock: Clock): string {
  const at = instant === null || instant === undefined ? Number.NaN : new Date(instant).getTime();
  if (Number.isNaN(at)) return '–';
  const d = new Date(at + offsetAt(at, clock) * minuteMs);
  const date = `${String(d.getUTCFullYear()).padStart(4, '0')}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}`;
  return `${date} ${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`;
}

/**
 * Parses a time as {@link renderTime} writes it, also without seconds or time of day, into Unix time in milliseconds;
 * undefined when it is invalid. Of an hour that occurs twice it takes the first; a skipped hour is moved behind the
 * gap.
 */
export function readTime(text: string, clock: Clock): number | undefined {
  const m = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text.trim());
  if (!m) return undefined;
  const [year, month, day, hour, minute, second] = m.slice(1).map((p) => Number(p ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  const d = new Date(wall);
  if (d.getUTCMonth() + 1 !== month || d.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return undefined;
  const fits = [
    ...new Set(
      [wall - clock.offset * minuteMs - 7_200_000, wall - clock.offset * minuteMs + 7_200_000].map(
        (at) => wall - offsetAt(at, clock) * minuteMs,
      ),
    ),
  ].filter((at) => at + offsetAt(at, clock) * minuteMs === wall);
  // A skipped hour fits no instant: it is read on the clock before the gap.
  return fits.length > 0
    ? Math.min(...fits)
    : wall - offsetAt(wall - clock.offset * minuteMs - 7_200_000, clock) * minuteMs;
}

/** `UTC+05:45` */
export const offsetName = (minutes: number): string =>
  `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
