import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { choice, filters, flag, moment, number, orEmpty, text } from './filter.ts';
import { filterBy, filterSql } from './filter.sql.ts';

const query = z.strictObject(
  filters({
    state: choice(z.enum(['online', 'offline'])),
    name: orEmpty(text()),
    enabled: flag,
    calls: number,
    seenAt: orEmpty(moment),
  }),
);
const columns = {
  state: filterBy.text('d.state'),
  name: filterBy.text('d.name'),
  enabled: filterBy.flag('d.enabled'),
  calls: filterBy.number('d.calls'),
  seenAt: filterBy.moment('d.seen_at'),
  role: filterBy.id('', { any: (ids, add) => `exists (select where r.id = any(${add(ids)}))` }),
};
function sqlOf(filter: object): { conditions: string[]; values: unknown[] } {
  const values: unknown[] = [];
  return { conditions: filterSql(filter, columns, (v) => `$${values.push(v)}`), values };
}

describe('parameters of a filter', () => {
  test('are a field, optionally with one of the operators of its kind', () => {
    expect(Object.keys(query.shape).sort()).toEqual(
      [
        ...['calls.from', 'calls.to', 'enabled', 'name', 'name.contains', 'name.empty', 'name.not'],
        ...['seenAt.empty', 'seenAt.from', 'seenAt.to', 'seenAt.within', 'state', 'state.not'],
      ].sort(),
    );
  });

  test('take one value as a list, like a repeated key', () => {
    expect(query.parse({ state: 'online', 'name.contains': ['desk', ' office '], 'calls.from': '2' })).toEqual({
      state: ['online'],
      'name.contains': ['desk', 'office'],
      'calls.from': 2,
    });
  });

  test.each([
    ['a value that there is not', { state: 'asleep' }],
    ['one of several that there is not', { 'state.not': ['online', 'asleep'] }],
    ['an operator that the field does not have', { 'state.contains': 'on' }],
    ['an operator that nothing has', { 'name.regex': '.*' }],
    ['an operator in the way of others', { 'name[$ne]': 'x' }],
    ['an empty text', { 'name.contains': '  ' }],
    ['a text that is too long', { 'name.contains': 'x'.repeat(129) }],
    ['a number that is none', { 'calls.from': 'many' }],
    ['half a number', { 'calls.to': '1.5' }],
    ['a moment that is none', { 'seenAt.from': 'yesterday' }],
    ['a moment that PostgreSQL cannot hold', { 'seenAt.to': '2026-11-21T00:00:00+16:00' }],
    ['two ends of one kind', { 'seenAt.from': ['2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z'] }],
    ['a span that there is not', { 'seenAt.within': '2y' }],
    ['neither yes nor no', { 'name.empty': 'maybe' }],
  ])('refuse %s', (_, filter) => {
    expect(query.safeParse(filter).success).toBe(false);
  });
});

describe('a filter as SQL', () => {
  test('is empty without parameters, and for fields that the columns do not name', () => {
    expect(sqlOf({})).toEqual({ conditions: [], values: [] });
    expect(sqlOf({ state: undefined, other: ['x'] })).toEqual({ conditions: [], values: [] });
  });

  test('compares with all values by the type of the column', () => {
    expect(sqlOf({ state: ['online', 'offline'], enabled: ['false'], 'calls.from': 1, 'calls.to': 5 })).toEqual({
      conditions: [
        'd.state = any($1::text[])',
        'd.enabled = any($2::boolean[])',
        'd.calls >= $3::int',
        'd.calls <= $4::int',
      ],
      values: [['online', 'offline'], ['false'], 1, 5],
    });
  });

  test('includes empty fields in "is not"', () => {
    expect(sqlOf({ 'name.not': ['x'], 'role.not': ['r'] })).toEqual({
      conditions: ['(d.name = any($1::text[])) is not true', '(exists (select where r.id = any($2))) is not true'],
      values: [['x'], ['r']],
    });
  });

  test('escapes wildcards in the text of the user', () => {
    expect(sqlOf({ 'name.contains': ['100%_', 'a\\b'] })).toEqual({
      conditions: ['(normalize(d.name, nfkc) ilike any($1::text[]))'],
      values: [['%100\\%\\_%', '%a\\\\b%']],
    });
  });

  test('excludes the end of a time range, and starts a span at the time of the query', () => {
    expect(
      sqlOf({ 'seenAt.from': '2026-11-01T00:00:00Z', 'seenAt.to': '2026-11-02T00:00:00Z', 'seenAt.within': '7d' }),
    ).toEqual({
      conditions: [
        'd.seen_at >= $1::timestamptz',
        'd.seen_at < $2::timestamptz',
        'd.seen_at >= now() - make_interval(secs => $3)',
      ],
      values: ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', 604_800],
    });
  });

  test('matches an empty text as empty, and nothing for an impossible time', () => {
    expect(sqlOf({ 'name.empty': 'true', 'seenAt.empty': 'false' }).conditions).toEqual([
      "coalesce(d.name, '') = ''",
      'not (d.seen_at is null)',
    ]);
  });
});
