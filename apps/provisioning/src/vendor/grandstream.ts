import type { SettingValue } from '@carillon/contracts';
import type { DesiredLine } from '../device-config/desired.ts';
import { agentMac } from './agent.ts';
import type { EventUrls } from './event-urls.ts';
import type { FileSetting } from './file-setting.ts';
import { grandstreamKey } from './grandstream-key.ts';
import { allNamed, unnamed, withoutNameIn, type Named, type SettingNames } from './names.ts';
import { placeOf, registrarOf } from './registrar.ts';
import { askAgainMinutes, type Vendor } from './vendor.ts';
import { xmlText } from './xml-text.ts';
import { ofZone, posixZone } from './zone-clock.ts';

/** Languages that the phones have, by their own code. */
const languages: ReadonlySet<SettingValue> = new Set(['en', 'de', 'es', 'fr', 'it', 'pt', 'zh', 'ko']);

const names: SettingNames = {
  'phone.language': (value) => (languages.has(value) ? { P1362: value } : unnamed),
  'phone.adminPassword': (value) => ({ P2: value }),
  'time.server': (value) => ({ P30: value }),
  'time.zone': ofZone((clock) => ({ P64: 'customize', P246: posixZone(clock) })),
  'time.format': (value) => ({ P122: value === '24' ? 1 : 0 }),
  'network.vlan': (value) => ({ P51: value }),
  'network.lldp': (value) => ({ P1684: Number(value) }),
};

/** What a P-value of an account means; the first account has numbers of its own. */
const firstAccount = {
  enable: 271,
  server: 47,
  proxy: 48,
  user: 35,
  auth: 36,
  password: 34,
  display: 3,
  label: 270,
  voicemail: 33,
  transport: 130,
  secondServer: 2_312,
  secondProxy: 2_333,
} as const;
type Meaning = keyof typeof firstAccount;
/** Distance of an account's P-values from its base. */
const distances: Readonly<Record<Meaning, number>> = {
  enable: 1,
  server: 2,
  proxy: 3,
  user: 4,
  auth: 5,
  password: 6,
  display: 7,
  label: 17,
  voicemail: 26,
  transport: 48,
  secondServer: 12,
  secondProxy: 33,
};
/** Bases of the accounts from the second one, and those of their second server and proxy. */
const bases = [
  [400, 2_400],
  [500, 2_500],
  [600, 2_600],
  [1_700, 2_700],
  [1_800, 2_800],
] as const;
const mostLines = 1 + bases.length;

function pValue(line: number, meaning: Meaning): string {
  if (line === 1) return `P${firstAccount[meaning]}`;
  const [base, second] = bases[line - 2]!;
  return `P${(meaning.startsWith('second') ? second : base) + distances[meaning]}`;
}

const transports = { udp: 0, tcp: 1, tls: 2 } as const;

/** P-values of a line with its account. An absent server or proxy is written empty, so that a former one goes. */
function ofLine(desired: DesiredLine): Named {
  const { line, label, display, user, auth, password, transport, voicemail } = desired;
  if (line > mostLines) return unnamed;
  const { servers, proxies } = registrarOf(desired);
  const named: Record<Meaning, SettingValue> = {
    enable: 1,
    server: placeOf(servers[0]),
    proxy: placeOf(proxies[0]),
    user,
    auth: auth === '' ? user : auth,
    password,
    display,
    label,
    voicemail,
    transport: transports[transport],
    secondServer: placeOf(servers[1]),
    secondProxy: placeOf(proxies[1]),
  };
  return Object.fromEntries((Object.keys(named) as Meaning[]).map((key) => [pValue(line, key), named[key]]));
}
const ofEmptied = (line: number): Named => (line > mostLines ? unnamed : { [pValue(line, 'enable')]: 0 });

/** There is none for a registration that failed. */
const events: EventUrls = {
  settings: {
    boot: 'P8304',
    registered: 'P8305',
    unregistered: 'P8306',
    'dnd-on': 'P8316',
    'dnd-off': 'P8317',
    'call-start': 'P8313',
    'call-end': 'P8314',
  },
  variables: { ip: '$phone_ip', account: '$active_user' },
};

/**
 * The folder of the firmware, without a scheme: the phones know the name of their image. `P238` makes them look for it
 * each time.
 */
const firmware: FileSetting = {
  settings: ({ protocol, host, pathname }) => ({
    P192: `${host}${pathname.slice(0, pathname.lastIndexOf('/'))}`,
    P238: 0,
    P6767: protocol === 'https:' ? 2 : 1,
  }),
};

const number = (name: string): number => Number(name.slice(1));

/** Grandstream's XML of P-values, for its desk phones. */
export const grandstream: Vendor = {
  name: 'Grandstream',
  maker: 'grandstream',
  // The doors have P-values of their own.
  series: ['Grandstream GRP', 'Grandstream GXP', 'Grandstream GXV'],
  prefixes: ['000b82', 'c074ad', 'ec74d7'],
  agent: new RegExp(`^Grandstream Model HW \\w+(?:\\s+V\\S+)? SW (?<firmware>\\S+) DevId ${agentMac}`, 'i'),
  fileOf: (mac) => `cfg${mac}.xml`,
  contentType: 'text/xml; charset=utf-8',
  mostLines,
  events,
  notify: { fetch: 'resync', restart: 'check-sync;reboot=true' },
  loads: { firmware },
  settingsOf: (desired) => allNamed(desired, names, grandstreamKey, ofLine, ofEmptied),
  addressOf: ({ protocol, host, pathname }) => ({
    P212: protocol === 'https:' ? 2 : 1,
    P237: `${host}${pathname.slice(0, -1)}`,
    P194: 1,
    P193: askAgainMinutes,
  }),
  write(settings) {
    const lines = Object.keys(settings)
      .sort((a, b) => number(a) - number(b))
      .map((name) => `    <${name}>${xmlText(String(settings[name]))}</${name}>\n`);
    return (
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      `<gs_provision version="1">\n  <config version="1">\n${lines.join('')}  </config>\n</gs_provision>\n`
    );
  },
  ofKey: grandstreamKey,
  withoutName: withoutNameIn(names),
};
