import { describe, expect, it } from 'vitest';
import type { PhoneKeyArea, PhoneKeyType } from '@carillon/contracts';
import { desired, sampleKeys } from '../testing/vendor-sample.ts';
import type { DesiredKey } from '../device-config/desired.ts';
import { akuvox } from './akuvox.ts';
import { fanvil } from './fanvil.ts';
import { grandstream } from './grandstream.ts';
import { htek } from './htek.ts';
import { poly } from './poly.ts';
import { snom } from './snom.ts';
import { leftOutBy, renderFile, type Vendor } from './vendor.ts';
import { yealink } from './yealink.ts';

const key = (area: PhoneKeyArea, type: PhoneKeyType): DesiredKey =>
  sampleKeys.find((one) => one.area === area && one.type === type)!;
const rendered = (vendor: Vendor, ...keys: DesiredKey[]) => renderFile(vendor, desired({ keys }), 1);
const leftOut = (vendor: Vendor, area: PhoneKeyArea): PhoneKeyType[] => {
  const keys = sampleKeys.filter((one) => one.area === area);
  const names = leftOutBy(vendor, {}, keys);
  return keys.filter(({ position }) => names.includes(`key.${area}.1.${position}`)).map(({ type }) => type);
};

it('a Fanvil phone gets side keys, DSS keys by page, and soft keys', () => {
  const onPage = { ...key('dss', 'speedDial'), page: 2, position: 3, line: 4 };
  expect(rendered(fanvil, key('side', 'blf'), onPage, key('soft', 'dnd'))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<sysConf>
  <Version>2.0000000001</Version>
  <dsskey>
    <dssSide index="1">
      <Fkey index="4">
        <Title>Ann &amp; Bob</Title>
        <Type>1</Type>
        <Value>202@1/ba</Value>
      </Fkey>
    </dssSide>
    <dssSoft index="10">
      <Title></Title>
      <Type>3</Type>
      <Value>F_DND</Value>
    </dssSoft>
    <internal index="2">
      <Fkey index="3">
        <Title></Title>
        <Type>1</Type>
        <Value>201@4/f</Value>
      </Fkey>
    </internal>
  </dsskey>
</sysConf>
`);
  expect([...leftOut(fanvil, 'side'), ...leftOut(fanvil, 'dss'), ...leftOut(fanvil, 'soft')]).toEqual([]);
});

it('a Yealink phone gets line keys by number, and the keys of its expansion modules', () => {
  const soft = { ...key('soft', 'dnd'), number: 2 };
  expect(rendered(yealink, { ...key('side', 'blf'), number: 12 }, key('dss', 'callPark'), soft)).toBe(`#!version:1.0.0.1
expansion_module.1.key.5.label = %NULL%
expansion_module.1.key.5.line = 1
expansion_module.1.key.5.type = 10
expansion_module.1.key.5.value = 700
linekey.12.label = Ann & Bob
linekey.12.line = 1
linekey.12.type = 16
linekey.12.value = 202
programablekey.2.label = %NULL%
programablekey.2.line = 1
programablekey.2.type = 5
programablekey.2.value = %NULL%
`);
  expect(leftOut(yealink, 'side')).toEqual(['redial']);
});

it('a Grandstream phone gets its keys as P-values of the screen and of the buttons', () => {
  const seventh = { ...key('side', 'blf'), number: 7, line: 2 };
  const last = { ...key('dss', 'line'), number: 8 };
  expect(rendered(grandstream, { ...key('side', 'speedDial'), number: 2 }, seventh, key('dss', 'blf'), last))
    .toBe(`<?xml version="1.0" encoding="UTF-8"?>
<gs_provision version="1">
  <config version="1">
    <P310>0</P310>
    <P311>Ann &amp; Bob</P311>
    <P312>202</P312>
    <P326>BLF</P326>
    <P353>Line</P353>
    <P354>1</P354>
    <P355></P355>
    <P356></P356>
    <P1365>SpeedDial</P1365>
    <P1366>0</P1366>
    <P1467></P1467>
    <P1468>201</P1468>
    <P23800>BLF</P23800>
    <P23801>1</P23801>
    <P23802>Ann &amp; Bob</P23802>
    <P23803>202</P23803>
  </config>
</gs_provision>
`);
  expect(leftOut(grandstream, 'side')).toEqual(['url']);
  expect(leftOut(grandstream, 'soft')).toHaveLength(14);
});

it('a Snom phone gets its keys with their label beside them', () => {
  expect(rendered(snom, key('side', 'blf'), key('side', 'voicemail'))).toBe(`<?xml version="1.0" encoding="utf-8"?>
<settings>
  <phone-settings>
    <fkey idx="11" context="1" label="" perm="">keyevent F_VOICEMAIL_INFO</fkey>
    <fkey idx="3" context="1" label="Ann &amp; Bob" perm="">blf 202</fkey>
  </phone-settings>
</settings>
`);
  expect(leftOut(snom, 'side')).toEqual(['forward']);
});

it('a Poly phone gets categories of its line keys, and numbers to dial below the screen', () => {
  expect(rendered(poly, key('side', 'blf'), key('side', 'line'), key('soft', 'speedDial')))
    .toBe(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<polycomConfig
  attendant.resourceList.4.address="202"
  attendant.resourceList.4.label="Ann &amp; Bob"
  attendant.resourceList.4.type="normal"
  feature.enhancedFeatureKeys.enabled="1"
  lineKey.2.category="Line"
  lineKey.2.index="2"
  lineKey.4.category="BLF"
  lineKey.4.index="0"
  lineKey.reassignment.enabled="1"
  softkey.3.action="201$Tinvite$"
  softkey.3.enable="1"
  softkey.3.label="201"
  softkey.3.use.idle="1"
/>
`);
  expect(sampleKeys.filter((one) => one.area === 'side').length - leftOut(poly, 'side').length).toBe(3);
});

it('an Akuvox phone gets line keys and soft keys', () => {
  expect(rendered(akuvox, key('side', 'blf'), { ...key('soft', 'phonebook'), number: 3 })).toBe(`#!version:1.0.0.1
Config.Programable.LINEKEY4.Label = Ann & Bob
Config.Programable.LINEKEY4.Param1 = 202
Config.Programable.LINEKEY4.Param2 = 1
Config.Programable.LINEKEY4.Type = 16
Config.Programable.SOFTKEY03.Label = 
Config.Programable.SOFTKEY03.Param1 = 
Config.Programable.SOFTKEY03.Param2 = 1
Config.Programable.SOFTKEY03.Type = 5
`);
  expect(leftOut(akuvox, 'side')).toEqual([]);
  expect(leftOut(akuvox, 'dss')).toHaveLength(14);
});

it('an Htek phone gets its keys as P-values, the first ones under numbers of their own', () => {
  const later = { ...key('side', 'multicast'), number: 6 };
  expect(rendered(htek, key('side', 'blf'), later)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<hl_provision version="1">
  <config version="1">
    <P20205>47</P20205>
    <P20206>224.0.1.9:5004</P20206>
    <P20207></P20207>
    <P20208>0</P20208>
    <P41203>3</P41203>
    <P41303>202</P41303>
    <P41403>Ann &amp; Bob</P41403>
    <P41503>0</P41503>
  </config>
</hl_provision>
`);
  expect(leftOut(htek, 'side')).toEqual([]);
});

describe('a key beyond the last one of a syntax', () => {
  it.each([
    [yealink, { area: 'soft', number: 5 }],
    [yealink, { area: 'dss', page: 7 }],
    [grandstream, { area: 'side', number: 49 }],
    [grandstream, { area: 'dss', number: 9 }],
    [htek, { area: 'side', number: 37 }],
    [akuvox, { area: 'soft', number: 5 }],
    [poly, { area: 'soft', number: 11 }],
  ] as const)('is left out and named: %#', (vendor, place) => {
    const one = { ...key('side', 'speedDial'), ...place };
    expect(leftOutBy(vendor, {}, [one])).toEqual([`key.${one.area}.${one.page}.${one.position}`]);
  });
});
