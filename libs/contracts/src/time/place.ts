import { offsetAt, dstEdges, type Clock, type DstRuleObject } from './clock.ts';

/** A clock change of a place in the platform's tz database; for the server, which seeds and compares rules. */
export interface Change {
  at: number;
  before: number;
  after: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Returns a function that gives the minutes east of Greenwich at an instant. */
export function placeClock(place: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: place, timeZoneName: 'longOffset' });
  return (at) => {
    const m = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(at))!;
    return m[1] === undefined ? 0 : (m[1] === '-' ? -1 : 1) * (Number(m[2]) * 60 + Number(m[3]));
  };
}

/** Returns the clock changes of a place between the starts of two years. */
export function changesOf(place: string, fromYear: number, toYear: number): Change[] {
  const offset = placeClock(place);
  const changes: Change[] = [];
  const end = Date.UTC(toYear, 0, 1);
  let at = Date.UTC(fromYear, 0, 1);
  let before = offset(at);
  while (at < end) {
    // No place keeps a clock for less than two weeks.
    const next = Math.min(at + 14 * dayMs, end);
    const after = offset(next);
    if (after !== before) {
      let [low, high] = [at, next];
      while (high - low > minuteMs) {
        const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
        if (offset(middle) === before) low = middle;
        else high = middle;
      }
      changes.push({ at: high, before, after });
    }
    [at, before] = [next, after];
  }
  return changes;
}

type Edge = Pick<DstRuleObject, 'startMonth' | 'startWeek' | 'startDay' | 'startHour'>;

/**
 * Returns the weekday rule that matches the most of these instants (wall-clock time as if it were UTC), and the number
 * of matches.
 */
function weekdayRule(walls: readonly number[]): Edge & { said: number } {
  const spellings = walls.map((wall) => {
    const at = new Date(wall);
    const plain = { wall, startHour: at.getUTCHours() };
    // Midnight of a Friday may mean the end of a Thursday.
    return plain.startHour === 0 ? [plain, { wall: wall - dayMs, startHour: 24 }] : [plain];
  });
  let best: (Edge & { said: number }) | undefined;
  for (const { wall, startHour } of spellings[0]!) {
    const day = new Date(wall);
    for (let startWeek = 5; startWeek >= 1; startWeek--) {
      const edge = { startMonth: day.getUTCMonth() + 1, startWeek, startDay: day.getUTCDay(), startHour };
      const rule = { enabled: true, ...edge, endMonth: 1, endWeek: 1, endDay: 0, endHour: 0, offset: 60 };
      const said = walls.filter(
        (w) => dstEdges(new Date(w - 1).getUTCFullYear(), { offset: 0, rule })!.start === w,
      ).length;
      if (best === undefined || said > best.said) best = { ...edge, said };
    }
  }
  return best!;
}

const sampleYears = 10;

/**
 * Returns offset and daylight saving rule of a place, as the tz database has them from a year on. Summer time whose
 * edges follow no weekday (around Ramadan) becomes no rule, with the most frequent offset.
 */
export function clockOfPlace(place: string, fromYear: number): Clock & { rule: DstRuleObject | null } {
  const changes = changesOf(place, fromYear, fromYear + sampleYears);
  const offset = placeClock(place);
  const starts = changes.filter((c) => c.after > c.before);
  const ends = changes.filter((c) => c.after < c.before);
  if (starts.length >= sampleYears - 1 && ends.length >= sampleYears - 1) {
    const [start, end] = [starts, ends].map((edges) => weekdayRule(edges.map((c) => c.at + c.before * minuteMs))) as [
      Edge & { said: number },
      Edge & { said: number },
    ];
    if (start.said >= sampleYears / 2 && end.said >= sampleYears / 2) {
      const { before, after } = starts.at(-1)!;
      return {
        offset: before,
        rule: {
          enabled: true,
          startMonth: start.startMonth,
          startWeek: start.startWeek,
          startDay: start.startDay,
          startHour: start.startHour,
          endMonth: end.startMonth,
          endWeek: end.startWeek,
          endDay: end.startDay,
          endHour: end.startHour,
          offset: after - before,
        },
      };
    }
  }
  const spans = new Map<number, number>();
  let at = Date.UTC(fromYear, 0, 1);
  for (const change of [
    ...changes,
    { at: Date.UTC(fromYear + sampleYears, 0, 1), before: offset(Date.UTC(fromYear + sampleYears, 0, 1)) },
  ]) {
    spans.set(change.before, (spans.get(change.before) ?? 0) + change.at - at);
    at = change.at;
  }
  return { offset: [...spans].sort((a, b) => b[1] - a[1])[0]![0], rule: null };
}

export interface Difference {
  from: number;
  to: number;
  stored: number;
  database: number;
}

/** Returns the spans between the starts of two years in which a clock and the tz database differ. */
export function differencesOf(
  clock: Clock,
  changes: readonly Change[],
  database: (at: number) => number,
  fromYear: number,
  toYear: number,
): Difference[] {
  const [begin, end] = [Date.UTC(fromYear, 0, 1), Date.UTC(toYear, 0, 1)];
  const edges = Array.from({ length: toYear - fromYear + 2 }, (_, i) => dstEdges(fromYear - 1 + i, clock)).flatMap(
    (e) => (e ? [e.start, e.end] : []),
  );
  const instants = [...new Set([begin, ...edges, ...changes.map((c) => c.at), end])]
    .filter((at) => at >= begin && at <= end)
    .sort((a, b) => a - b);
  const found: Difference[] = [];
  for (let i = 0; i + 1 < instants.length; i++) {
    const [from, to] = [instants[i]!, instants[i + 1]!];
    const [stored, told] = [offsetAt(from, clock), database(from)];
    if (stored === told) continue;
    const last = found.at(-1);
    if (last && last.to === from && last.stored === stored && last.database === told) last.to = to;
    else found.push({ from, to, stored, database: told });
  }
  return found;
}
