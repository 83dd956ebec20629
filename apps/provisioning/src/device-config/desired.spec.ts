import { expect, it } from 'vitest';
import { phoneKeyLayout } from '@carillon/contracts';
import { desiredKeys, linkText, type DesiredLine } from './desired.ts';

const line: DesiredLine = {
  line: 2,
  label: 'Hall',
  display: 'Ann',
  user: '201',
  auth: '',
  password: 'wallaby = 93',
  server: 'pbx.example',
  port: 5060,
  transport: 'udp',
  domain: '',
  proxy: { address: '10.0.0.7', port: 5080 },
  backup: null,
  voicemail: '*97',
};

it('a configuration is one line for each value, settings in the order of the catalogue, then accounts', () => {
  const values = { 'network.lldp': false, 'phone.language': 'de', 'network.vlan': 7 };
  expect(linkText({ values, lines: [line], emptied: [3] })).toBe(
    [
      'phone.language = de',
      'network.vlan = 7',
      'network.lldp = 0',
      'account.2.enable = 1',
      'account.2.label = Hall',
      'account.2.display = Ann',
      'account.2.user = 201',
      'account.2.auth = 201',
      'account.2.password = wallaby = 93',
      'account.2.server = pbx.example',
      'account.2.port = 5060',
      'account.2.transport = udp',
      'account.2.domain = pbx.example',
      'account.2.proxy = 10.0.0.7:5080',
      'account.2.backup = ',
      'account.2.voicemail = *97',
      'account.3.enable = 0',
      '',
    ].join('\n'),
  );
  expect(linkText({ values: {}, lines: [], emptied: [] })).toBe('');
});

it('the keys of a phone are lines with place and number over the pages of its model', () => {
  const blf = { type: 'blf', line: 2, value: '202', label: 'Ann' } as const;
  const values = { 'key.side.2.1': blf, 'network.vlan': 7 } as const;
  const counted = (sideKeysPerPage: number) => {
    const layout = phoneKeyLayout({
      ...{ sipCount: 2, softDssKeys: 0, dssKeysPerPage: 0, dssKeyPages: 0, sideKeysPerPage, sideKeyPages: 3 },
      ...{ hiddenItems: [], secondScreen: false },
    });
    return linkText({ values, keys: desiredKeys(values, layout), lines: [], emptied: [] });
  };
  expect(counted(7)).toBe(
    [
      'network.vlan = 7',
      'key.side.2.1.type = blf',
      'key.side.2.1.line = 2',
      'key.side.2.1.value = 202',
      'key.side.2.1.label = Ann',
      'key.side.2.1.number = 8',
      '',
    ].join('\n'),
  );
  // The file of a maker that counts its keys is another one, so the content has to be another one.
  expect(counted(9)).toContain('key.side.2.1.number = 10');
});

it('no value adds a line to the text', () => {
  const count = (text: string) => text.split(/[\r\n\0\u2028\u2029]/).length;
  const plain = { values: { 'time.server': 'a' }, lines: [line], emptied: [] };
  for (const wicked of ['a\nnetwork.vlan = 7', 'a\r\nb = c', 'a\0b', 'a\u2028b = 1\u2029']) {
    const keys = desiredKeys(
      { 'key.side.1.1': { type: 'blf', line: 1, value: wicked, label: wicked } },
      phoneKeyLayout(null),
    );
    expect(count(linkText({ values: {}, keys, lines: [], emptied: [] }))).toBe(6);
    const lines = [{ ...line, label: wicked, display: wicked, password: wicked, voicemail: wicked, auth: wicked }];
    expect(count(linkText({ ...plain, values: { 'time.server': wicked }, lines }))).toBe(count(linkText(plain)));
  }
});
