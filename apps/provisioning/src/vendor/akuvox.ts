import type { SettingValue } from '@carillon/contracts';
import { lineEnd, type DesiredLine } from '../device-config/desired.ts';
import { agentMac } from './agent.ts';
import type { EventUrls } from './event-urls.ts';
import { akuvoxKey } from './akuvox-key.ts';
import { allNamed, unnamed, withoutNameIn, type Named, type SettingNames } from './names.ts';
import { registrarOf } from './registrar.ts';
import type { Vendor } from './vendor.ts';

/** Numbers of the languages that the phones have. */
const languages: Readonly<Record<string, number>> = { en: 0, zh: 1, ko: 4, pt: 5, es: 6, it: 7, fr: 9, de: 10 };
/** The phones accept these seconds only. */
const backlights: ReadonlySet<SettingValue> = new Set([10, 30, 60, 120]);

const names: SettingNames = {
  'phone.language': (value) => {
    const language = languages[String(value)];
    return language === undefined ? unnamed : { 'Settings.LANGUAGE.Type': language };
  },
  'phone.ringtone': (value) => ({ 'Settings.RINGTONE.Type': value }),
  'screen.backlight': (value) => (backlights.has(value) ? { 'Settings.BACKLIGHT.Time': value } : unnamed),
  'time.server': (value) => ({ 'Settings.SNTP.Enable': 1, 'Settings.SNTP.NTPServer1': value }),
  'time.format': (value) => ({ 'Settings.DATETIME.TimeFormat': value === '24' ? 1 : 0 }),
  'network.vlan': (value) => ({
    'Network.VLAN.LanVlanEnable': value === 0 ? 0 : 1,
    ...(value === 0 ? unnamed : { 'Network.VLAN.LanVid': value }),
  }),
  'network.lldp': (value) => ({ 'Network.LLDP.LLDPEnable': Number(value) }),
};

const transports = { udp: 0, tcp: 1, tls: 2 } as const;
const inLine = (line: number, named: Named): Named =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [`Account${line}.${name}`, value]));

/** Names of a line with its account. An absent server or proxy is written empty, so that a former one goes. */
function ofLine(desired: DesiredLine): Named {
  const { line, label, display, user, auth, password, transport, voicemail } = desired;
  const {
    servers: [server, secondServer],
    proxies: [proxy, secondProxy],
  } = registrarOf(desired);
  return inLine(line, {
    'GENERAL.Enable': 1,
    'GENERAL.Label': label,
    'GENERAL.DisplayName': display,
    'GENERAL.UserName': user,
    'GENERAL.AuthName': auth === '' ? user : auth,
    'GENERAL.Pwd': password,
    'SIP.Server': server.address,
    'SIP.Port': server.port ?? '',
    'SIP.Server2': secondServer?.address ?? '',
    'SIP.Port2': secondServer?.port ?? '',
    'SIP.TransType': transports[transport],
    'OUTPROXY.Enable': proxy === null ? 0 : 1,
    'OUTPROXY.Server': proxy?.address ?? '',
    'OUTPROXY.Port': proxy?.port ?? '',
    'OUTPROXY.BakServer': secondProxy?.address ?? '',
    'OUTPROXY.BakPort': secondProxy?.port ?? '',
    'VOICEMSG.Number': voicemail,
  });
}

const written = (name: string, value: SettingValue): string =>
  `Config.${name} = ${String(value).toWellFormed().replaceAll(lineEnd, ' ').trim()}\n`;

const events: EventUrls = {
  settings: {
    boot: 'Features.ACTIONURL.SetupCompleted',
    registered: 'Features.ACTIONURL.Registered',
    unregistered: 'Features.ACTIONURL.Unregistered',
    failed: 'Features.ACTIONURL.RegisterFailed',
    'dnd-on': 'Features.ACTIONURL.OpenDND',
    'dnd-off': 'Features.ACTIONURL.CloseDND',
    // Door phones have these two and the relays. The names of the desk phones' calls are not published.
    'call-start': 'Features.ACTIONURL.MakeCall',
    'call-end': 'Features.ACTIONURL.HangUp',
  },
  doors: ['A', 'B'].map((relay) => ({
    open: `Features.ACTIONURL.Relay${relay}Triggered`,
    closed: `Features.ACTIONURL.Relay${relay}Closed`,
  })),
  variables: { ip: '$ip', account: '$active_user', host: '$active_host', call: '$call_id' },
};

/** Characters that the phones keep of the address of their files. */
const longestAddress = 127;
/** Once when it starts and once in each night, which is the shortest time that is published for all phones. */
const startAndNight = {
  'Autoprovision.MODE.Mode': 3,
  'Autoprovision.SCHEDULE.DayOfWeek': '0~6',
  'Autoprovision.SCHEDULE.HourOfDay': 4,
  'Autoprovision.SCHEDULE.MinuteOfHour': 0,
} as const;

/** Akuvox's text, for its desk phones. */
export const akuvox: Vendor = {
  name: 'Akuvox',
  maker: 'akuvox',
  series: ['Akuvox SP'],
  prefixes: ['0c1105', '9c7514'],
  // Model and firmware are published as the phones send them over SIP; a MAC is allowed, but no document has it.
  agent: new RegExp(`^Akuvox\\s+[\\w-]+\\s+(?<firmware>[\\d.]+)(?:\\s+${agentMac})?$`, 'i'),
  fileOf: (mac) => `${mac}.cfg`,
  contentType: 'text/plain; charset=utf-8',
  mostLines: Infinity,
  events,
  notify: null,
  // The phones have a setting for the address of an image. A signed link is longer than the addresses that they keep.
  loads: {},
  settingsOf: (desired) => allNamed(desired, names, akuvoxKey, ofLine, (line) => inLine(line, { 'GENERAL.Enable': 0 })),
  // A phone that cut the address would find nothing. It keeps the one that it was given.
  addressOf: ({ href }) => ({
    'Features.ACTIONURL.Enable': 1,
    ...startAndNight,
    ...(href.length > longestAddress ? unnamed : { 'Autoprovision.GENERAL.Url': href }),
  }),
  write(settings) {
    const lines = Object.keys(settings)
      .sort()
      .map((name) => written(name, settings[name]!));
    return `#!version:1.0.0.1\n${lines.join('')}`;
  },
  ofKey: akuvoxKey,
  withoutName: withoutNameIn(names),
};
