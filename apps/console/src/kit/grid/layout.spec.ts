import { expect, test } from 'vitest';
import { inOrder } from './layout.ts';

const columns = ['a', 'b', 'c', 'd'].map((key) => ({ key }));
const keys = (order: string[] | undefined) =>
  inOrder(columns, order)
    .map((c) => c.key)
    .join('');

test("columns use the stored order; new ones keep the list's position, and missing ones are skipped", () => {
  expect([
    keys(undefined),
    keys(['d', 'a', 'b', 'c']),
    keys(['d', 'a', 'c']),
    keys(['c', 'x', 'a', 'd', 'b']),
    keys([]),
  ]).toEqual(['abcd', 'dabc', 'dbac', 'cadb', 'abcd']);
});
