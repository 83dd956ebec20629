import { expect, test } from 'vitest';
import { configState } from './config-state.ts';

const state = (configVersion: string | null) => configState({ configVersion }, { version: 't0123456789a' });

test('a device is up to date only when it reports the wanted version itself', () => {
  expect(state('t0123456789a')).toBe('current');
  expect([state(null), state('t0123456789b')]).toEqual(['waiting', 'waiting']);
  expect([state('01920000f003.3'), state('7'), state('t1')]).toEqual(['other', 'other', 'other']);
});
