import type { Action } from '@carillon/actions';
import type { TaskSchedule } from '@carillon/contracts';
import { nextTimes } from './recurrence.ts';

const minuteMs = 60_000;

export interface Timed {
  schedule: TaskSchedule;
  timeZone: string;
  durationMinutes: number | null;
}

/** What becomes of a due time. */
export interface Firing {
  /** The due time that runs now; null when it passed unused. */
  run: Date | null;
  /** How many due times passed unused. */
  missed: number;
  /** The one after. */
  next: Date | null;
}

/**
 * When the window of a run ends: after its duration, and before the time at which the next one begins, so that the one
 * is over by then. What is momentary lives no longer than that, `livesMs` from its begin, whatever the duration is. Null:
 * its commands wait as long as their action lets them.
 */
export function windowEnd(
  begin: Date,
  durationMinutes: number | null,
  next: Date | null,
  livesMs: number | null = null,
): Date | null {
  const ends: number[] = livesMs === null ? [] : [begin.getTime() + livesMs];
  if (durationMinutes !== null) ends.push(begin.getTime() + durationMinutes * minuteMs);
  // At least a minute, for what a person runs just before the time.
  if (next) ends.push(Math.max(next.getTime() - minuteMs, begin.getTime() + minuteMs));
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}

/** How long a run of this action lives at most; null: as its window says. */
export const livesOf = (action: Action): number | null => (action.isMomentary ? action.expiresAfterMs : null);

/**
 * A due time that was reached. It runs when it is less than its window late, as after a time in which the product was
 * down; `waitMs` is the window of a task without a duration. While an earlier run goes on or its creator may not order
 * it any more, and of several that passed all but the last, it is missed; the task goes on at its next time.
 */
export function firingOf(
  task: Timed & { dueAt: Date; open: boolean; mayRun: boolean; waitMs: number; livesMs?: number | null },
  now: Date,
): Firing {
  const { schedule, timeZone, durationMinutes, waitMs, livesMs } = task;
  // A timer has one time.
  const behind = (at: Date): Date | null =>
    schedule.type === 'cycle' ? (nextTimes(schedule, timeZone, at, 1)[0] ?? null) : null;
  let due = task.dueAt;
  let missed = 0;
  let next = behind(due);
  while (next && next <= now) {
    missed++;
    due = next;
    next = behind(due);
  }
  const late = windowEnd(due, durationMinutes ?? waitMs / minuteMs, next, livesMs)! <= now;
  return task.open || !task.mayRun || late ? { run: null, missed: missed + 1, next } : { run: due, missed, next };
}
