import { expect, it } from 'vitest';
import type { DesiredLine } from '../device-config/desired.ts';
import { fanvil } from './fanvil.ts';
import { vendorOf } from './vendor-of.ts';

const values = {
  'phone.language': 'de',
  'phone.ringtone': 3,
  'screen.backlight': 60,
  'time.server': 'ntp.example',
  'network.vlan': 7,
};

const line: DesiredLine = {
  line: 2,
  label: 'Hall',
  display: 'Ann & Bob',
  user: '201',
  auth: '',
  password: 'wallaby<93',
  server: 'pbx.example',
  port: 5061,
  transport: 'tls',
  domain: '',
  proxy: null,
  backup: { address: '10.0.0.7', port: null },
  voicemail: '*97',
};
const settings = (of: object) => ({ values: of, lines: [], emptied: [] });

it('a Fanvil phone gets its settings as XML, under the version that rises with each change', () => {
  expect(fanvil.render(settings(values), 12)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<sysConf>
  <Version>2.0000000012</Version>
  <phone>
    <date>
      <EnableSNTP>1</EnableSNTP>
      <SNTPServer>ntp.example</SNTPServer>
    </date>
    <display>
      <BacklightOffTime>60</BacklightOffTime>
      <DefaultLanguage>de</DefaultLanguage>
    </display>
    <volume>
      <RingType>Type 3</RingType>
    </volume>
  </phone>
</sysConf>
`);
});

it('a Fanvil phone gets the accounts of its lines, and a line that lost its account is off', () => {
  expect(fanvil.render({ values: {}, lines: [line], emptied: [3] }, 1)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<sysConf>
  <Version>2.0000000001</Version>
  <sip>
    <line index="2">
      <BackupAddr>10.0.0.7</BackupAddr>
      <DisplayName>Ann &amp; Bob</DisplayName>
      <EnableReg>1</EnableReg>
      <MWINum>*97</MWINum>
      <PhoneNumber>201</PhoneNumber>
      <ProxyAddr></ProxyAddr>
      <ProxyPort>5060</ProxyPort>
      <RegisterAddr>pbx.example</RegisterAddr>
      <RegisterPort>5061</RegisterPort>
      <RegisterPswd>wallaby&lt;93</RegisterPswd>
      <RegisterUser>201</RegisterUser>
      <Transport>3</Transport>
    </line>
    <line index="3">
      <EnableReg>0</EnableReg>
    </line>
  </sip>
</sysConf>
`);
});

it('settings and values without a name in the syntax are named, and are not in the file', () => {
  expect(fanvil.withoutName({ ...values, 'phone.language': 'ko' })).toEqual(['phone.language', 'network.vlan']);
  expect(fanvil.render(settings({ 'phone.language': 'ko', 'network.vlan': 7 }), 1)).not.toMatch(/ko|7/);
});

it('no value adds an element to the file', () => {
  for (const wicked of ['</SNTPServer><EnableReg>0</EnableReg>', '"\'>&\u0000\r\n<x>', ']]>', '<!--', '&lt;x&gt;']) {
    const tags = (text: string) => text.match(/<[^>]*>/g);
    const rendered = (text: string) => {
      const lines = [{ ...line, display: text, user: text, auth: text, password: text, server: text, voicemail: text }];
      return tags(fanvil.render({ values: { 'time.server': text }, lines, emptied: [] }, 1));
    };
    expect(rendered(wicked)).toEqual(rendered('a'));
  }
});

it('a device has the maker of its model; one of an unknown model that of its MAC', () => {
  const nameOf = (model: string, mac: string) => vendorOf({ model, mac })?.name;
  expect([nameOf('X4U', '0c383e557eb1'), nameOf('Q9', '00a859557eb1')]).toEqual(['Fanvil', 'Fanvil']);
  expect([nameOf('SIP-T46U', '0c383e557eb1'), nameOf('Q9', '805ec0000001')]).toEqual([undefined, undefined]);
});
