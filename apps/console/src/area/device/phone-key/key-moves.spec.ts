import { expect, test } from 'vitest';
import { phoneKeyLayout, type PhoneKey } from '@carillon/contracts/settings';
import { nearest, onOtherPage, swapped, swappedNames, unplaced } from './key-moves.ts';

const key = (label: string): PhoneKey => ({ type: 'dnd', line: 1, value: '', label });
const layout = phoneKeyLayout({
  ...{ sipCount: 2, softDssKeys: 0, dssKeysPerPage: 0, dssKeyPages: 0, sideKeysPerPage: 4, sideKeyPages: 2 },
  ...{ hiddenItems: [], secondScreen: false },
});

test('a key changes places with another one, or leaves its place empty', () => {
  const keys = { 'key.side.1.1': key('a'), 'key.side.1.2': key('b') };
  expect(swapped(keys, 'key.side.1.1', 'key.side.1.2')).toEqual({ 'key.side.1.1': key('b'), 'key.side.1.2': key('a') });
  expect(swapped(keys, 'key.side.1.1', 'key.dss.1.4')).toEqual({ 'key.dss.1.4': key('a'), 'key.side.1.2': key('b') });
  // The lock of a key goes with it.
  expect(swappedNames(['key.side.1.1', 'network.vlan'], 'key.side.1.1', 'key.side.1.2')).toEqual([
    'key.side.1.2',
    'network.vlan',
  ]);
});

test('keys on a page, a position or a line that the model does not have are named', () => {
  const third = { ...key('c'), type: 'line', line: 3 } as const;
  const keys = { 'key.side.2.4': key('a'), 'key.side.3.1': key('b'), 'key.side.1.5': key('d'), 'key.side.1.1': third };
  expect(unplaced(keys, layout)).toEqual(['key.side.1.1', 'key.side.1.5', 'key.side.3.1']);
  expect(onOtherPage('key.side.1.4', 1, layout)).toBe('key.side.2.4');
  expect([onOtherPage('key.side.2.4', 1, layout), onOtherPage('key.side.1.4', -1, layout)]).toEqual([
    undefined,
    undefined,
  ]);
});

test('an arrow finds the nearest key in its direction, straight ahead first', () => {
  const at = (name: string, left: number, top: number) => ({ name, left, top, width: 80, height: 30 });
  const keys = [at('left', 0, 0), at('below', 0, 40), at('right', 200, 0), at('last', 200, 40)];
  const to = (from: number, arrow: 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown') =>
    nearest(keys[from]!, keys, arrow)?.name;
  expect([to(0, 'ArrowDown'), to(0, 'ArrowRight'), to(3, 'ArrowUp'), to(3, 'ArrowLeft')]).toEqual([
    ...['below', 'right', 'right', 'below'],
  ]);
  expect([to(0, 'ArrowUp'), to(0, 'ArrowLeft')]).toEqual([undefined, undefined]);
});
