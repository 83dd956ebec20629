import { expect, it } from 'vitest';
import { makers, type Starting } from './maker.ts';
import { models } from './model.ts';

const { Fanvil: fanvil, Yealink: yealink, Grandstream: grandstream, Snom: snom, Poly: poly, Akuvox: akuvox } = makers;
const mac = '805ec0000001';
const starting = (name: string): Starting => ({
  mac,
  model: models.find((model) => model.name === name)!,
  firmware: '1.2.3',
  ip: '10.0.0.9',
});
const xml = (inner: string) => `<?xml version="1.0"?>\n<sysConf>\n${inner}</sysConf>\n`;

it('a Fanvil phone applies a file by the path of its elements, and only one with a higher version', () => {
  const file = xml(
    '<Version>2.0000000003</Version><phone><date>\n<SNTPServer>a &amp; b</SNTPServer></date><Lang>de</Lang></phone>' +
      '<sip><line index="2"><ProxyAddr></ProxyAddr><EnableReg>1</EnableReg></line></sip>',
  );
  const kept = {
    version: '2.0000000003',
    values: {
      'phone/date/SNTPServer': 'a & b',
      'phone/Lang': 'de',
      'sip/line.2/ProxyAddr': '',
      'sip/line.2/EnableReg': '1',
    },
  };
  expect(fanvil.apply(file, undefined, mac)).toEqual(kept);
  expect(fanvil.apply(file, kept, mac)).toBeNull();
  expect(fanvil.apply(xml('<Version>2.0000000004</Version>'), kept, mac)?.values).toEqual({});
});

it('a Yealink phone adds the lines of a file to what it has, and %NULL% takes a value away', () => {
  const kept = { version: null, values: { 'lang.gui': 'German', 'account.1.label': 'Hall' } };
  const file = '#!version:1.0.0.1\nlang.gui = %NULL%\naccount.1.password = a = #b\n# x = 1\n';
  expect(yealink.apply(file, kept, mac)?.values).toEqual({ 'account.1.label': 'Hall', 'account.1.password': 'a = #b' });
});

it('a Grandstream phone adds the P-values of a file to what it has, also empty ones', () => {
  const file = (inner: string) => `<?xml version="1.0"?><gs_provision version="1">${inner}</gs_provision>`;
  const kept = { version: null, values: { P30: 'ntp', P48: 'proxy' } };
  const config = '<config version="1"><P48></P48><P3>A &lt; B</P3></config>';
  const values = { P30: 'ntp', P48: '', P3: 'A < B' };
  expect(grandstream.apply(file(config), kept, mac)?.values).toEqual(values);
  expect(grandstream.apply(file(`<mac>${mac}</mac>${config}`), kept, mac)?.values).toEqual(values);
  expect(grandstream.apply(file(`<mac>000b82000000</mac>${config}`), kept, mac)).toBeNull();
});

it('a Snom phone adds the elements of a file to what it has, by line', () => {
  const file =
    '<?xml version="1.0"?><settings><phone-settings><vlan_id perm=""></vlan_id>' +
    '<user_name idx="2" perm="">a &amp; b</user_name></phone-settings></settings>';
  const kept = { version: null, values: { vlan_id: '7', language: 'Deutsch' } };
  expect(snom.apply(file, kept, mac)?.values).toEqual({ vlan_id: '', language: 'Deutsch', 'user_name.2': 'a & b' });
});

it('a Poly phone has what its last file has, and of the device only what is marked', () => {
  const file = (attributes: string) => `<?xml version="1.0"?>\n<polycomConfig\n${attributes}/>\n`;
  const kept = { version: null, values: { 'lcl.ml.lang': 'German_Germany' } };
  const device = 'device.set="1" device.net.vlanId="7" device.net.vlanId.set="1" device.net.lldpEnabled="0"';
  expect(poly.apply(file(`reg.1.label="a &amp; b" ${device}`), kept, mac)?.values).toEqual({
    'reg.1.label': 'a & b',
    'device.net.vlanId': '7',
  });
  const master = '<?xml version="1.0"?><APPLICATION CONFIG_FILES="[PHONE_MAC_ADDRESS]-a.cfg, b.cfg"/>';
  expect(poly.apply(master, kept, mac)).toBeNull();
  expect(poly.listed!(master, mac)).toEqual([`${mac}-a.cfg`, 'b.cfg']);
});

it('an Akuvox phone adds the lines of a file to what it has, also empty ones', () => {
  const kept = { version: null, values: { 'Account1.SIP.Server2': 'b', 'Account1.GENERAL.Label': 'Hall' } };
  const file = '#!version:1.0.0.1\nConfig.Account1.SIP.Server2 = \nConfig.Account1.GENERAL.Pwd = a = #b\n# x\n';
  expect(akuvox.apply(file, kept, mac)?.values).toEqual({
    'Account1.SIP.Server2': '',
    'Account1.GENERAL.Label': 'Hall',
    'Account1.GENERAL.Pwd': 'a = #b',
  });
});

it.each([
  'time.server = a',
  '<html>Not found</html>',
  xml('<phone/>'),
  xml('<Version>2.1</Version><phone>'),
  '<?xml version="1.0"?>',
])('no phone applies anything of %j', (text) => {
  for (const maker of Object.values(makers)) expect(maker.apply(text, undefined, mac)).toBeNull();
});

it('phones ask for their files in the order and under the User-Agent of their maker', () => {
  const files = (name: string) => {
    const phone = starting(name);
    const maker = makers[phone.model.vendor];
    return [maker.agent(phone), ...maker.steps(phone).map(({ file }) => file)];
  };
  expect(files('X4U')).toEqual([`Fanvil X4U 1.2.3 ${mac}`, `${mac}.cfg`, 'fanvil_x4u_hwv1_0.txt']);
  const ofYealink = [`${mac}.boot`, 'y000000000000.boot', 'y000000000108.cfg', `${mac}.cfg`];
  expect(files('SIP-T46U')).toEqual(['Yealink SIP-T46U  1.2.3 80:5e:c0:00:00:01', ...ofYealink]);
  expect(files('SIP-T54W')[0]).toBe(`Yealink SIP-T54W  1.2.3 ${mac}`);
  expect(files('GRP2614')).toEqual([
    `Grandstream Model HW GRP2614 V1.1A SW 1.2.3 DevId ${mac}`,
    ...[`cfg${mac}`, `cfg${mac}.xml`, 'cfggrp2614.xml', 'cfg.xml'],
  ]);
  expect(files('D785')).toEqual([
    'Mozilla/4.0 (compatible; snomD785-SIP 1.2.3 2010.12-00004-g9ba52f5 805EC0000001 SXM:0 UXM:0)',
    ...['snomD785.htm', 'snomD785-805EC0000001.htm'],
  ]);
  const ofPoly = [`${mac}.cfg`, '000000000000.cfg', `${mac}-license.cfg`, `${mac}-directory.xml`];
  expect(files('VVX 450')).toEqual(['FileTransport PolycomVVX-VVX_450-UA/1.2.3 Type/Application', ...ofPoly]);
  expect(files('CCX 500')[0]).toBe('FileTransport PolyCCX-CCX_500-UA/1.2.3 Type/Application');
  expect(files('SP-R50P')).toEqual(['Akuvox SP-R50P 1.2.3', '805EC0000001.cfg']);
  const ofHtek = ['cfg0010.xml', `cfg${mac}`, `cfg${mac}.xml`];
  expect(files('UC926')).toEqual(['Htek UC926 1.2.3 80:5e:c0:00:00:01', ...ofHtek]);
});

it('a phone that has a configuration asks and names itself as that says', () => {
  const kept = (values: Record<string, string>) => ({ version: null, values });
  const server = 'http://p.example/f/{mac}.xml';
  expect(snom.steps(starting('D785'), kept({ setting_server: server }))).toEqual([{ file: '805EC0000001.xml' }]);
  expect(poly.agent(starting('VVX 450'), kept({ 'device.prov.tagSerialNo': '1' }))).toBe(
    `FileTransport PolycomVVX-VVX_450-UA/1.2.3 (SN:${mac}) Type/Application`,
  );
});

it('a phone asks again when its configuration says, and once a day without one', () => {
  const hour = 3_600_000;
  const now = new Date(2026, 10, 30, 3, 30);
  for (const [name, values, ms] of [
    ['Fanvil', { 'ap/FlashMode': '2', 'ap/FlashInterval': '1' }, hour],
    ['Yealink', { 'static.auto_provision.repeat.enable': '1', 'static.auto_provision.repeat.minutes': '60' }, hour],
    ['Grandstream', { P194: '1', P193: '60' }, hour],
    ['Snom', { settings_refresh_timer: '3600' }, hour],
    ['Poly', { 'prov.polling.enabled': '1', 'prov.polling.period': '3601' }, hour + 1_000],
    [
      'Akuvox',
      {
        'Autoprovision.MODE.Mode': '3',
        'Autoprovision.SCHEDULE.HourOfDay': '4',
        'Autoprovision.SCHEDULE.MinuteOfHour': '0',
      },
      hour / 2,
    ],
    ['Htek', { P194: '1', P193: '60' }, hour],
  ] as const) {
    expect(makers[name].nextAsk(values, now), name).toBeCloseTo(ms, 0);
    expect(makers[name].nextAsk({}, now), name).toBe(24 * hour);
  }
});
