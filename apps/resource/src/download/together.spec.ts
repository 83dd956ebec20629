import { expect, it } from 'vitest';
import { Together } from './together.ts';

it('joins requests of a company during a running query, and fails exactly the requests of a failed query', async () => {
  const asked: [string, readonly number[], (fails?: boolean) => void][] = [];
  const together = new Together(
    (companyId: string, all: readonly number[]) =>
      new Promise<number[]>((answered, failed) => {
        asked.push([companyId, all, (fails) => (fails ? failed(new Error('away')) : answered(all.map((n) => n * 2)))]);
      }),
  );
  const settled = Promise.allSettled([1, 2, 3].map((n) => together.get('a', n)));
  const other = together.get('b', 7);
  expect(asked.map(([company, all]) => [company, all])).toEqual([
    ['a', [1]],
    ['b', [7]],
  ]);
  asked[1]![2]();
  expect(await other).toBe(14);
  asked[0]![2](true);
  await expect.poll(() => asked.length).toBe(3);
  expect(asked[2]!.slice(0, 2)).toEqual(['a', [2, 3]]);
  asked[2]![2]();
  expect((await settled).map((s) => (s.status === 'fulfilled' ? s.value : 'failed'))).toEqual(['failed', 4, 6]);
  void together.get('a', 4);
  expect(asked[3]!.slice(0, 2)).toEqual(['a', [4]]);
  asked[3]![2]();

  const many = Promise.all(Array.from({ length: 1_200 }, (_, n) => together.get('c', n)));
  for (let from = 4; from < 8; from++) {
    await expect.poll(() => asked.length).toBe(from + 1);
    asked[from]![2]();
  }
  expect((await many).at(-1)).toBe(2_398);
  expect(asked.slice(4).map(([, all]) => all.length)).toEqual([1, 500, 500, 199]);
});
