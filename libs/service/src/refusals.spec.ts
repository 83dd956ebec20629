import { expect, it } from 'vitest';
import { Refusals } from './refusals.ts';

const [a, b] = [{ userId: 'a' }, { userId: 'b' }];
const forbidden = 'common.forbidden';

it('logs a repeated refusal once a minute with its number, for each user, token, call and reason', () => {
  const refusals = new Refusals();
  expect(refusals.times(a, 'GET /x', forbidden, 0)).toBe(1);
  for (let i = 1; i <= 3_000; i++) expect(refusals.times(a, 'GET /x', forbidden, i)).toBeUndefined();
  expect([
    refusals.times(a, 'GET /y', forbidden, 5),
    refusals.times(b, 'GET /x', forbidden, 5),
    refusals.times(a, 'GET /x', 'common.invalid', 5),
    refusals.times({ ...a, apiToken: 'Monitoring' }, 'GET /x', forbidden, 5),
    refusals.times({ ...a, apiToken: 'Reports' }, 'GET /x', forbidden, 5),
  ]).toEqual([1, 1, 1, 1, 1]);
  expect(refusals.times(a, 'GET /x', forbidden, 60_000)).toBe(3_001);
  expect(refusals.times(a, 'GET /x', forbidden, 120_000)).toBe(1);
});

it('remembers ten thousand calls, however many users there are', () => {
  const refusals = new Refusals();
  for (let i = 0; i < 20_000; i++) refusals.times({ userId: String(i) }, 'GET /x', forbidden, i);
  expect((refusals as unknown as { last: Map<string, unknown> }).last.size).toBe(10_000);
});
