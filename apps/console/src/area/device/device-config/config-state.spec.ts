import { expect, test } from 'vitest';
import { configState } from './config-state.ts';

const state = (
  configVersion: string | null,
  version: string | null = 't0123456789a',
  configDriftedAt: string | null = null,
) => configState({ configVersion, configDriftedAt }, { version });

test('a device is up to date only when it reports the wanted version itself', () => {
  expect(state('t0123456789a')).toBe('current');
  expect([state(null), state('t0123456789b')]).toEqual(['waiting', 'waiting']);
  expect([state(null, null), state('t0123456789a', null)]).toEqual(['unmade', 'unmade']);
  expect(['t1', null, 't0123456789a'].map((reported) => state(reported, undefined, '2031-05-01T00:00:00Z'))).toEqual([
    'drifted',
    'drifted',
    'current',
  ]);
  expect([state('01920000f003.3'), state('7'), state('t1')]).toEqual(['other', 'other', 'other']);
});
