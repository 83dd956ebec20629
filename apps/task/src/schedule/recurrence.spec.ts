import { describe, expect, it } from 'vitest';
import type { TaskRepeat, TaskSchedule } from '@carillon/contracts';
import { isZone } from '@carillon/contracts/user-place';
import { instantOf, lastTime, nextTimes } from './recurrence.ts';

const before = new Date(0);
const cycle = (begin: string, repeat: TaskRepeat, end: string | null = null): TaskSchedule => ({
  type: 'cycle',
  begin,
  end,
  repeat,
});
/** Returns the next times in the zone's clock, with the offset. */
function shown(schedule: TaskSchedule, timeZone: string, count: number, after = before): string[] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'longOffset',
  });
  return nextTimes(schedule, timeZone, after, count).map((at) =>
    format.format(at).replace('GMT', '').replace('−', '-'),
  );
}
const daily: TaskRepeat = { every: 'day' };

describe('a change of the clock [TASK-06/dst]', () => {
  it('runs at the next minute that there is where the clock of Berlin is put on', () => {
    expect(shown(cycle('2026-03-28T02:30', daily), 'Europe/Berlin', 3)).toEqual([
      '2026-03-28 02:30 +01:00',
      '2026-03-29 03:00 +02:00',
      '2026-03-30 02:30 +02:00',
    ]);
  });

  it('runs once, the first time, where a minute comes twice in Berlin', () => {
    expect(shown(cycle('2026-10-24T02:30', daily), 'Europe/Berlin', 3)).toEqual([
      '2026-10-24 02:30 +02:00',
      '2026-10-25 02:30 +02:00',
      '2026-10-26 02:30 +01:00',
    ]);
    // Also when asked between the two.
    expect(shown(cycle('2026-10-24T02:30', daily), 'Europe/Berlin', 1, new Date('2026-10-25T00:45Z'))).toEqual([
      '2026-10-26 02:30 +01:00',
    ]);
  });

  it("runs at the next existing minute when New York's clock moves forward, and once when it moves back", () => {
    expect(shown(cycle('2026-03-07T02:15', daily), 'America/New_York', 3)).toEqual([
      '2026-03-07 02:15 -05:00',
      '2026-03-08 03:00 -04:00',
      '2026-03-09 02:15 -04:00',
    ]);
    expect(shown(cycle('2026-10-31T01:15', daily), 'America/New_York', 3)).toEqual([
      '2026-10-31 01:15 -04:00',
      '2026-11-01 01:15 -04:00',
      '2026-11-02 01:15 -05:00',
    ]);
  });

  it('handles the half-hour change of Lord Howe in both directions', () => {
    expect(shown(cycle('2026-10-03T02:15', daily), 'Australia/Lord_Howe', 3)).toEqual([
      '2026-10-03 02:15 +10:30',
      '2026-10-04 02:30 +11:00',
      '2026-10-05 02:15 +11:00',
    ]);
    expect(shown(cycle('2026-04-04T01:45', daily), 'Australia/Lord_Howe', 3)).toEqual([
      '2026-04-04 01:45 +11:00',
      '2026-04-05 01:45 +11:00',
      '2026-04-06 01:45 +10:30',
    ]);
  });

  it('keeps its time of day through the year, so that its instants move by an hour', () => {
    const times = nextTimes(cycle('2026-01-01T09:00', daily), 'Europe/Berlin', before, 365);
    expect(new Set(times.map((at) => at.toISOString().slice(11, 16)))).toEqual(new Set(['08:00', '07:00']));
    expect(new Set(times.map((at) => at.toISOString().slice(0, 10))).size).toBe(365);
  });

  it('treats a single time like a repeating one', () => {
    expect(instantOf('2026-03-29T02:30', 'Europe/Berlin').toISOString()).toBe('2026-03-29T01:00:00.000Z');
    expect(instantOf('2026-10-25T02:30', 'Europe/Berlin').toISOString()).toBe('2026-10-25T00:30:00.000Z');
    expect(instantOf('2026-10-04T02:15', 'Australia/Lord_Howe').toISOString()).toBe('2026-10-03T15:30:00.000Z');
    expect(instantOf('2028-02-29T10:00', 'Pacific/Kiritimati').toISOString()).toBe('2028-02-28T20:00:00.000Z');
    expect(instantOf('2027-01-01T00:00', 'America/Los_Angeles').toISOString()).toBe('2027-01-01T08:00:00.000Z');
    expect(shown({ type: 'timer', begin: '2026-03-29T02:30' }, 'Europe/Berlin', 5)).toEqual([
      '2026-03-29 03:00 +02:00',
    ]);
  });
});

describe('how a task repeats [TASK-01/repeat]', () => {
  const days = (schedule: TaskSchedule, count: number): string[] =>
    shown(schedule, 'Etc/UTC', count).map((s) => s.slice(0, 10));

  it('runs every day from its first time on, inclusive', () => {
    expect(days(cycle('2026-02-27T08:00', daily), 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(days(cycle('2028-02-28T08:00', daily), 2)).toEqual(['2028-02-28', '2028-02-29']);
  });

  it('runs on its weekdays, from Monday as 1 to Sunday as 7', () => {
    // The 25th of November 2026 is a Wednesday.
    expect(days(cycle('2026-11-25T08:00', { every: 'week', weekdays: [1, 3, 7] }), 4)).toEqual([
      '2026-11-25',
      '2026-11-29',
      '2026-11-30',
      '2026-12-02',
    ]);
  });

  it('skips months without its day', () => {
    expect(days(cycle('2026-01-31T08:00', { every: 'monthDay', day: 31 }), 4)).toEqual([
      '2026-01-31',
      '2026-03-31',
      '2026-05-31',
      '2026-07-31',
    ]);
    expect(days(cycle('2027-01-29T08:00', { every: 'monthDay', day: 29 }), 3)).toEqual([
      '2027-01-29',
      '2027-03-29',
      '2027-04-29',
    ]);
    expect(days(cycle('2028-01-29T08:00', { every: 'monthDay', day: 29 }), 2)).toEqual(['2028-01-29', '2028-02-29']);
  });

  it.each([1, 2, 3, 4, -1] as const)('runs on Sunday number %i of a month, -1 being the last', (ordinal) => {
    const times = days(cycle('2026-01-01T08:00', { every: 'monthWeekday', ordinal, weekday: 7 }), 24);
    // Computed independently: the counted Sundays of each month.
    const expected = Array.from({ length: 24 }, (_, month) => {
      const sundays = Array.from({ length: 31 }, (__, day) => new Date(Date.UTC(2026, month, day + 1))).filter(
        (at) => at.getUTCMonth() === month % 12 && at.getUTCDay() === 0,
      );
      return sundays
        .at(ordinal === -1 ? -1 : ordinal - 1)!
        .toISOString()
        .slice(0, 10);
    });
    expect(times).toEqual(expected);
  });

  it('runs until its end, inclusive, and reports the last time', () => {
    const ended = cycle('2026-02-02T08:00', { every: 'week', weekdays: [1] }, '2026-02-16T08:00');
    expect(days(ended, 9)).toEqual(['2026-02-02', '2026-02-09', '2026-02-16']);
    expect(lastTime(ended, 'Etc/UTC')?.toISOString()).toBe('2026-02-16T08:00:00.000Z');
    const sooner = cycle('2026-02-02T08:00', { every: 'week', weekdays: [1] }, '2026-02-16T07:59');
    expect(lastTime(sooner, 'Etc/UTC')?.toISOString()).toBe('2026-02-09T08:00:00.000Z');
    expect(lastTime(cycle('2026-02-02T08:00', daily), 'Etc/UTC')).toBe(null);
  });

  it('never runs when none of its days is between start and end', () => {
    expect(days(cycle('2026-02-03T08:00', { every: 'week', weekdays: [1] }, '2026-02-08T23:59'), 5)).toEqual([]);
    expect(days(cycle('2026-02-03T08:00', daily, '2026-02-01T08:00'), 5)).toEqual([]);
    expect(days({ type: 'now' }, 5)).toEqual([]);
  });

  it('returns only times later than now', () => {
    const after = new Date('2026-02-03T08:00Z');
    expect(nextTimes(cycle('2026-02-01T08:00', daily), 'Etc/UTC', after, 1)[0]?.toISOString()).toBe(
      '2026-02-04T08:00:00.000Z',
    );
    expect(nextTimes({ type: 'timer', begin: '2026-02-03T08:00' }, 'Etc/UTC', after, 1)).toEqual([]);
  });
});

it('accepts a zone by its name, and no offset', () => {
  expect(['Europe/Berlin', 'Etc/UTC', 'UTC', 'Asia/Kathmandu'].map(isZone)).toEqual([true, true, true, true]);
  expect(['Europe/Atlantis', '+02:00', '', 'Berlin', '2'].map(isZone)).toEqual([false, false, false, false, false]);
});
