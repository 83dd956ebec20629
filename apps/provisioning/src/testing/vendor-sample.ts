import { phoneKeyAreas, phoneKeyTypes, type PhoneKey, type SettingValues } from '@carillon/contracts';
import type { Desired, DesiredKey, DesiredLine } from '../device-config/desired.ts';

/** Settings and lines for the golden files of the makers. */
export const sampleValues: SettingValues = {
  'phone.language': 'de',
  'phone.ringtone': 3,
  'screen.backlight': 60,
  'time.server': 'ntp.example',
  'time.format': '12',
  'network.vlan': 7,
  'network.lldp': false,
};

export const sampleLine: DesiredLine = {
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

const sampleKeyValues: Readonly<Partial<Record<PhoneKey['type'], string>>> = {
  speedDial: '201',
  blf: '202',
  callPark: '700',
  dtmf: '*5#',
  multicast: '224.0.1.9:5004',
  url: 'http://door.example/open?id=1&way=in',
  xml: 'http://pages.example/menu.xml',
};
/** A key of each type in each area, one after the other, with a label that needs care in XML. */
export const sampleKeys: readonly DesiredKey[] = phoneKeyAreas.flatMap((area) =>
  phoneKeyTypes.map((type, n) => ({
    ...{ area, page: 1, position: n + 1, number: n + 1, type, line: type === 'line' ? 2 : 1 },
    value: sampleKeyValues[type] ?? '',
    label: type === 'blf' ? 'Ann & Bob' : '',
  })),
);

export const desired = (more: Partial<Desired>): Desired => ({ values: {}, lines: [], emptied: [], ...more });
