import { expect, test } from 'vitest';
import { userPlace } from '@carillon/contracts/user-place';
import { nextSync } from './next-sync.ts';

const next = (given: object, now: string) =>
  new Date(
    nextSync(
      { cycle: 'day', time: '02:30', weekday: 1, timeZone: 'Europe/Berlin', ...given } as never,
      Date.parse(now),
    )!,
  ).toISOString();

test('a scheduled sync is due at its local time, whatever daylight saving does [ACC-04/cycle]', () => {
  expect(next({}, '2026-11-24T00:00:00Z')).toBe('2026-11-24T01:30:00.000Z');
  expect(next({}, '2026-11-24T01:30:00Z')).toBe('2026-11-25T01:30:00.000Z');
  expect(next({}, '2026-07-01T00:00:00Z')).toBe('2026-07-01T00:30:00.000Z');
  // The clock moves forward from 2 to 3, so there is no half past two.
  expect(['2027-03-28T00:30:00.000Z', '2027-03-28T01:30:00.000Z']).toContain(next({}, '2027-03-28T00:00:00Z'));
  expect(next({}, '2027-03-28T01:30:00Z')).toBe('2027-03-29T00:30:00.000Z');
  // A Tuesday is followed by the next Monday; a Monday after its time by the Monday after it.
  expect(next({ cycle: 'week' }, '2026-11-24T00:00:00Z')).toBe('2026-11-30T01:30:00.000Z');
  expect(next({ cycle: 'week', weekday: 7 }, '2026-11-24T00:00:00Z')).toBe('2026-11-29T01:30:00.000Z');
  expect(next({ cycle: 'week' }, '2026-11-30T02:00:00Z')).toBe('2026-12-07T01:30:00.000Z');
  expect(next({ cycle: 'hour' }, '2026-11-24T12:29:59Z')).toBe('2026-11-24T12:30:00.000Z');
  expect(next({ cycle: 'hour' }, '2026-11-24T12:30:00Z')).toBe('2026-11-24T13:30:00.000Z');
  expect(nextSync({ cycle: 'off', time: '02:30', weekday: 1, timeZone: 'Etc/UTC' }, 0)).toBeNull();
});

test.each([
  ['Berlin', 17, 276, '2026-07-15T12:00:00Z', '2026-07-16T00:00:00Z'],
  ['Lagos, without summer time', 17, 566, '2026-07-15T12:00:00Z', '2026-07-16T01:00:00Z'],
  ['Santiago in its winter', 11, 152, '2026-07-15T12:00:00Z', '2026-07-16T06:00:00Z'],
  ['Santiago in its summer', 11, 152, '2027-01-15T12:00:00Z', '2027-01-16T05:00:00Z'],
  ['Mexico City, without summer time', 8, 484, '2026-07-15T12:00:00Z', '2026-07-16T08:00:00Z'],
  ['Johannesburg, without summer time', 18, 710, '2026-07-15T12:00:00Z', '2026-07-16T00:00:00Z'],
])('a daily sync at 02:00 of a user in %s is at 02:00 of the clock that they see', (_, zone, country, now, due) => {
  const timeZone = userPlace(zone, country, Date.parse(now));
  expect(next({ time: '02:00', timeZone }, now)).toBe(new Date(due).toISOString());
});
