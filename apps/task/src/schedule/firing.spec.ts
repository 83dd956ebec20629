import { describe, expect, it } from 'vitest';
import type { TaskSchedule } from '@carillon/contracts';
import { firingOf, windowEnd } from './firing.ts';

const hourMs = 3_600_000;
const at = (time: string) => new Date(`2026-06-${time}:00Z`);
const timer: TaskSchedule = { type: 'timer', begin: '2026-06-01T02:00' };
const nightly: TaskSchedule = { type: 'cycle', begin: '2026-06-01T02:00', end: null, repeat: { every: 'day' } };
const firing = (
  schedule: TaskSchedule,
  now: Date,
  more: { durationMinutes?: number; open?: boolean; mayRun?: boolean } = {},
) =>
  firingOf(
    {
      schedule,
      timeZone: 'Etc/UTC',
      dueAt: at('01T02:00'),
      durationMinutes: more.durationMinutes ?? null,
      open: more.open ?? false,
      mayRun: more.mayRun ?? true,
      waitMs: 4 * hourMs,
    },
    now,
  );

describe('a due time', () => {
  it('runs, and a cycle is due again at its next time', () => {
    expect(firing(timer, at('01T02:00'))).toEqual({ run: at('01T02:00'), missed: 0, next: null });
    expect(firing(nightly, at('01T02:00'))).toEqual({ run: at('01T02:00'), missed: 0, next: at('02T02:00') });
  });

  it('runs late within its window, and is missed after that', () => {
    expect(firing(timer, at('01T02:59'), { durationMinutes: 60 })).toMatchObject({ run: at('01T02:00'), missed: 0 });
    expect(firing(timer, at('01T03:00'), { durationMinutes: 60 })).toEqual({ run: null, missed: 1, next: null });
    // Without a duration the window is as long as the action lets a command wait.
    expect(firing(timer, at('01T05:59'))).toMatchObject({ run: at('01T02:00') });
    expect(firing(nightly, at('01T06:00'))).toEqual({ run: null, missed: 1, next: at('02T02:00') });
  });

  it('runs only the last of several times that passed during a downtime, and only in its window', () => {
    expect(firing(nightly, at('04T03:00'))).toEqual({ run: at('04T02:00'), missed: 3, next: at('05T02:00') });
    expect(firing(nightly, at('04T12:00'))).toEqual({ run: null, missed: 4, next: at('05T02:00') });
  });

  it('is missed while an earlier run is active', () => {
    expect(firing(nightly, at('01T02:00'), { open: true })).toEqual({ run: null, missed: 1, next: at('02T02:00') });
  });

  it('is missed while its creator lacks the permission, and the task continues when it returns', () => {
    expect(firing(nightly, at('01T02:00'), { mayRun: false })).toEqual({ run: null, missed: 1, next: at('02T02:00') });
  });
});

describe('a window', () => {
  it('ends after its duration', () => {
    expect(windowEnd(at('01T02:00'), 90, null)).toEqual(at('01T03:30'));
    expect(windowEnd(at('01T02:00'), null, null)).toBe(null);
  });

  it('ends a minute before the next run begins, and lasts a minute at least', () => {
    expect(windowEnd(at('01T02:00'), 10_080, at('02T02:00'))).toEqual(at('02T01:59'));
    expect(windowEnd(at('01T02:00'), null, at('02T02:00'))).toEqual(at('02T01:59'));
    expect(windowEnd(at('02T01:59'), null, at('02T02:00'))).toEqual(at('02T02:00'));
  });
});
