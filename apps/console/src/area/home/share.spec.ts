import { expect, it } from 'vitest';
import { shares } from './share.ts';

const items = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `m${i}`, count: i + 1 }));

it('shows the five largest and sums up the rest without losing a device', () => {
  const found = shares(items(23));
  expect(found.map((s) => s.name)).toEqual(['m22', 'm21', 'm20', 'm19', 'm18', '']);
  expect(found.at(-1)).toMatchObject({ others: 18, count: (18 * 19) / 2 });
  expect(found.at(-1)!.rest).toHaveLength(18);
});

it('names the sixth instead of "1 other"', () => {
  expect(shares(items(6)).map((s) => s.others)).toEqual([0, 0, 0, 0, 0, 0]);
});
