import { expect, test } from 'vitest';
import { settingValues } from './setting-values.ts';
import {
  fitsRawName,
  isSecretRawName,
  makers,
  rawSettingExamples,
  rawSettingName,
  rawSettingOf,
  templateKeys,
} from './setting.catalogue.ts';

const refusal = (values: object) => settingValues.safeParse(values).error?.issues[0]?.message;

test.each(makers)('the example of a name in the files of %s fits, and is found again in its key', (maker) => {
  const setting = { maker, name: rawSettingExamples[maker] };
  expect(rawSettingOf(rawSettingName(setting))).toEqual(setting);
  expect(refusal({ [rawSettingName(setting)]: '1' })).toBeUndefined();
  for (const name of [
    '',
    ' ',
    'a b',
    'a=b',
    'a\nb',
    '<a>',
    'a"',
    'P0',
    'a'.repeat(97),
    `${setting.name} `,
    '__proto__',
  ])
    expect([fitsRawName({ maker, name }), refusal({ [`raw.${maker}.${name}`]: '1' })], name).toEqual([
      false,
      'configTemplate.settingName',
    ]);
});

test('a name with an index fits where the maker has one', () => {
  expect(fitsRawName({ maker: 'snom', name: 'user_ringer[2]' })).toBe(true);
  expect(fitsRawName({ maker: 'fanvil', name: 'sip/line[1]/EnableDnd' })).toBe(true);
  expect(fitsRawName({ maker: 'fanvil', name: 'sip/line[1]><a/b' })).toBe(false);
  // Another spelling of an index would be another element.
  expect(fitsRawName({ maker: 'fanvil', name: 'sip/line[01]/EnableDnd' })).toBe(false);
  expect(fitsRawName({ maker: 'snom', name: 'user_ringer[02]' })).toBe(false);
  expect(fitsRawName({ maker: 'yealink', name: 'account.1.codec.1.enable' })).toBe(true);
  expect(fitsRawName({ maker: 'poly', name: 'voice.codecPref.G711_A' })).toBe(true);
});

test('passwords and keys are refused by their names', () => {
  for (const [maker, name] of [
    ['yealink', 'static.security.user_password'],
    ['grandstream', 'P2'],
    ['htek', 'P406'],
    ['fanvil', 'mm/WebUser/Passwd'],
    ['snom', 'admin_mode_password'],
    ['poly', 'device.auth.localAdminPassword'],
    ['akuvox', 'Settings.WEB_LOGIN.Password'],
    ['yealink', 'static.wifi.1.password'],
    ['yealink', 'static.network.802_1x.md5_password'],
    ['snom', 'wifi_psk'],
    ['snom', 'http_pass'],
    ['snom', 'user_pass[13]'],
    ['yealink', 'static.auto_provision.aes_key_16.com'],
    ['fanvil', 'ap/DefaultPin'],
    ['akuvox', 'Account1.GENERAL.UserPass'],
  ] as const) {
    expect(isSecretRawName({ maker, name }), name).toBe(true);
    expect(refusal({ [`raw.${maker}.${name}`]: 'a' }), name).toBe('configTemplate.rawSecret');
  }
  for (const name of ['features.pickup.group_pick_up_enable', 'features.bypass.enable', 'static.network.passthrough'])
    expect(isSecretRawName({ maker: 'yealink', name }), name).toBe(false);
});

test('a raw value is a line of text, and a template has at most 64, as many as an address takes', () => {
  const name = (n: number) => `raw.yealink.features.a${n}`;
  const many = (count: number, value = '1') =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), value]));
  expect(settingValues.parse({ [name(1)]: ' a; b ' })).toEqual({ [name(1)]: ' a; b ' });
  for (const value of ['a\nb', '\u0000', 'a'.repeat(257), 1, true, null, { type: 'dnd' }])
    expect(refusal({ [name(1)]: value })).toBe('configTemplate.rawValue');
  expect([refusal(many(64)), refusal(many(65))]).toEqual([undefined, 'configTemplate.rawMany']);
  expect([refusal(many(40, 'a'.repeat(256))), refusal(many(40, '가'.repeat(256)))]).toEqual([
    undefined,
    'configTemplate.rawMany',
  ]);
  expect(templateKeys({ [name(2)]: '1', [name(1)]: '1', 'network.vlan': 1 })).toEqual([
    'network.vlan',
    name(1),
    name(2),
  ]);
});
