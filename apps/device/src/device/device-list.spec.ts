import { expect, test } from 'vitest';
import { deviceListQuery, pageQuery } from '@carillon/contracts';
import { asksForTextOnly } from './device-list.queries.ts';

const places = new Set(['search', 'sort', ...Object.keys(pageQuery)]);
const filters = Object.keys(deviceListQuery.shape).filter((key) => !places.has(key));

test('a text is counted where texts are only without any other filter, whichever the contract has', () => {
  expect(asksForTextOnly({ search: 'x', page: 2, limit: 20, sort: '-name' })).toBe(true);
  expect(asksForTextOnly({ search: 'x', model: undefined })).toBe(true);
  expect(filters).toContain('lastOnlineFrom');
  // A name stands in the texts' table, too.
  expect(filters.filter((key) => asksForTextOnly({ search: 'x', [key]: ['y'] } as never))).toEqual(['name.contains']);
  expect(asksForTextOnly({ 'name.contains': ['y'], sort: 'name' })).toBe(true);
  expect(asksForTextOnly({ sort: 'name' })).toBe(false);
});
