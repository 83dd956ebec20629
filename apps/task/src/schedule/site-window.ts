import type { TaskSchedule } from '@carillon/contracts';
import { placeClock } from '@carillon/contracts/place';
import { windowEnd } from './firing.ts';
import { instantOf, nextTimes } from './recurrence.ts';

const minuteMs = 60_000;

/** The window of a run in one time zone. */
export interface SiteWindow {
  zone: string;
  opensAt: string;
  closesAt: string;
}

/** Returns a local minute written as UTC: a calendar without clock changes, in which schedules can be computed. */
export const calendarOf = (localMinute: string): Date => new Date(`${localMinute}Z`);
/** Returns the local minute of a time of that calendar. */
export const localMinuteOf = (calendar: Date): string => calendar.toISOString().slice(0, 16);

/** Returns the local time of an instant in a zone, in that calendar. */
export const clockOf = (at: Date, zone: string): Date =>
  new Date(at.getTime() + placeClock(zone)(at.getTime()) * 60_000);

/** Returns the first local minute of a schedule; null when there is none. */
export function firstLocalMinute(schedule: TaskSchedule): string | null {
  if (schedule.type === 'now') return null;
  const [first] = nextTimes(schedule, 'Etc/UTC', new Date(calendarOf(schedule.begin).getTime() - 1_000), 1);
  return first ? localMinuteOf(first) : null;
}

/** Returns the next local minute of a schedule after another; null when there is none. */
export function nextLocalMinute(schedule: TaskSchedule, after: string): string | null {
  const [next] = nextTimes(schedule, 'Etc/UTC', calendarOf(after), 1);
  return next ? localMinuteOf(next) : null;
}

/** Returns the first instant at which it is this local minute in one of the zones. */
export const earliestOf = (localMinute: string, zones: readonly string[]): Date =>
  new Date(Math.min(...zones.map((zone) => instantOf(localMinute, zone).getTime())));

/** Offsets are looked up in each month of a year; between two lookups one may differ by this many minutes. */
const offsetMargin = 120;
const monthMs = 2_630_000_000;

/**
 * Returns the zones of which one is always the first to reach a local minute, and may leave out others that never are:
 * the zones whose largest offset of a year is not below the smallest one of another zone.
 */
export function foremostOf(zones: readonly string[], now = Date.now()): string[] {
  const months = Array.from({ length: 13 }, (_, n) => now + n * monthMs);
  const ranges = zones.map((zone) => {
    const offsets = months.map(placeClock(zone));
    return { zone, least: Math.min(...offsets), most: Math.max(...offsets) };
  });
  const bound = Math.max(...ranges.map(({ least }) => least)) - offsetMargin;
  return ranges.flatMap(({ zone, most }) => (most >= bound ? [zone] : [])).sort();
}

/**
 * Returns when the run behind that of a local minute begins: the first one that begins after all windows of that run
 * have opened. A run that begins before is missed, so it must not close the windows of a zone a day behind the first.
 */
export function nextBegin(schedule: TaskSchedule, localMinute: string, zones: readonly string[]): Date | null {
  if (schedule.type !== 'cycle') return null;
  const lastOpening = Math.max(...zones.map((zone) => instantOf(localMinute, zone).getTime()));
  for (let next = nextLocalMinute(schedule, localMinute); next !== null; next = nextLocalMinute(schedule, next)) {
    const begin = earliestOf(next, zones);
    if (begin.getTime() > lastOpening + minuteMs) return begin;
  }
  return null;
}

/**
 * Returns the windows of a run in these zones, the earliest first. Each lasts `minutes`, and ends at the latest a minute
 * before the next run begins in any zone.
 */
export function windowsOf(
  localMinute: string,
  zones: readonly string[],
  { minutes, next }: { minutes: number; next: Date | null },
): SiteWindow[] {
  return zones
    .map((zone) => {
      const opens = instantOf(localMinute, zone);
      return { zone, opensAt: opens.toISOString(), closesAt: windowEnd(opens, minutes, next)!.toISOString() };
    })
    .sort((a, b) => (a.opensAt < b.opensAt ? -1 : a.opensAt > b.opensAt ? 1 : a.zone < b.zone ? -1 : 1));
}

/** Returns when the last of the windows closes. */
export const lastClosing = (windows: readonly SiteWindow[]): string =>
  windows.map(({ closesAt }) => closesAt).reduce((a, b) => (a > b ? a : b));
