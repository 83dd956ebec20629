import type { Action } from '@carillon/actions';
import type { TaskSchedule } from '@carillon/contracts';
import { nextTimes } from './recurrence.ts';

const minuteMs = 60_000;

export interface Timed {
  schedule: TaskSchedule;
  timeZone: string;
  durationMinutes: number | null;
}

/** Outcome of a due time. */
export interface Firing {
  /** The due time that runs now; null when it passed unused. */
  run: Date | null;
  /** Number of due times that passed unused. */
  missed: number;
  /** The next due time. */
  next: Date | null;
}

/**
 * Returns when the window of a run ends: after its duration, and before the next run begins. A momentary action lives
 * for `livesMs` from the start, whatever the duration. Null: commands wait as long as their action allows.
 */
export function windowEnd(
  begin: Date,
  durationMinutes: number | null,
  next: Date | null,
  livesMs: number | null = null,
): Date | null {
  const ends: number[] = livesMs === null ? [] : [begin.getTime() + livesMs];
  if (durationMinutes !== null) ends.push(begin.getTime() + durationMinutes * minuteMs);
  // At least a minute, for a manual run just before the due time.
  if (next) ends.push(Math.max(next.getTime() - minuteMs, begin.getTime() + minuteMs));
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}

/** Returns the lifetime of a run of this action; null: limited by its window. */
export const livesOf = (action: Action): number | null => (action.isMomentary ? action.expiresAfterMs : null);

/** The zones of a task that runs by the local times of sites. */
export interface Zoned {
  /** Returns when a time of the calendar first comes in one of the zones. */
  begins(calendar: Date): Date;
  /** Returns when its window in the last zone ends. */
  ends(calendar: Date): Date;
}

/**
 * Decides about a reached due time. It runs when it is late by less than its window, for example after a downtime;
 * `waitMs` is the window of a task without a duration. It is missed while an earlier run is active or when its creator
 * may no longer order it; of several passed times all but the last are missed. The task continues at its next time.
 * With `zoned`, the given and the returned times are those of the calendar, written as UTC.
 */
export function firingOf(
  task: Timed & { dueAt: Date; open: boolean; mayRun: boolean; waitMs: number; livesMs?: number | null },
  now: Date,
  zoned?: Zoned,
): Firing {
  const { schedule, durationMinutes, waitMs, livesMs } = task;
  const zone = zoned ? 'Etc/UTC' : task.timeZone;
  // A timer has one time.
  const behind = (at: Date): Date | null =>
    schedule.type === 'cycle' ? (nextTimes(schedule, zone, at, 1)[0] ?? null) : null;
  const begins = (at: Date): Date => zoned?.begins(at) ?? at;
  let due = task.dueAt;
  let missed = 0;
  let next = behind(due);
  while (next && begins(next) <= now) {
    missed++;
    due = next;
    next = behind(due);
  }
  const ends = zoned ? zoned.ends(due) : windowEnd(due, durationMinutes ?? waitMs / minuteMs, next, livesMs)!;
  const late = ends <= now;
  return task.open || !task.mayRun || late ? { run: null, missed: missed + 1, next } : { run: due, missed, next };
}
