import { expect, test } from 'vitest';
import { Allowance, MinuteLimit } from './allowance.ts';

const taken = (limit: MinuteLimit, name: string, now: number, times = 100): number =>
  Array.from({ length: times }, () => limit.take(name, now)).filter(Boolean).length;

test('a name gets its minute at once, then its rate, and takes nothing from another name', () => {
  const limit = new MinuteLimit(20, 1_000);
  expect(taken(limit, 'a', 0)).toBe(20);
  expect(taken(limit, 'a', 2_999)).toBe(0);
  expect(taken(limit, 'a', 3_000)).toBe(1);
  expect(taken(limit, 'b', 3_000)).toBe(20);
  expect(taken(limit, 'a', 600_000)).toBe(20);
});

test('a limit of 0 is no limit', () => {
  expect(taken(new MinuteLimit(0, 1), 'a', 0)).toBe(100);
});

test('an allowance forgets the oldest name above its bound', () => {
  const allowance = new Allowance(1_000, 2);
  for (const name of ['a', 'b', 'c']) allowance.take(name, 1_000, 0);
  expect(allowance.size).toBe(2);
  expect([allowance.take('c', 1_000, 0), allowance.take('a', 1_000, 0)]).toEqual([false, true]);
});
