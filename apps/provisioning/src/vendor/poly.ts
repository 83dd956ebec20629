import type { SettingValue } from '@carillon/contracts';
import type { DesiredLine } from '../device-config/desired.ts';
import { agentMac } from './agent.ts';
import type { FileSetting } from './file-setting.ts';
import type { EventUrls } from './event-urls.ts';
import { polyKey } from './poly-key.ts';
import { allNamed, unnamed, withoutNameIn, type Named, type SettingNames } from './names.ts';
import { askAgainMinutes, type Vendor } from './vendor.ts';
import { ofZone, type ZoneClock } from './zone-clock.ts';
import { xmlText } from './xml-text.ts';

const languages: Readonly<Record<string, string>> = {
  en: 'English_United_States',
  de: 'German_Germany',
  es: 'Spanish_Spain',
  fr: 'French_France',
  it: 'Italian_Italy',
  pt: 'Portuguese_Portugal',
  zh: 'Chinese_China',
  ko: 'Korean_Korea',
};
/** Seconds until the screen gets dark: the phones accept these only. */
const backlight = { least: 5, most: 60 } as const;

const names: SettingNames = {
  'phone.language': (value) => {
    const language = languages[String(value)];
    return language === undefined ? unnamed : { 'lcl.ml.lang': language };
  },
  'phone.adminPassword': (value) => ({ 'device.auth.localAdminPassword': value }),
  // The first ringer is silent.
  'phone.ringtone': (value) => ({ 'np.normal.ringing.calls.tonePattern': `ringer${Number(value) + 1}` }),
  'phone.video': (value) => ({ 'video.enable': Number(value) }),
  'screen.backlight': (value) =>
    Number(value) >= backlight.least && Number(value) <= backlight.most ? { 'up.backlight.timeout': value } : unnamed,
  'time.server': (value) => ({ 'tcpIpApp.sntp.address.overrideDHCP': 1, 'tcpIpApp.sntp.address': value }),
  'time.zone': ofZone(zoneParameters),
  'time.format': (value) => ({ 'lcl.datetime.time.24HourClock': value === '24' ? 1 : 0 }),
  'network.vlan': (value) => ({ 'device.net.vlanId': value === 0 ? '' : value }),
  'network.lldp': (value) => ({ 'device.net.lldpEnabled': Number(value) }),
  'network.wifi': (value) => ({ 'device.wifi.enabled': Number(value) }),
};

const savings = 'tcpIpApp.sntp.daylightSavings';
/** An edge of daylight saving: weekdays are 1 to 7 from Sunday, a week is named by the first day it can be. */
const edge = (name: 'start' | 'stop', month: number, week: number, day: number, hour: number): Named => ({
  [`${savings}.${name}.month`]: month,
  [`${savings}.${name}.date`]: Math.min(week - 1, 3) * 7 + 1,
  [`${savings}.${name}.dayOfWeek`]: (day % 7) + 1,
  [`${savings}.${name}.dayOfWeek.lastInMonth`]: week === 5 ? 1 : 0,
  [`${savings}.${name}.time`]: Math.min(hour, 23),
});

function zoneParameters({ offset, rule }: ZoneClock): Named {
  const zone = { 'tcpIpApp.sntp.gmtOffset.overrideDHCP': 1, 'tcpIpApp.sntp.gmtOffset': offset * 60 };
  if (rule === null) return { ...zone, [`${savings}.enable`]: 0 };
  // The phones know no other daylight saving than an hour.
  if (rule.offset !== 60) return unnamed;
  return {
    ...zone,
    [`${savings}.enable`]: 1,
    [`${savings}.fixedDayEnable`]: 0,
    ...edge('start', rule.startMonth, rule.startWeek, rule.startDay, rule.startHour),
    ...edge('stop', rule.endMonth, rule.endWeek, rule.endDay, rule.endHour),
  };
}

const transports = { udp: 'UDPOnly', tcp: 'TCPOnly', tls: 'TLS' } as const;

/** Parameters of a line with its account. An absent server or proxy is written empty, so that a former one goes. */
function ofLine({ line, label, display, user, auth, password, server, port, transport, ...more }: DesiredLine): Named {
  const { domain, proxy, backup, voicemail } = more;
  const places: readonly (readonly [string, DesiredLine['proxy']])[] = [
    ['server.1', { address: server, port }],
    ['server.2', backup],
    ['outboundProxy', proxy],
  ];
  const named: Named = {
    address: domain === '' ? user : `${user}@${domain}`,
    displayName: display,
    label,
    'auth.userId': auth === '' ? user : auth,
    'auth.password': password,
    'server.1.register': 1,
    ...Object.fromEntries(
      places.flatMap(([name, place]) => [
        [`${name}.address`, place?.address ?? ''],
        [`${name}.port`, place?.port ?? ''],
        [`${name}.transport`, place === null ? '' : transports[transport]],
      ]),
    ),
  };
  return {
    ...inLine(line, named),
    [`msg.mwi.${line}.callBackMode`]: voicemail === '' ? 'registration' : 'contact',
    [`msg.mwi.${line}.callBack`]: voicemail,
  };
}
const inLine = (line: number, named: Named): Named =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [`reg.${line}.${name}`, value]));

/** Parameters that the phone stores outside of its configuration; each is taken only with another one beside it. */
const devicePrefix = 'device.';
const written = (name: string, value: SettingValue): string =>
  `  ${name}="${xmlText(String(value).replaceAll(/\s/g, ' '))}"\n`;

/** Returns a master, which names the file of a phone, and the address of an image. The phone replaces the brackets. */
const masterText = (image: string): string =>
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  `<APPLICATION APP_FILE_PATH="${xmlText(image)}" CONFIG_FILES="[PHONE_MAC_ADDRESS]-config.cfg"/>\n`;

/** A master of the phone's own: it asks for that before the one for all phones. */
const firmware: FileSetting = {
  settings: () => unnamed,
  beside: { nameOf: (mac) => `${mac}.cfg`, textOf: masterText },
  longest: 255,
};

/** The phones post their registrations and calls as XML. They post no start, no failed registration and no DND. */
const events: EventUrls = {
  settings: {},
  variables: {},
  post: {
    setting: 'apps.telNotification.URL',
    switches: {
      'apps.telNotification.lineRegistrationEvent': 1,
      'apps.telNotification.callStateChangeEvent': 1,
    },
  },
};

/** Poly's XML, for phones with UC software. */
export const poly: Vendor = {
  name: 'Poly',
  maker: 'poly',
  series: ['Poly VVX', 'Poly CCX', 'Poly Edge'],
  prefixes: ['0004f2', '482567', '64167f'],
  // The MAC is there once a phone has loaded the file below.
  agent: new RegExp(`^FileTransport Poly\\w*-\\w+-UA/(?<firmware>[\\d.]+)(?: \\(SN:${agentMac}\\))?`, 'i'),
  fileOf: (mac) => `${mac}-config.cfg`,
  // A phone asks for <mac>.cfg, and for this file when there is none.
  master: { name: '000000000000.cfg', text: masterText('') },
  contentType: 'text/xml; charset=utf-8',
  mostLines: Infinity,
  events,
  // A phone restarts only when its file has changed.
  notify: { fetch: 'check-sync', restart: null },
  loads: { firmware },
  settingsOf: (desired) =>
    allNamed(desired, names, polyKey, ofLine, (line) => inLine(line, { address: '', 'server.1.register': 0 })),
  addressOf: ({ protocol, host, pathname }) => ({
    'device.prov.serverType': protocol === 'https:' ? 'HTTPS' : 'HTTP',
    'device.prov.serverName': `${host}${pathname}`,
    'device.prov.tagSerialNo': 1,
    'prov.polling.enabled': 1,
    'prov.polling.mode': 'rel',
    // The phones accept more than 3,600 seconds only.
    'prov.polling.period': askAgainMinutes * 60 + 1,
  }),
  write(settings) {
    const all: Record<string, SettingValue> = { ...settings };
    for (const name of Object.keys(settings).filter((one) => one.startsWith(devicePrefix)))
      Object.assign(all, { 'device.set': 1, [`${name}.set`]: 1 });
    const lines = Object.keys(all)
      .sort()
      .map((name) => written(name, all[name]!));
    return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<polycomConfig\n${lines.join('')}/>\n`;
  },
  ofKey: polyKey,
  withoutName: withoutNameIn(names),
};
