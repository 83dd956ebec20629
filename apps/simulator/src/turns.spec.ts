import { expect, it } from 'vitest';
import { turnsOf } from './turns.ts';

it('no more than the given number run at the same time, and one that fails frees its place', async () => {
  const turns = turnsOf(2);
  let [running, most] = [0, 0];
  const order: number[] = [];
  const work = (n: number) => async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    order.push(n);
    if (n === 1) throw new Error('it failed');
    return n;
  };
  const all = await Promise.allSettled(Array.from({ length: 7 }, (_, n) => turns(work(n))));
  expect(most).toBe(2);
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(all.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true, true, true]);
});
