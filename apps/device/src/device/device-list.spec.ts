import { expect, test } from 'vitest';
import { deviceListQuery, pageQuery } from '@carillon/contracts';
import { asksForTextOnly } from './device-list.queries.ts';

const places = new Set(['search', 'sort', ...Object.keys(pageQuery)]);
const filters = Object.keys(deviceListQuery.shape).filter((key) => !places.has(key));

test('counts by the search table only when no other filter of the contract is set', () => {
  expect(asksForTextOnly({ search: 'x', page: 2, limit: 20, sort: '-name' })).toBe(true);
  expect(asksForTextOnly({ search: 'x', model: undefined })).toBe(true);
  expect(filters).toContain('lastOnlineFrom');
  // The search table contains the name as well.
  expect(filters.filter((key) => asksForTextOnly({ search: 'x', [key]: ['y'] } as never))).toEqual(['name.contains']);
  expect(asksForTextOnly({ 'name.contains': ['y'], sort: 'name' })).toBe(true);
  expect(asksForTextOnly({ sort: 'name' })).toBe(false);
});
