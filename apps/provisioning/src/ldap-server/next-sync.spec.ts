import { expect, test } from 'vitest';
import { zoneSeeds } from '@carillon/contracts/zones';
import { nextSync } from './next-sync.ts';

const zoneOf = (place: string): number => zoneSeeds.find((zone) => zone.place === place)!.id;
const next = (given: object, now: string) =>
  new Date(
    nextSync(
      { cycle: 'day', time: '02:30', weekday: 1, timezoneId: zoneOf('Europe/Berlin'), ...given } as never,
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
  expect(nextSync({ cycle: 'off', time: '02:30', weekday: 1, timezoneId: 1 }, 0)).toBeNull();
});
