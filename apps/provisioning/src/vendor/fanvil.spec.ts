import { expect, it } from 'vitest';
import { fanvil } from './fanvil.ts';
import { vendorOf } from './vendor.ts';

const values = {
  'phone.language': 'de',
  'phone.ringtone': 3,
  'screen.backlight': 60,
  'time.server': 'ntp.example',
  'network.vlan': 7,
};

it('a Fanvil phone gets its settings as XML, under the version that rises with each change', () => {
  expect(fanvil.render(values, 12)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
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

it('settings and values without a name in the syntax are named, and are not in the file', () => {
  expect(fanvil.withoutName({ ...values, 'phone.language': 'ko' })).toEqual(['phone.language', 'network.vlan']);
  expect(fanvil.render({ 'phone.language': 'ko', 'network.vlan': 7 }, 1)).not.toMatch(/ko|7/);
});

it('no value adds an element to the file', () => {
  for (const wicked of ['</SNTPServer><EnableReg>0</EnableReg>', '"\'>&\u0000\r\n<x>', ']]>', '<!--', '&lt;x&gt;']) {
    const tags = (text: string) => text.match(/<[^>]*>/g);
    expect(tags(fanvil.render({ 'time.server': wicked }, 1))).toEqual(tags(fanvil.render({ 'time.server': 'a' }, 1)));
  }
});

it('a device has the maker of its model; one of an unknown model that of its MAC', () => {
  const nameOf = (model: string, mac: string) => vendorOf({ model, mac })?.name;
  expect([nameOf('X4U', '0c383e557eb1'), nameOf('Q9', '00a859557eb1')]).toEqual(['Fanvil', 'Fanvil']);
  expect([nameOf('SIP-T46U', '0c383e557eb1'), nameOf('Q9', '805ec0000001')]).toEqual([undefined, undefined]);
});
