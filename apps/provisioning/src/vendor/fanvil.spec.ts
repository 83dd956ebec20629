import { expect, it } from 'vitest';
import type { SettingValues } from '@carillon/contracts';
import { fanvil } from './fanvil.ts';
import { renderFile } from './vendor.ts';
import { sampleLine, desired } from '../testing/vendor-sample.ts';

const values = {
  'phone.language': 'de',
  'phone.ringtone': 3,
  'screen.backlight': 60,
  'time.server': 'ntp.example',
  'network.vlan': 7,
};

const settings = (values: SettingValues) => desired({ values });

it('a Fanvil phone gets its settings as XML, under the version that rises with each change', () => {
  expect(renderFile(fanvil, settings(values), 12)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
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
  expect(renderFile(fanvil, desired({ lines: [sampleLine], emptied: [3] }), 1))
    .toBe(`<?xml version="1.0" encoding="UTF-8"?>
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
  expect(renderFile(fanvil, settings({ 'phone.language': 'ko', 'network.vlan': 7 }), 1)).not.toMatch(/ko|7/);
});

it('a Fanvil phone asks in its folder from now on', () => {
  expect(renderFile(fanvil, desired({}), 1, 'https://p.example:8081/f/')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<sysConf>
  <Version>2.0000000001</Version>
  <ap>
    <FlashFileName>f/$mac.cfg</FlashFileName>
    <FlashInterval>1</FlashInterval>
    <FlashMode>2</FlashMode>
    <FlashProtocol>5</FlashProtocol>
    <FlashServerIP>https://p.example:8081</FlashServerIP>
  </ap>
</sysConf>
`);
});
