import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { settingKeys, settings, type SettingDefinition } from '@carillon/contracts/settings';
import { startTexts } from '../../../kit/text/translate.ts';
import { allTexts } from '../../../texts.ts';
import { groupsOf, settingName, valueWords } from './setting-words.ts';

beforeAll(() => {
  // Numbers are written in the language that the browser stores.
  vi.stubGlobal('localStorage', { getItem: () => '"en_US"' });
  startTexts('en', allTexts('en_US'));
});
afterAll(() => vi.unstubAllGlobals());

test('values are shown in words with their unit, and those of unknown settings as they are', () => {
  expect(valueWords('screen.backlight', 1_200)).toBe('1,200 seconds');
  expect(valueWords('screen.backlight', 1)).toBe('1 second');
  expect([valueWords('network.vlan', 0), valueWords('network.vlan', 1_200)]).toEqual(['None', '1200']);
  expect([valueWords('network.lldp', true), valueWords('network.lldp', false)]).toEqual(['On', 'Off']);
  expect([valueWords('time.format', '12'), valueWords('phone.language', 'pt')]).toEqual(['12 hours', 'Portuguese']);
  // A host can have the name of a text.
  expect(valueWords('time.server', 'text')).toBe('text');
  expect([settingName('phone.volume'), valueWords('phone.volume', 3)]).toEqual(['phone.volume', '3']);
});

test('every choice has a word of its own', () => {
  for (const key of settingKeys) {
    const definition: SettingDefinition = settings[key];
    if (definition.kind !== 'choice') continue;
    const words = definition.values.map((value) => valueWords(key, value));
    expect(words.filter((word, i) => definition.values[i] === word)).toEqual([]);
  }
});

test('settings are grouped in the order of the catalogue, with unknown ones at the end', () => {
  expect(groupsOf(['fax.tone', 'network.lldp', 'time.format', 'phone.ringtone', 'time.server'])).toEqual([
    ['phone', ['phone.ringtone']],
    ['time', ['time.server', 'time.format']],
    ['network', ['network.lldp']],
    [undefined, ['fax.tone']],
  ]);
});
