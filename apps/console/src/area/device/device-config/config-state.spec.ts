import { expect, test } from 'vitest';
import { configState } from './config-state.ts';

const state = (configVersion: string | null, loadedVersion: string | null) =>
  configState({ configVersion }, { version: 'new', loadedVersion });

test('a device is up to date only when it reports the wanted version itself', () => {
  expect([state('new', null), state('new', 'old')]).toEqual(['current', 'current']);
  expect([state(null, null), state(null, 'old'), state('old', 'old')]).toEqual(['waiting', 'waiting', 'waiting']);
  expect([state('file.3', null), state('file.3', 'old'), state('file.3', 'new')]).toEqual(['other', 'other', 'other']);
});
