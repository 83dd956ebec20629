import { expect, it } from 'vitest';
import { Refusals } from './refusals.ts';

it('a call that is refused again and again is told once a minute, with how often; of each person and call by itself', () => {
  const refusals = new Refusals();
  expect(refusals.times('a', 'GET /x', 0)).toBe(1);
  for (let i = 1; i <= 3_000; i++) expect(refusals.times('a', 'GET /x', i)).toBeUndefined();
  expect([refusals.times('a', 'GET /y', 5), refusals.times('b', 'GET /x', 5)]).toEqual([1, 1]);
  expect(refusals.times('a', 'GET /x', 60_000)).toBe(3_001);
  expect(refusals.times('a', 'GET /x', 120_000)).toBe(1);
});

it('remembers ten thousand calls, however many users there are', () => {
  const refusals = new Refusals();
  for (let i = 0; i < 20_000; i++) refusals.times(String(i), 'GET /x', i);
  expect((refusals as unknown as { last: Map<string, unknown> }).last.size).toBe(10_000);
});
