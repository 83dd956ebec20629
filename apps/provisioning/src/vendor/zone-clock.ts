import type { SettingValue } from '@carillon/contracts';
import { changesOf, clockOfPlace } from '@carillon/contracts/place';
import type { DstRuleObject } from '@carillon/contracts/time';
import { isZone } from '@carillon/contracts/user-place';
import { unnamed, type Named } from './names.ts';

/** The clock of a time zone, as the files of makers describe it. */
export interface ZoneClock {
  /** Minutes east of Greenwich without daylight saving. */
  offset: number;
  /** Weeks 1 to 4, or 5 for the last; days 0 to 6 from Sunday; hours 0 to 24 of the clock on the wall. */
  rule: DstRuleObject | null;
}

const clocks = new Map<string, ZoneClock | undefined>();

/**
 * Returns the clock of a zone of the tz database, by the rules of this year and the next ones; undefined for a zone
 * whose clock changes, but not on the same weekdays and at a whole hour each year, and for one that this process does
 * not know: the zone of a site was checked by another service.
 */
export function zoneClock(zone: SettingValue): ZoneClock | undefined {
  const [place, year] = [String(zone), new Date().getUTCFullYear()];
  const key = `${place} ${year}`;
  if (!clocks.has(key)) {
    const clock = isZone(place) ? clockOfPlace(place, year) : undefined;
    const isRegular = clock && (clock.rule !== null || changesOf(place, year, year + 2).length === 0);
    clocks.set(key, isRegular ? clock : undefined);
  }
  return clocks.get(key);
}

/** Returns the names that a maker's syntax has for the clock of a zone; none where it cannot express it. */
export const ofZone =
  (named: (clock: ZoneClock) => Named) =>
  (zone: SettingValue): Named => {
    const clock = zoneClock(zone);
    return clock === undefined ? unnamed : named(clock);
  };

/** Returns hours and minutes: `5:30`, `-3:30`, and `1` for a whole hour. */
export function hoursText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : ''}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

const posixEdge = (month: number, week: number, day: number, hour: number): string =>
  `M${month}.${week}.${day}/${String(hour).padStart(2, '0')}:00:00`;

/** Returns the zone as POSIX writes it, whose offsets are those west of Greenwich: `STD-1DST-2,M3.5.0/02:00:00,...`. */
export function posixZone({ offset, rule }: ZoneClock): string {
  const standard = `STD${hoursText(-offset)}`;
  if (rule === null) return standard;
  const { startMonth, startWeek, startDay, startHour, endMonth, endWeek, endDay, endHour } = rule;
  const edges = [posixEdge(startMonth, startWeek, startDay, startHour), posixEdge(endMonth, endWeek, endDay, endHour)];
  return `${standard}DST${hoursText(-offset - rule.offset)},${edges.join(',')}`;
}
