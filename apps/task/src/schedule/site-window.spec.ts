import { describe, expect, it } from 'vitest';
import type { TaskSchedule } from '@carillon/contracts';
import { firingOf } from './firing.ts';
import {
  calendarOf,
  earliestOf,
  firstLocalMinute,
  foremostOf,
  lastClosing,
  localMinuteOf,
  nextBegin,
  nextLocalMinute,
  windowsOf,
} from './site-window.ts';

const berlin = 'Europe/Berlin';
const newYork = 'America/New_York';
const tokyo = 'Asia/Tokyo';
const spans = (localMinute: string, minutes = 90, next: Date | null = null) =>
  windowsOf(localMinute, [berlin, tokyo, newYork], { minutes, next }).map(({ zone, opensAt, closesAt }) => [
    zone,
    opensAt.slice(5, 16),
    closesAt.slice(5, 16),
  ]);

it('a window opens at the same local minute in each zone, with the earliest zone first', () => {
  expect(spans('2026-12-01T22:00')).toEqual([
    [tokyo, '12-01T13:00', '12-01T14:30'],
    [berlin, '12-01T21:00', '12-01T22:30'],
    [newYork, '12-02T03:00', '12-02T04:30'],
  ]);
  expect(earliestOf('2026-12-01T22:00', [berlin, newYork]).toISOString()).toBe('2026-12-01T21:00:00.000Z');
});

it('a minute that one zone skips or repeats moves only the window of that zone, which keeps its length', () => {
  // Clocks in Berlin go from 02:00 to 03:00; those in New York have changed two weeks earlier.
  expect(spans('2027-03-28T02:30')).toEqual([
    [tokyo, '03-27T17:30', '03-27T19:00'],
    [berlin, '03-28T01:00', '03-28T02:30'],
    [newYork, '03-28T06:30', '03-28T08:00'],
  ]);
  // 02:30 occurs twice in Berlin, first in summer time.
  expect(spans('2026-10-25T02:30', 120)[1]).toEqual([berlin, '10-25T00:30', '10-25T02:30']);
});

it('a window ends before the next run begins in the first zone', () => {
  expect(spans('2026-12-01T22:00', 1_440, earliestOf('2026-12-02T22:00', [tokyo]))).toEqual([
    [tokyo, '12-01T13:00', '12-02T12:59'],
    [berlin, '12-01T21:00', '12-02T12:59'],
    [newYork, '12-02T03:00', '12-02T12:59'],
  ]);
});

it('a zone a day behind the first one keeps its window, because the run that begins before is missed', () => {
  const daily: TaskSchedule = { type: 'cycle', begin: '2026-12-01T02:00', end: null, repeat: { every: 'day' } };
  const zones = ['Pacific/Kiritimati', 'Etc/GMT+12'];
  const next = nextBegin(daily, daily.begin, zones);
  expect(next).toEqual(earliestOf('2026-12-03T02:00', zones));
  expect(windowsOf(daily.begin, zones, { minutes: 120, next }).map(({ closesAt }) => closesAt.slice(5, 16))).toEqual([
    '11-30T14:00',
    '12-01T16:00',
  ]);
  expect(nextBegin(daily, daily.begin, [berlin, tokyo])).toEqual(earliestOf('2026-12-02T02:00', [tokyo]));
  expect(nextBegin({ type: 'timer', begin: daily.begin }, daily.begin, zones)).toBeNull();
});

const nightly: TaskSchedule = { type: 'cycle', begin: '2027-03-27T02:30', end: null, repeat: { every: 'day' } };

it('a schedule keeps its local minute on a day on which a zone skips it', () => {
  expect(firstLocalMinute(nightly)).toBe('2027-03-27T02:30');
  expect(nextLocalMinute(nightly, '2027-03-27T02:30')).toBe('2027-03-28T02:30');
  expect(firstLocalMinute({ type: 'timer', begin: '2027-03-28T02:30' })).toBe('2027-03-28T02:30');
  expect(nextLocalMinute({ type: 'timer', begin: '2027-03-28T02:30' }, '2027-03-28T02:30')).toBeNull();
});

it('a late run is made up until the last zone closes, and is due again in the first zone', () => {
  const zones = [berlin, tokyo, newYork];
  const fired = (now: string) =>
    firingOf(
      {
        schedule: nightly,
        timeZone: berlin,
        dueAt: calendarOf('2027-03-27T02:30'),
        durationMinutes: 60,
        open: false,
        mayRun: true,
        waitMs: 3_600_000,
      },
      new Date(now),
      {
        begins: (calendar) => earliestOf(localMinuteOf(calendar), zones),
        ends: (calendar) =>
          new Date(lastClosing(windowsOf(localMinuteOf(calendar), zones, { minutes: 60, next: null }))),
      },
    );
  // 03:29 in New York.
  expect(fired('2027-03-27T07:29:00Z')).toEqual({
    run: calendarOf('2027-03-27T02:30'),
    missed: 0,
    next: calendarOf('2027-03-28T02:30'),
  });
  expect(fired('2027-03-27T07:30:00Z')).toMatchObject({ run: null, missed: 1 });
  // The next day has begun in Tokyo.
  expect(fired('2027-03-27T17:30:00Z')).toMatchObject({ run: calendarOf('2027-03-28T02:30'), missed: 1 });
});

describe('the zones that may be first', () => {
  const now = Date.parse('2026-12-01T00:00:00Z');

  it('leave out zones that are always behind another one', () => {
    const zones = ['America/New_York', 'Asia/Tokyo', 'Europe/Berlin', 'Etc/UTC'];
    expect(foremostOf(zones, now)).toEqual(['Asia/Tokyo']);
    expect(foremostOf([], now)).toEqual([]);
  });

  it('keep the first zone of every local minute of a year', () => {
    const zones = [
      'Pacific/Auckland',
      'Pacific/Tongatapu',
      'Pacific/Fiji',
      'Asia/Tokyo',
      'Africa/Casablanca',
      'Etc/UTC',
    ];
    const first = foremostOf(zones, now);
    expect(first).not.toContain('Asia/Tokyo');
    for (let at = now; at < now + 365 * 86_400_000; at += 13 * 3_600_000) {
      const local = localMinuteOf(new Date(at));
      expect(earliestOf(local, first)).toEqual(earliestOf(local, zones));
    }
  });
});
