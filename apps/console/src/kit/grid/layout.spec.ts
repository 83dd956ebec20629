import { expect, test } from 'vitest';
import { inOrder } from './layout.ts';

const columns = ['a', 'b', 'c', 'd'].map((key) => ({ key }));
const keys = (order: string[] | undefined) =>
  inOrder(columns, order)
    .map((c) => c.key)
    .join('');

test('columns stand in the stored order; a new one stands where the list puts it, one that is gone is passed over', () => {
  expect([
    keys(undefined),
    keys(['d', 'a', 'b', 'c']),
    keys(['d', 'a', 'c']),
    keys(['c', 'x', 'a', 'd', 'b']),
    keys([]),
  ]).toEqual(['abcd', 'dabc', 'dbac', 'cadb', 'abcd']);
});
