import { expect, it } from 'vitest';
import { zonedFiringOf } from './site-zones.ts';

const daily = {
  schedule: { type: 'cycle', begin: '2026-12-01T01:00', end: null, repeat: { every: 'day' } },
  timeZone: 'America/New_York',
  durationMinutes: 60,
  open: false,
  mayRun: true,
  waitMs: 3_600_000,
} as const;

it('a run by hand misses no minute that has come in an earlier zone', () => {
  // In New York it is 15:00 on the first; in Tokyo the second has begun, and its run is over.
  const now = new Date('2026-12-01T20:00:00Z');
  const firing = zonedFiringOf({ ...daily, dueAt: now, dueLocal: null, isByPlan: false }, now, ['Asia/Tokyo']);
  expect(firing).toEqual({
    run: now,
    missed: 0,
    next: new Date('2026-12-02T16:00:00Z'),
    nextLocal: '2026-12-03T01:00',
    siteWindows: null,
  });
});
