import { expect, it } from 'vitest';
import { readAddress, writeAddress } from '../browser/address.ts';
import { nextSort, queryOf, readList, writeList, type ListRules } from './search.ts';

const rules: ListRules<'state' | 'model'> = {
  sorts: ['name', 'mac'],
  filters: { state: ['online', 'offline'], model: undefined },
};

it('restores exactly the list that was written to the address', () => {
  const state = {
    search: 'a&b=c+d 界',
    page: 7,
    limit: 200 as const,
    sort: '-mac',
    filters: { state: ['online', 'offline'], model: ['X7A & co', 'i64'] },
  };
  expect(readList(readAddress(writeAddress(writeList(state))), rules)).toEqual(state);
});

it('leaves defaults out of the address', () => {
  expect(writeAddress(writeList(readList({}, rules)))).toBe('');
});

it('replaces unknown values of an address by defaults', () => {
  const state = readList(readAddress('?page=0&limit=21&sort=secret&state=gone&state=online&model='), rules);
  expect(queryOf(state)).toEqual({ page: 1, limit: 20, state: ['online'] });
});

it('sorts ascending, then descending, then not', () => {
  expect(nextSort(undefined, 'name')).toBe('name');
  expect(nextSort('name', 'name')).toBe('-name');
  expect(nextSort('-name', 'name')).toBeUndefined();
  expect(nextSort('-name', 'mac')).toBe('mac');
});
