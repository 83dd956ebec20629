import type { SettingValue } from '@carillon/contracts';
import type { DesiredLine } from '../device-config/desired.ts';
import { agentMac } from './agent.ts';
import type { EventUrls } from './event-urls.ts';
import type { FileSetting } from './file-setting.ts';
import { snomKey } from './snom-key.ts';
import { allNamed, unnamed, withoutNameIn, type Named, type SettingNames } from './names.ts';
import { placeOf, registrarOf } from './registrar.ts';
import { askAgainMinutes, type Vendor } from './vendor.ts';
import { xmlText } from './xml-text.ts';

/** Languages that the phones have without a language file. */
const languages: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  pt: 'Português',
};

const onOff = (value: boolean): string => (value ? 'on' : 'off');

const names: SettingNames = {
  'phone.language': (value) => {
    const language = languages[String(value)];
    return language === undefined ? unnamed : { language, web_language: language };
  },
  // The phone's own menu, and its web page before and since firmware 10.
  'phone.adminPassword': (value) => ({
    admin_mode_password: value,
    http_user: 'admin',
    http_pass: value,
    webserver_admin_name: 'admin',
    webserver_admin_password: value,
  }),
  'phone.ringtone': (value) => ({ ring_sound: `Ringer${value}` }),
  'screen.backlight': (value) => ({ dim_timer: value }),
  'time.server': (value) => ({ ntp_server: value }),
  'time.format': (value) => ({ time_24_format: onOff(value === '24') }),
  'network.vlan': (value) => (value === 0 ? { vlan_id: '', vlan_qos: '' } : { vlan_id: value, vlan_qos: 0 }),
  'network.lldp': (value) => ({ lldp_enable: onOff(value === true) }),
};

const mostLines = 12;
const inLine = (line: number, settings: Named): Named =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`${name} idx="${line}"`, value]));

/**
 * Settings of a line with its account. The port and the transport are part of the outbound proxy, which is the server
 * when a line has no proxy. No setting for a second server is published.
 */
function ofLine(desired: DesiredLine): Named {
  const { line, label, display, user, auth, password, domain, transport, voicemail } = desired;
  if (line > mostLines) return unnamed;
  const {
    servers: [server],
    proxies: [proxy],
  } = registrarOf(desired);
  return inLine(line, {
    user_active: onOff(true),
    user_idle_text: label,
    user_realname: display,
    user_name: user,
    user_pname: auth === '' ? user : auth,
    user_pass: password,
    user_host: proxy === null || domain !== '' ? server.address : placeOf(server),
    user_outbound: `${placeOf(proxy ?? server)};transport=${transport}`,
    user_mailbox: voicemail,
  });
}
const ofEmptied = (line: number): Named => (line > mostLines ? unnamed : inLine(line, { user_active: onOff(false) }));

const events: EventUrls = {
  settings: {
    boot: 'action_setup_url',
    registered: 'action_log_on_url',
    unregistered: 'action_log_off_url',
    failed: 'action_reg_failed',
    'dnd-on': 'action_dnd_on_url',
    'dnd-off': 'action_dnd_off_url',
    'call-start': 'action_connected_url',
    'call-end': 'action_disconnected_url',
  },
  variables: { ip: '$phone_ip', account: '$active_user', host: '$active_host', call: '$call-id' },
};

/** The flag `perm=""` lets the user change a setting, until the phone loads the file again. */
const written = (name: string, value: SettingValue): string =>
  `    <${name} perm="">${xmlText(String(value))}</${name.split(' ')[0]}>\n`;

const firmwareFile = (mac: string): string => `${mac}-firmware.xml`;
/** The phones load a file of its own, which has the address of the image, when they start. */
const firmware: FileSetting = {
  settings: (_, { folder, mac }) => ({
    firmware_status: `${folder}${firmwareFile(mac)}`,
    update_policy: 'auto_update',
  }),
  beside: {
    nameOf: firmwareFile,
    textOf: (url) =>
      '<?xml version="1.0" encoding="utf-8"?>\n' +
      `<firmware-settings>\n  <firmware perm="">${xmlText(url)}</firmware>\n</firmware-settings>\n`,
  },
  restarts: true,
};

/** Snom's XML, for the desk phones since firmware 8. */
export const snom: Vendor = {
  name: 'Snom',
  maker: 'snom',
  series: ['Snom D1', 'Snom D3', 'Snom D7', 'Snom D8'],
  // Gigaset has parts of this range.
  prefixes: ['000413'],
  // Firmware before 8.7.5 does not name the MAC.
  agent: new RegExp(
    `^Mozilla/4\\.0 \\(compatible; snom\\w+-SIP (?<firmware>[\\d.]+)\\b(?:[^)]*?\\b${agentMac}\\b)?`,
    'i',
  ),
  fileOf: (mac) => `${mac}.xml`,
  // A phone that knows only the folder asks for the names of its model.
  otherNames: /^snom\w+-(?<mac>[0-9a-f]{12})\.htm$/,
  contentType: 'text/xml; charset=utf-8',
  mostLines,
  events,
  notify: { fetch: 'check-sync;reboot=false', restart: 'check-sync;reboot=true' },
  loads: { firmware },
  settingsOf: (desired) => allNamed(desired, names, snomKey, ofLine, ofEmptied),
  addressOf: ({ href }) => ({
    setting_server: `${href}{mac}.xml`,
    // The timer counts only while polling is off.
    prov_polling_enabled: onOff(false),
    settings_refresh_timer: askAgainMinutes * 60,
  }),
  write(settings) {
    const lines = Object.keys(settings)
      .sort()
      .map((name) => written(name, settings[name]!));
    return (
      '<?xml version="1.0" encoding="utf-8"?>\n' +
      `<settings>\n  <phone-settings>\n${lines.join('')}  </phone-settings>\n</settings>\n`
    );
  },
  ofKey: snomKey,
  withoutName: withoutNameIn(names),
};
