import type { SettingValues } from '@carillon/contracts';
import type { Desired, DesiredLine } from '../device-config/desired.ts';

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

export const desired = (more: Partial<Desired>): Desired => ({ values: {}, lines: [], emptied: [], ...more });
