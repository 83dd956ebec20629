import { expect, it } from 'vitest';
import { pageNumbers } from './pager.tsx';

it('lists the first, the last and neighbouring pages, and never hides a single page in a gap', () => {
  expect(pageNumbers(1, 26)).toEqual([1, 2, 3, 0, 26]);
  expect(pageNumbers(4, 26)).toEqual([1, 2, 3, 4, 5, 0, 26]);
  expect(pageNumbers(13, 26)).toEqual([1, 0, 12, 13, 14, 0, 26]);
  expect(pageNumbers(26, 26)).toEqual([1, 0, 24, 25, 26]);
  expect(pageNumbers(1, 1)).toEqual([1]);
  expect(pageNumbers(2, 4)).toEqual([1, 2, 3, 4]);
});
