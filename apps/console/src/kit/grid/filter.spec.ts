import { expect, it } from 'vitest';
import { asked, firstOperator, formerSpans, inNewWords, operatorsOf, rulesOf, valuesOf, withValues } from './filter.ts';
import { filterOf, readList, type ListRules } from './search.ts';
import { readAddress } from '../browser/address.ts';

const name = { key: 'name', kind: 'text', options: [] } as const;
const state = { key: 'state', kind: 'choice', options: [{ value: 'online' }] } as const;
const calls = { key: 'calls', kind: 'number', options: [] } as const;
const seen = { key: 'seenAt', kind: 'moment', empties: true, options: [] } as const;
const rules: ListRules<string> = {
  sorts: [],
  filters: Object.fromEntries([
    ...rulesOf(name, undefined),
    ...rulesOf(state, ['online', 'offline']),
    ...rulesOf(calls, undefined),
    ...rulesOf(seen, undefined),
  ]),
};
const read = (address: string) => readList(readAddress(address), rules).filters;

it('a field has the operators of its kind, and begins with a choice if it has values', () => {
  expect([name, state, calls, seen].map(operatorsOf)).toEqual([
    ['is', 'not', 'contains'],
    ['is', 'not'],
    ['range'],
    ['within', 'range', 'empty'],
  ]);
  expect([name, state, calls, seen].map(firstOperator)).toEqual(['contains', 'is', 'range', 'within']);
  expect(firstOperator({ ...name, options: [{ value: 'X7A' }] })).toBe('is');
});

it('an address is read by field and operator, and unknown parts are ignored', () => {
  expect(
    read(
      '?state.not=offline&state.not=asleep&name.contains=desk&name.regex=x&calls.from=2&calls.to=many' +
        '&seenAt.within=24h&seenAt.within=9y&seenAt.from=tomorrow&seenAt.empty=perhaps',
    ),
  ).toEqual({ 'state.not': ['offline'], 'name.contains': ['desk'], 'calls.from': ['2'], 'seenAt.within': ['24h'] });
});

it('two operators on a field are two filters, a range with two ends is one', () => {
  const filters = read('?name=a&name.contains=b&calls.from=1&calls.to=5');
  expect([asked(name, filters), asked(calls, filters), asked(state, filters)]).toEqual([
    ['is', 'contains'],
    ['range'],
    [],
  ]);
  expect([valuesOf('name', 'contains', filters), valuesOf('calls', 'range', filters)]).toEqual([['b'], ['1', '5']]);
  expect(valuesOf('calls', 'range', read('?calls.to=5'))).toEqual(['', '5']);
});

it('values are added and removed without affecting others', () => {
  const filters = read('?name=a&calls.from=1&calls.to=5');
  expect(withValues(filters, 'calls', 'range', ['', '7'])).toEqual({ name: ['a'], 'calls.to': ['7'] });
  expect(withValues(filters, 'name', 'is', [])).toEqual({ 'calls.from': ['1'], 'calls.to': ['5'] });
  expect(withValues(filters, 'seenAt', 'empty', ['true'])).toMatchObject({ 'seenAt.empty': ['true'] });
});

it('a call gets one end, span or emptiness, and all values of the rest', () => {
  expect(filterOf({ search: '', filters: read('?name=a&seenAt.within=7d&seenAt.empty=false&calls.from=1') })).toEqual({
    name: ['a'],
    'seenAt.within': '7d',
    'seenAt.empty': 'false',
    'calls.from': '1',
  });
});

it('an old link is converted to the current parameters', () => {
  expect(inNewWords({ kind: 'boot', within: 'week' }, formerSpans)).toMatchObject({ 'at.within': '7d' });
  expect(inNewWords({ within: ['day'] }, formerSpans)).toMatchObject({ 'at.within': '24h' });
  expect(inNewWords({ within: 'ever' }, formerSpans)).toEqual({ within: 'ever' });
});
