import type { SettingValue } from '@carillon/contracts';
import { lineEnd, type DesiredLine } from '../device-config/desired.ts';
import { agentMac } from './agent.ts';
import type { EventUrls } from './event-urls.ts';
import type { FileSettings } from './file-setting.ts';
import { yealinkKey } from './yealink-key.ts';
import { allNamed, unnamed, withoutNameIn, type Named, type SettingNames } from './names.ts';
import { registrarOf } from './registrar.ts';
import { askAgainMinutes, type Vendor } from './vendor.ts';
import { hoursText, ofZone, type ZoneClock } from './zone-clock.ts';

/** Languages that the phones have without a language pack. */
const languages: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'German',
  es: 'Spanish',
  fr: 'French',
  it: 'Italian',
  pt: 'Portuguese',
  zh: 'Chinese_S',
};
const ringtones = 8;
/** The phones accept these seconds only. */
const backlights: ReadonlySet<SettingValue> = new Set([15, 30, 60, 120, 300, 600, 1_800]);

/** Weekdays are 1 to 7 from Monday, and there is no hour 24. */
const edgeText = (month: number, week: number, day: number, hour: number): string =>
  `${month}/${week}/${day === 0 ? 7 : day}/${Math.min(hour, 23)}`;

function zoneSettings({ offset, rule }: ZoneClock): Named {
  const zone = { 'local_time.time_zone': `${offset < 0 ? '' : '+'}${hoursText(offset)}` };
  if (rule === null) return { ...zone, 'local_time.summer_time': 0 };
  return {
    ...zone,
    'local_time.summer_time': 1,
    'local_time.dst_time_type': 1,
    'local_time.start_time': edgeText(rule.startMonth, rule.startWeek, rule.startDay, rule.startHour),
    'local_time.end_time': edgeText(rule.endMonth, rule.endWeek, rule.endDay, rule.endHour),
    'local_time.offset_time': rule.offset,
  };
}

const names: SettingNames = {
  'phone.language': (value) => {
    const language = languages[String(value)];
    return language === undefined ? unnamed : { 'lang.gui': language };
  },
  'phone.adminPassword': (value) => ({ 'static.security.user_password': `admin:${value}` }),
  'phone.ringtone': (value) =>
    Number(value) <= ringtones ? { 'phone_setting.ring_type': `Ring${value}.wav` } : unnamed,
  'phone.video': (value) => ({ 'video.enable': Number(value) }),
  'screen.backlight': (value) => (backlights.has(value) ? { 'phone_setting.backlight_time': value } : unnamed),
  'time.server': (value) => ({ 'local_time.ntp_server1': value }),
  'time.zone': ofZone(zoneSettings),
  'time.format': (value) => ({ 'local_time.time_format': value === '24' ? 1 : 0 }),
  'network.vlan': (value) => ({
    'static.network.vlan.internet_port_enable': value === 0 ? 0 : 1,
    ...(value === 0 ? unnamed : { 'static.network.vlan.internet_port_vid': value }),
  }),
  'network.lldp': (value) => ({ 'static.network.lldp.enable': Number(value) }),
  'network.wifi': (value) => ({ 'static.wifi.enable': Number(value) }),
};

const transports = { udp: 0, tcp: 1, tls: 2 } as const;

/** Names of a line with its account. An absent server or proxy is written empty, so that a former one goes. */
function ofLine(desired: DesiredLine): Named {
  const { line, label, display, user, auth, password, transport, voicemail } = desired;
  const { servers, proxies } = registrarOf(desired);
  const named: Record<string, SettingValue> = {
    enable: 1,
    label,
    display_name: display,
    user_name: user,
    auth_name: auth === '' ? user : auth,
    password,
    outbound_proxy_enable: proxies[0] === null ? 0 : 1,
  };
  for (const [index, server] of servers.entries()) {
    named[`sip_server.${index + 1}.address`] = server?.address ?? '';
    named[`sip_server.${index + 1}.port`] = server?.port ?? '';
    named[`sip_server.${index + 1}.transport_type`] = server === null ? '' : transports[transport];
  }
  for (const [index, proxy] of proxies.entries()) {
    named[`outbound_proxy.${index + 1}.address`] = proxy?.address ?? '';
    named[`outbound_proxy.${index + 1}.port`] = proxy?.port ?? '';
  }
  return {
    ...Object.fromEntries(Object.entries(named).map(([name, value]) => [`account.${line}.${name}`, value])),
    [`voice_mail.number.${line}`]: voicemail,
  };
}

/** The value that takes a phone back to what it has without one: an empty value may leave the former one. */
const noValue = '%NULL%';
const written = (value: SettingValue): string => {
  const text = String(value).toWellFormed().replaceAll(lineEnd, ' ').trim();
  return text === '' ? noValue : text;
};

const events: EventUrls = {
  settings: {
    boot: 'action_url.setup_completed',
    registered: 'action_url.registered',
    unregistered: 'action_url.unregistered',
    failed: 'action_url.register_failed',
    'dnd-on': 'action_url.dnd_on',
    'dnd-off': 'action_url.dnd_off',
    'call-start': 'action_url.call_established',
    'call-end': 'action_url.call_terminated',
  },
  variables: { ip: '$ip', account: '$active_user', host: '$active_host', call: '$call_id' },
};

/** Characters that the phones take of an address. */
const longest = 511;
/** What the phones load in the background and keep: each setting has one address. */
const loads: FileSettings = {
  firmware: { settings: ({ href }) => ({ 'static.firmware.url': href }), longest },
  ringtone: { settings: ({ href }) => ({ 'ringtone.url': href }), longest },
  image: { settings: ({ href }) => ({ 'wallpaper_upload.url': href }), longest },
  languagePack: { settings: ({ href }) => ({ 'gui_lang.url': href }), longest },
};

/** Yealink's text, for the phones since about 2016. */
export const yealink: Vendor = {
  name: 'Yealink',
  maker: 'yealink',
  series: ['Yealink T3', 'Yealink T4', 'Yealink T5'],
  prefixes: [
    '001565',
    '249ad8',
    '3497d7',
    '44dbd2',
    '644f56',
    '805e0c',
    '805ec0',
    'b061a9',
    'c4fc22',
    'e434d7',
    'ec1da9',
    'f01653',
  ],
  agent: new RegExp(`^Yealink\\s+(?:SIP(?: VP)?-)?[\\w-]+\\s+(?<firmware>[\\d.]+)\\s+${agentMac}$`, 'i'),
  fileOf: (mac) => `${mac}.cfg`,
  contentType: 'text/plain; charset=utf-8',
  mostLines: Infinity,
  events,
  notify: { fetch: 'check-sync;reboot=false', restart: 'check-sync;reboot=true' },
  loads,
  settingsOf: (desired) => allNamed(desired, names, yealinkKey, ofLine, (line) => ({ [`account.${line}.enable`]: 0 })),
  addressOf: ({ href }) => ({
    'static.auto_provision.server.url': href,
    'static.auto_provision.power_on': 1,
    'static.auto_provision.repeat.enable': 1,
    'static.auto_provision.repeat.minutes': askAgainMinutes,
    // Restart only when a NOTIFY says so. The phones restart at each one by default.
    'sip.notify_reboot_enable': 0,
  }),
  write(settings) {
    const lines = Object.keys(settings)
      .sort()
      .map((name) => `${name} = ${written(settings[name]!)}\n`);
    return `#!version:1.0.0.1\n${lines.join('')}`;
  },
  ofKey: yealinkKey,
  withoutName: withoutNameIn(names),
};
