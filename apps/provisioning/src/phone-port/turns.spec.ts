import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Returns turns with a log of what began; a piece of work runs until it is ended by its name. */
function started(limits: ConstructorParameters<typeof Turns>[0]) {
  const turns = new Turns(limits);
  const began: string[] = [];
  const pieces = new Map<string, PromiseWithResolvers<void>>();
  const results = new Map<string, Promise<void>>();
  return {
    began,
    /** Returns whether the piece was accepted. Its owner is the first letter of its name. */
    run(name: string, group?: string): boolean {
      pieces.set(name, Promise.withResolvers());
      const result = turns.run(
        name[0]!,
        () => {
          began.push(name);
          return pieces.get(name)!.promise;
        },
        group,
      );
      if (result) results.set(name, result);
      return result !== undefined;
    },
    async end(name: string): Promise<void> {
      pieces.get(name)!.resolve();
      await results.get(name);
    },
  };
}

test('owners take turns, so that one with many requests delays the others by one', async () => {
  const { began, run, end } = started({ atOnce: 1, together: 3, most: 10, mostOfOne: 5 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) run(name);
  expect(began).toEqual(['a1']);
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('no more than the limits run or wait, and a place is free when a piece ends', async () => {
  const { run, end } = started({ atOnce: 1, together: 3, most: 3, mostOfOne: 2 });
  expect(['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => run(name))).toEqual([true, true, false, true, false]);
  await end('a1');
  expect([run('c2'), run('a4')]).toEqual([true, false]);
  for (const name of ['a2', 'b1', 'c2']) await end(name);
  expect(run('a5')).toBe(true);
});

test('failed work ends its turn', async () => {
  const turns = new Turns({ atOnce: 1, together: 3, most: 2, mostOfOne: 1 });
  await expect(turns.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run('a', () => Promise.resolve(1))).toBe(1);
});

test('work of a group begins in one turn, a few pieces at most, and the turn ends with the last of them', async () => {
  const { began, run, end } = started({ atOnce: 1, together: 3, most: 10, mostOfOne: 5 });
  run('a1');
  for (const name of ['b1', 'a2', 'c1', 'd1']) run(name, 'company');
  for (const name of ['a3', 'e1']) run(name);
  await end('a1');
  expect(began).toEqual(['a1', 'b1', 'a2', 'c1']);
  await end('b1');
  await end('a2');
  expect(began).toHaveLength(4);
  await end('c1');
  expect(began.slice(4)).toEqual(['a3']);
  for (const name of ['a3', 'd1', 'e1']) await end(name);
  expect(began.slice(5)).toEqual(['d1', 'e1']);
});
