import { describe, expect, it } from 'vitest';
import { between, everything, isSelected, leftOut, mark, nothing, selectedCount, targetOf } from './selection.ts';

const page = ['a', 'b', 'c', 'd', 'e'];

describe('a selection of named records', () => {
  it('holds the checked records of all pages, without those unchecked later', () => {
    const s = mark(mark(mark(nothing, ['a', 'b'], true), ['z'], true), ['a'], false);
    expect(targetOf(s, {})).toEqual({ ids: ['b', 'z'] });
    expect(selectedCount(s, 1284)).toBe(2);
  });
});

describe('a selection of all that match', () => {
  it('counts excluded records, and includes them again', () => {
    const s = mark(everything, ['a', 'b'], false);
    expect([selectedCount(s, 1284), leftOut(s), isSelected(s, 'a'), isSelected(s, 'never seen')]).toEqual([
      1282,
      2,
      false,
      true,
    ]);
    expect(targetOf(s, { state: ['online'] })).toEqual({ filter: { state: ['online'] }, exclude: ['a', 'b'] });
    expect(targetOf(mark(s, ['a', 'b'], true), {})).toEqual({ filter: {} });
  });
});

it('never changes the given selection', () => {
  const s = mark(nothing, ['a'], true);
  mark(s, ['b'], true);
  expect(selectedCount(s, 5)).toBe(1);
});

it('selects a range in either direction, and one record when the range began on another page', () => {
  expect(between(page, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(between(page, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(between(page, 'gone', 'd')).toEqual(['d']);
  expect(between(page, undefined, 'c')).toEqual(['c']);
});
