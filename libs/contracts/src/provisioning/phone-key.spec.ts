import { expect, test } from 'vitest';
import { settingValues } from './setting-values.ts';
import {
  fitsPhoneKey,
  hasPhoneKey,
  isPhoneKeyName,
  phoneKeyLayout,
  phoneKeyTypes,
  sharedKeyLayout,
  takesPhoneKey,
  type PhoneKeyFacts,
} from './phone-key.catalogue.ts';
import { isSameValue, templateKeys } from './setting.catalogue.ts';

const facts: PhoneKeyFacts = {
  sipCount: 2,
  softDssKeys: 3,
  dssKeysPerPage: 6,
  dssKeyPages: 5,
  sideKeysPerPage: 4,
  sideKeyPages: 1,
  hiddenItems: [],
  secondScreen: true,
};
const grids = (more: Partial<PhoneKeyFacts>) => {
  const { areas, secondScreen } = phoneKeyLayout({ ...facts, ...more });
  return [areas.side, areas.dss, areas.soft].map(({ perPage, pages }) => perPage * pages).concat(Number(secondScreen));
};

test('the counts of a model and its hidden items decide which keys its phones have [CFG-06/keys]', () => {
  expect(grids({})).toEqual([4, 30, 3, 1]);
  expect(grids({ sideKeyPages: 3, dssKeysPerPage: 0 })).toEqual([12, 0, 3, 1]);
  expect(grids({ hiddenItems: ['sideKeys'] })).toEqual([0, 30, 3, 1]);
  expect(grids({ hiddenItems: ['dssKeys'] })).toEqual([4, 0, 0, 1]);
  // The DSS keys of a second screen go with it; without one they are on the body.
  expect(grids({ hiddenItems: ['secondScreen'] })).toEqual([4, 0, 3, 0]);
  expect(grids({ hiddenItems: ['secondScreen'], secondScreen: false })).toEqual([4, 30, 3, 0]);
  expect(grids({ sideKeyPages: null })).toEqual([40, 30, 3, 1]);
  expect(hasPhoneKey(phoneKeyLayout(facts), { area: 'dss', page: 5, position: 6 })).toBe(true);
  expect(hasPhoneKey(phoneKeyLayout(facts), { area: 'dss', page: 5, position: 7 })).toBe(false);
});

test('a key can use the lines that a model has, and none where lines are hidden', () => {
  const place = { area: 'side', page: 1, position: 1 } as const;
  const takes = (more: Partial<PhoneKeyFacts>, type: 'line' | 'blf', line: number) =>
    takesPhoneKey(phoneKeyLayout({ ...facts, ...more }), place, { type, line, value: '', label: '' });
  expect([takes({}, 'line', 2), takes({}, 'line', 3), takes({}, 'blf', 3)]).toEqual([true, false, false]);
  const hiddenItems = ['lines'];
  expect([takes({ hiddenItems }, 'line', 1), takes({ hiddenItems }, 'blf', 1)]).toEqual([false, true]);
  expect(takes({ sipCount: null }, 'line', 100)).toBe(true);
});

test('a series has the keys of its largest model, and the general ones when a model is unknown', () => {
  const layouts = [phoneKeyLayout(facts), phoneKeyLayout({ ...facts, sideKeysPerPage: 9, dssKeyPages: 1 })];
  expect(sharedKeyLayout(layouts).areas).toMatchObject({ side: { perPage: 9 }, dss: { perPage: 6, pages: 5 } });
  expect(sharedKeyLayout([...layouts, phoneKeyLayout(null)]).areas.side).toMatchObject({ perPage: 10, isKnown: false });
});

test('a key takes the value that its function needs, and no other text', () => {
  const bad = { speedDial: 'a b', blf: '', callPark: '7/8', dtmf: '12x', forward: '$1', voicemail: '<1>', dnd: '1' };
  for (const [type, value] of Object.entries(bad)) expect(fitsPhoneKey(type as never, value), type).toBe(false);
  for (const value of ['223.0.0.1:5004', '224.0.0.1', '224.0.0.256:5004', '224.0.0.1:0', '224.0.0.1:65536'])
    expect(fitsPhoneKey('multicast', value), value).toBe(false);
  for (const value of ['ftp://a', 'javascript:1', 'http://a b', 'http://a/"', `http://${'a'.repeat(128)}`])
    expect(fitsPhoneKey('url', value), value).toBe(false);
  for (const value of ['http://a/\u0001', 'http://한.example', `http://${'a'.repeat(500_000)} `])
    expect(fitsPhoneKey('url', value), value.slice(0, 20)).toBe(false);
  const good = { speedDial: '*97', blf: 'ann@pbx.example', dtmf: 'A,1#', forward: '', url: 'https://a.example/x?y=1' };
  for (const [type, value] of Object.entries(good)) expect(fitsPhoneKey(type as never, value), type).toBe(true);
  expect(fitsPhoneKey('multicast', '239.255.255.255:65535')).toBe(true);
});

const refusal = (values: object) => settingValues.safeParse(values).error?.issues[0]?.message;

test('a template takes keys by area, page and position, at most 128, and refuses any other name', () => {
  const dnd = { type: 'dnd' };
  expect(settingValues.parse({ 'key.side.1.3': dnd })).toEqual({
    'key.side.1.3': { type: 'dnd', line: 1, value: '', label: '' },
  });
  for (const name of ['key.side.0.1', 'key.side.1', 'key.side.01.1', 'key.side.101.1', 'key.top.1.1', 'fax.tone'])
    expect([isPhoneKeyName(name), settingValues.safeParse({ [name]: dnd }).success], name).toEqual([false, false]);
  expect(refusal({ 'key.side.1.1': { type: 'fax' } })).toBe('configTemplate.keyType');
  expect(refusal({ 'key.side.1.1': { type: 'blf' } })).toBe('configTemplate.keyValue');
  expect(refusal({ 'key.side.1.1': { type: 'dnd', label: 'a\nb' } })).toBe('common.fieldValue');
  expect(refusal({ 'key.side.1.1': { type: 'dnd', icon: 1 } })).toBeDefined();
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`key.dss.${1 + Math.floor(n / 100)}.${1 + (n % 100)}`, dnd]),
    );
  expect([refusal(many(96)), refusal(many(97))]).toEqual([undefined, 'configTemplate.keysMany']);
  expect(refusal({})).toBe('configTemplate.empty');
});

test('keys follow the settings, by area, page and position, and are compared by what they do', () => {
  const key = { type: 'dnd', line: 1, value: '', label: '' } as const;
  const values = { 'key.dss.1.1': key, 'key.side.1.10': key, 'key.side.1.9': key, 'network.vlan': 1 };
  expect(templateKeys(values)).toEqual(['network.vlan', 'key.side.1.9', 'key.side.1.10', 'key.dss.1.1']);
  // The database returns the properties of an object in an order of its own.
  expect(isSameValue(key, { label: '', line: 1, type: 'dnd', value: '' })).toBe(true);
  for (const type of phoneKeyTypes) expect(isSameValue(key, { ...key, type })).toBe(type === 'dnd');
});
