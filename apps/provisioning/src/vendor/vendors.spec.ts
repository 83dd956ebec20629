import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  makers,
  rawSettingExamples,
  rawSettingName,
  settingPassword,
  unsentPassword,
  type Maker,
  type SettingValues,
} from '@carillon/contracts';
import { suppliedModels } from '@carillon/contracts/models';
import { isPhoneOf, macInAgent } from './agent.ts';
import { fanvil } from './fanvil.ts';
import { isFileName } from './file-name.ts';
import { linkText } from '../device-config/desired.ts';
import { desired, sampleKeys, sampleLine, sampleValues } from '../testing/vendor-sample.ts';
import { isOwnName } from './own-names.ts';
import { renderFile, type Vendor } from './vendor.ts';
import { vendorOf, vendors } from './vendor-of.ts';

/** Names of the settings in a file, as its syntax separates them: tags and attributes, or the beginnings of lines. */
const settingsIn = (text: string): readonly string[] =>
  text.startsWith('<?xml')
    ? (text.match(/<[^>]*>|<!--/g) ?? []).flatMap((tag) => tag.split(/"[^"]*"/))
    : text
        .split(/\r\n|[\n\r\0\v\f\u0085\u2028\u2029]/)
        .map((line) => (line.startsWith('#') ? line : line.split('=')[0]!));

const wicked = fc.array(
  fc.constantFrom(
    ...['\n', '\r\n', '\r', '\0', '\u2028', '\u0085', '"', "'", '=', ' = ', '#', '//', ';', '&', '%NULL%', ':'],
    ...['<', '>', '/>', '</P34><P2>', '<!--', '-->', ']]>', '<![CDATA[', '&lt;', '\ud800', 'account.1.enable = 0', 'a'],
  ),
  { minLength: 1, maxLength: 12 },
);

describe.each(vendors.map((vendor) => [vendor.name, vendor] as [string, Vendor]))('%s', (_, vendor) => {
  it('no value adds a setting to the file of a phone', () => {
    const rendered = (text: string) => {
      const host = { address: text, port: 5060 };
      const names = { label: text, display: text, user: text, auth: text, password: text, voicemail: text };
      const line = { ...sampleLine, ...names, server: text, domain: text, proxy: host, backup: host };
      return settingsIn(
        renderFile(
          vendor,
          desired({
            values: {
              ...sampleValues,
              'time.server': text,
              [rawSettingName({ maker: vendor.maker, name: rawSettingExamples[vendor.maker] })]: text,
            },
            // A label is free text, and a value that the contract refuses must do no harm either.
            keys: sampleKeys.map((key) => ({ ...key, value: key.value === '' ? '' : text, label: text })),
            lines: [line, { ...line, line: 3, domain: '' }],
            emptied: [4],
          }),
          1,
        ),
      );
    };
    const plain = rendered('a');
    expect(plain.length).toBeGreaterThan(20);
    fc.assert(
      fc.property(wicked, (parts) => {
        expect(rendered(parts.join(''))).toEqual(plain);
      }),
    );
  });

  it('a raw setting stands in the files of its maker alone, and never over what Carillon sets', () => {
    const raw = (maker: Maker, name: string) => rawSettingName({ maker, name });
    const name = rawSettingExamples[vendor.maker];
    const own = Object.keys(vendor.settingsOf(desired({ lines: [sampleLine] })))[0]!.replace(/ \w+="(\d+)"/, '[$1]');
    const plain = renderFile(vendor, desired({ lines: [sampleLine] }), 1);
    const file = (values: SettingValues) => renderFile(vendor, desired({ values, lines: [sampleLine] }), 1);
    expect(file({ [raw(vendor.maker, name)]: 'zz9' })).toContain('zz9');
    expect(file({ [raw(vendor.maker, own)]: 'zz9' })).toBe(plain);
    const other = makers.find((maker) => maker !== vendor.maker)!;
    expect(file({ [raw(other, rawSettingExamples[other])]: 'zz9' })).toBe(plain);
    expect([isOwnName({ maker: vendor.maker, name: own }), isOwnName({ maker: vendor.maker, name })]).toEqual([
      true,
      false,
    ]);
    for (const address of Object.keys(vendor.addressOf(new URL('https://a.example/p/t/'))))
      expect(isOwnName({ maker: vendor.maker, name: address }), address).toBe(true);
  });

  it.each([
    ['yealink', 'static.firmware.url'],
    ['yealink', 'ringtone.url'],
    ['fanvil', 'sip/line[1]/RegisterAddr/x'],
    ['fanvil', 'ap/FlashServerIP/x'],
    ['fanvil', 'sip/line'],
    ['fanvil', 'Version/x'],
    ['snom', 'user_host'],
  ] as const)('a raw setting of %s cannot be %s, which Carillon writes', (maker, name) => {
    expect(isOwnName({ maker, name })).toBe(true);
  });

  it('equal configurations make equal files in any order of their settings', () => {
    const values = Object.fromEntries(Object.entries(sampleValues).toReversed());
    const both = [desired({ values: sampleValues }), desired({ values })];
    expect(new Set(both.map((one) => renderFile(vendor, one, 1))).size).toBe(1);
  });
});

it.each([
  ['Fanvil', '<Password>', 'No-Admin.93<'],
  ['Yealink', 'static.security.user_password = admin:No-Admin.93'],
  ['Grandstream', '<P2>No-Admin.93</P2>'],
  ['Htek', '<P2>No-Admin.93</P2>'],
  ['Snom', '<admin_mode_password perm="">No-Admin.93<', '<webserver_admin_password perm="">No-Admin.93<'],
  ['Poly', 'device.auth.localAdminPassword="No-Admin.93"', 'device.auth.localAdminPassword.set="1"'],
])('a phone of %s gets the administrator’s password, and never the id in its place', (name, ...parts) => {
  const vendor = vendors.find((one) => one.name === name)!;
  const values = { 'phone.adminPassword': unsentPassword };
  const file = renderFile(vendor, desired({ values, passwords: { 'phone.adminPassword': 'No-Admin.93' } }), 1);
  for (const part of parts) expect(file).toContain(part);
  expect(file + renderFile(vendor, desired({ values }), 1)).not.toContain(unsentPassword);
});

it('every password that a template takes is in each file as it was entered, and changes nothing else', () => {
  const files = (text: string) => {
    const all = desired({ values: sampleValues, passwords: { 'phone.adminPassword': text }, lines: [sampleLine] });
    return [...vendors.map((vendor) => renderFile(vendor, all, 1)), linkText(all)];
  };
  const plain = files('0PassWord0');
  fc.assert(
    fc.property(fc.stringMatching(settingPassword), (text) => {
      expect(files(text)).toEqual(plain.map((file) => file.replaceAll('0PassWord0', () => text)));
    }),
  );
});

it.each([
  ['Yealink', ['video.enable = 0', 'static.wifi.enable = 1'], ['door.opening']],
  ['Poly', ['video.enable="0"', 'device.wifi.enabled="1"'], ['door.opening']],
  ['Fanvil', ['<WIFIEnable>1<', '<Opening_Duration>9<'], ['phone.video']],
  ['Snom', [], ['phone.video', 'network.wifi', 'door.opening']],
])('the file of %s has video, Wi-Fi and doors as far as its syntax has names for them', (name, parts, left) => {
  const vendor = vendors.find((one) => one.name === name)!;
  const values = { 'phone.video': false, 'network.wifi': true, 'door.opening': 9 };
  const file = renderFile(vendor, desired({ values }), 1);
  for (const part of parts) expect(file).toContain(part);
  expect(vendor.withoutName(values)).toEqual(left);
});

it('a device has the maker of its model; one of an unknown model that of its MAC', () => {
  const nameOf = (model: string, mac: string, agent?: string) => vendorOf({ model, mac }, agent)?.name;
  expect(nameOf('X4U', '805ec0000001')).toBe('Fanvil');
  expect(nameOf('SIP-T46U', '0c383e557eb1')).toBe('Yealink');
  expect(nameOf('GRP2614', '0c383e557eb1')).toBe('Grandstream');
  expect(nameOf('Q9', '00a859557eb1')).toBe('Fanvil');
  expect(nameOf('Q9', 'f01653000001')).toBe('Yealink');
  expect(nameOf('Q9', '000b82000001')).toBe('Grandstream');
  expect(nameOf('Q9', '000413000001')).toBe('Snom');
  expect(nameOf('Q9', '64167f000001')).toBe('Poly');
  expect(nameOf('Q9', '9c7514000001')).toBe('Akuvox');
  expect(nameOf('Q9', '001fc1000001')).toBe('Htek');
  expect(nameOf('Q9', '020000000001')).toBeUndefined();
});

it('every supplied model has the maker of its series, except doors with a syntax of their own', () => {
  for (const { name, series } of suppliedModels)
    expect(vendorOf({ model: name, mac: '000b82000001' })?.name, name).toBe(
      series === 'Grandstream GDS' ? undefined : series.split(' ')[0],
    );
});

it('a User-Agent tells the maker only where model and MAC do not, and only when it names the MAC', () => {
  const agent = 'Yealink SIP-T38G  38.70.0.125 00:15:65:2f:c3:5e';
  expect(vendorOf({ model: 'Q9', mac: '0015652fc35e' }, agent)?.name).toBe('Yealink');
  const mac = '020000000001';
  expect(vendorOf({ model: 'Q9', mac }, agent)).toBeUndefined();
  expect(vendorOf({ model: 'Q9', mac }, `Yealink Q9 1.2.3 ${mac}`)?.name).toBe('Yealink');
  expect(vendorOf({ model: 'X4U', mac }, `Yealink Q9 1.2.3 ${mac}`)?.name).toBe('Fanvil');
  expect(vendorOf({ model: 'Q9', mac: '000b82000001' }, 'Yealink Q9 1.2.3 000b82000001')?.name).toBe('Grandstream');
});

it.each([
  ['Fanvil X6U Pro 0.0.10 0c383e2cd782', 'Fanvil', '0c383e2cd782'],
  ['Fanvil X5U-V2 2.12.16.17 0c383e557eb1)', 'Fanvil', '0c383e557eb1'],
  ['Yealink SIP-T38G  38.70.0.125 00:15:65:2f:c3:5e', 'Yealink', '0015652fc35e'],
  ['yealink SIP-T56A  58.80.0.25 001565f429a4', 'Yealink', '001565f429a4'],
  ['Grandstream Model HW GXV3350  V1.3A SW 1.0.1.8 DevId c074ad150b88', 'Grandstream', 'c074ad150b88'],
  ['Grandstream Model HW GRP2601W SW 1.0.7.32 DevId EC:74:D7:89:1A:76', 'Grandstream', 'ec74d7891a76'],
  ['Akuvox SP-R50P 50.0.6.111 0C:11:05:00:00:01', 'Akuvox', '0c1105000001'],
  ['Htek UC926 2.0.4.2 00:1f:c1:00:00:00', 'Htek', '001fc1000000'],
  ['FileTransport PolyCCX-CCX_500-UA/9.4.1.0508 (SN:64167f9f4c90) Type/Application', 'Poly', '64167f9f4c90'],
  ['FileTransport PolycomSoundStationIP-SSIP_5000-UA/4.0.3.7562 (SN:0004f2e765da)', 'Poly', '0004f2e765da'],
  [
    'Mozilla/4.0 (compatible; snomD785-SIP 10.1.33.33 2010.12-00004-g9ba52f5 000413922D24 SXM:0 UXM:0)',
    'Snom',
    '000413922d24',
  ],
])('%j is the request of one maker’s phone', (agent, name, mac) => {
  expect(vendors.flatMap((vendor) => (macInAgent(vendor, agent) === mac ? [vendor.name] : []))).toEqual([name]);
  expect(vendors.filter((vendor) => isPhoneOf(vendor, agent, mac)).map((vendor) => vendor.name)).toEqual([name]);
  expect(vendors.filter((vendor) => isPhoneOf(vendor, agent, '020000000001'))).toEqual([]);
});

it.each([
  ['Mozilla/4.0 (compatible; snom320-SIP 6.5.20; snom320 jffs2 v3.36; snom320 linux 3.38)', 'Snom'],
  ['Mozilla/4.0 (compatible; snom710-SIP 8.7.3.19 1.1.5-IFX-05.01.12)', 'Snom'],
  ['FileTransport PolycomVVX-VVX_400-UA/4.1.4.7430 Type/Application', 'Poly'],
  ['Akuvox SP-R50P 50.0.6.111', 'Akuvox'],
])('%j names no MAC and is a phone of one maker, whose model is not known by it', (agent, name) => {
  const mac = '020000000001';
  expect(vendors.filter((vendor) => isPhoneOf(vendor, agent, mac)).map((vendor) => vendor.name)).toEqual([name]);
  expect(vendorOf({ model: 'Q9', mac }, agent)).toBeUndefined();
});

it.each(['', 'Mozilla/5.0 0c383e2cd782', 'curl/8 (Yealink SIP-T46U 108.86.0.90 805ec0000001)', 'Yealink SIP-T46U'])(
  '%j is the request of no phone',
  (agent) => {
    expect(vendors.filter((vendor) => isPhoneOf(vendor, agent, '0c383e2cd782'))).toEqual([]);
  },
);

it.each([
  ['805ec0000001.cfg', true],
  ['cfg805ec0000001.xml', true],
  ['805ec0000001.txt', true],
  ['000413922d24.xml', true],
  ['snomd785-000413922d24.htm', true],
  ['snomd785.htm', false],
  ['0004f2e765da-config.cfg', true],
  ['000000000000.cfg', true],
  ['000000000000-directory.xml', false],
  ['0004f2e765da-license.cfg', false],
  ['805ec0000001.boot', false],
  ['y000000000000.boot', false],
  ['y000000000108.cfg', false],
  ['cfg805ec0000001', false],
  ['cfggrp2614.xml', false],
  ['cfg.xml', false],
  ['cfg0010.xml', false],
  ['fanvil_x4u_hwv1_0.txt', false],
  ['../805ec0000001.cfg', false],
])('whether some device has a file with the name %s is %s without a query', (name, known) => {
  expect(isFileName(name)).toBe(known);
});

it('a raw Fanvil path through a setting that has a value leaves the file whole', () => {
  const values = {
    'raw.fanvil.phone/display/Extra': 'leaf',
    'raw.fanvil.phone/display/Extra/Deeper': 'below',
    'raw.fanvil.phone/display': 'above',
  };
  const text = renderFile(fanvil, desired({ values: { ...values, 'screen.backlight': 30 } }), 1);
  expect(text).toContain('<BacklightOffTime>30</BacklightOffTime>');
  expect(text).toContain('<Deeper>below</Deeper>');
  expect(text).not.toMatch(/above|leaf/);
});
