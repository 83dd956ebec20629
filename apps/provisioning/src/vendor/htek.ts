import type { SettingValue } from '@carillon/contracts';
import type { DesiredLine } from '../device-config/desired.ts';
import { agentMac } from './agent.ts';
import type { EventUrls } from './event-urls.ts';
import type { FileSetting } from './file-setting.ts';
import { htekKey } from './htek-key.ts';
import { allNamed, unnamed, withoutNameIn, type Named, type SettingNames } from './names.ts';
import { placeOf, registrarOf } from './registrar.ts';
import { askAgainMinutes, type Vendor } from './vendor.ts';
import { xmlText } from './xml-text.ts';

/** Numbers of the languages that the phones have. */
const languages: Readonly<Record<string, number>> = { en: 0, fr: 1, de: 2, es: 3, pt: 4, it: 6, zh: 9 };
const ringtones = 5;

const names: SettingNames = {
  'phone.language': (value) => {
    const language = languages[String(value)];
    return language === undefined ? unnamed : { P8621: language };
  },
  'phone.adminPassword': (value) => ({ P2: value }),
  'phone.ringtone': (value) => (Number(value) <= ringtones ? { P8721: value } : unnamed),
  'time.server': (value) => ({ P30: value }),
  'time.format': (value) => ({ P8624: value === '24' ? 0 : 1 }),
  'network.vlan': (value) => ({ P24053: value === 0 ? 0 : 1, P51: value }),
  'network.lldp': (value) => ({ P5438: Number(value) }),
};

/**
 * P-values of the accounts, and of where each one registers. Newer firmware has these as profiles, which any account
 * may use: each account is given the profile of its own number.
 */
const accounts = [
  {
    ...{ enable: 271, profile: 24_082, label: 20_000, user: 35, auth: 36, password: 34, display: 3, voicemail: 33 },
    ...{ server: 47, secondServer: 967, proxy: 48, secondProxy: 20_047, transport: 130 },
  },
  {
    ...{ enable: 401, profile: 24_083, label: 20_001, user: 735, auth: 736, password: 734, display: 703 },
    ...{ voicemail: 426, server: 747, secondServer: 987, proxy: 748, secondProxy: 20_048, transport: 830 },
  },
  {
    ...{ enable: 501, profile: 24_084, label: 20_002, user: 504, auth: 505, password: 506, display: 507 },
    ...{ voicemail: 526, server: 502, secondServer: 988, proxy: 503, secondProxy: 20_049, transport: 930 },
  },
  {
    ...{ enable: 601, profile: 24_085, label: 20_003, user: 604, auth: 605, password: 606, display: 607 },
    ...{ voicemail: 626, server: 602, secondServer: 989, proxy: 603, secondProxy: 20_050, transport: 1_030 },
  },
] as const;
type Meaning = keyof (typeof accounts)[number];

const transports = { udp: 0, tcp: 1, tls: 2 } as const;

/** P-values of a line with its account. An absent server or proxy is written empty, so that a former one goes. */
function ofLine(desired: DesiredLine): Named {
  const { line, label, display, user, auth, password, transport, voicemail } = desired;
  const account = accounts[line - 1];
  if (account === undefined) return unnamed;
  const { servers, proxies } = registrarOf(desired);
  const named: Record<Meaning, SettingValue> = {
    enable: 1,
    profile: line - 1,
    label,
    user,
    auth: auth === '' ? user : auth,
    password,
    display,
    voicemail,
    server: placeOf(servers[0]),
    secondServer: placeOf(servers[1]),
    proxy: placeOf(proxies[0]),
    secondProxy: placeOf(proxies[1]),
    transport: transports[transport],
  };
  return Object.fromEntries((Object.keys(named) as Meaning[]).map((key) => [`P${account[key]}`, named[key]]));
}
const ofEmptied = (line: number): Named => {
  const account = accounts[line - 1];
  return account === undefined ? unnamed : { [`P${account.enable}`]: 0 };
};

/** The names of the variables in a URL are not published. */
const events: EventUrls = {
  settings: {
    boot: 'P3701',
    registered: 'P3702',
    unregistered: 'P3703',
    failed: 'P3704',
    'dnd-on': 'P3711',
    'dnd-off': 'P3712',
  },
  variables: {},
};

/** The folder of the firmware: the phones know the name of their image. `P238` makes them look for it each time. */
const firmware: FileSetting = {
  settings: ({ href }) => ({ P192: href.slice(0, href.lastIndexOf('/')), P238: 0 }),
};

const number = (name: string): number => Number(name.slice(1));

/** Htek's XML of P-values. Some have another meaning than those of Grandstream. */
export const htek: Vendor = {
  name: 'Htek',
  maker: 'htek',
  series: ['Htek UC'],
  prefixes: ['001fc1'],
  agent: new RegExp(`^Htek \\w+ (?<firmware>[\\d.]+) ${agentMac}`, 'i'),
  fileOf: (mac) => `cfg${mac}.xml`,
  contentType: 'text/xml; charset=utf-8',
  mostLines: accounts.length,
  events,
  notify: { fetch: 'resync', restart: 'check-sync;reboot=true' },
  loads: { firmware },
  settingsOf: (desired) => allNamed(desired, names, htekKey, ofLine, ofEmptied),
  addressOf: ({ protocol, href }) => ({
    P212: protocol === 'https:' ? 3 : 1,
    P237: href.slice(0, -1),
    P194: 1,
    P193: askAgainMinutes,
  }),
  write(settings) {
    const lines = Object.keys(settings)
      .sort((a, b) => number(a) - number(b))
      .map((name) => `    <${name}>${xmlText(String(settings[name]))}</${name}>\n`);
    return (
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      `<hl_provision version="1">\n  <config version="1">\n${lines.join('')}  </config>\n</hl_provision>\n`
    );
  },
  ofKey: htekKey,
  withoutName: withoutNameIn(names),
};
