import { expect, it } from 'vitest';
import { PlatformClock } from './platform-clock.ts';

it("follows the dates of the platform's answers, is never ahead, and ignores late answers", () => {
  const clock = new PlatformClock();
  expect(clock.now(0)).toBeUndefined();
  clock.hear(null, 0);
  clock.hear('soon', 0);
  expect(clock.now(0)).toBeUndefined();
  clock.hear('Wed, 25 Nov 2026 22:00:10 GMT', 1_000);
  expect(clock.now(1_500)).toBe(Date.parse('2026-11-25T22:00:10.500Z'));
  clock.hear('Wed, 25 Nov 2026 22:00:10 GMT', 4_000);
  expect(clock.now(4_000)).toBe(Date.parse('2026-11-25T22:00:13.000Z'));
  clock.hear('Wed, 25 Nov 2026 22:00:14 GMT', 4_200);
  expect(clock.now(4_200)).toBe(Date.parse('2026-11-25T22:00:14.000Z'));
});
