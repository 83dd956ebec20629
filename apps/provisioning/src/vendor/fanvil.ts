import type { SettingValue } from '@carillon/contracts';
import type { DesiredLine } from '../device-config/desired.ts';
import { agentMac } from './agent.ts';
import { fanvilKey } from './fanvil-key.ts';
import { allNamed, unnamed, withoutNameIn, type Named, type SettingNames } from './names.ts';
import { xmlText } from './xml-text.ts';
import { askAgainMinutes, type Vendor } from './vendor.ts';
import { hoursText, ofZone, type ZoneClock } from './zone-clock.ts';

/** Languages that the phones have, by their own code. */
const languages: ReadonlySet<SettingValue> = new Set(['en', 'de', 'es', 'fr', 'it', 'pt']);

/** Elements of a setting, by path. */
const names: SettingNames = {
  'phone.language': (value) => (languages.has(value) ? { 'phone/display/DefaultLanguage': value } : unnamed),
  // The first account of the web page, and the password of the phone's own menu.
  'phone.adminPassword': (value) => ({
    'phone/MenuPassword': value,
    'web/account index="1"/Name': 'admin',
    'web/account index="1"/Password': value,
    'web/account index="1"/Level': 10,
  }),
  'phone.ringtone': (value) => ({ 'phone/volume/RingType': `Type ${value}` }),
  'screen.backlight': (value) => ({ 'phone/display/BacklightOffTime': value }),
  'time.server': (value) => ({ 'phone/date/EnableSNTP': 1, 'phone/date/SNTPServer': value }),
  'time.zone': ofZone(zoneElements),
  'network.wifi': (value) => ({ 'net/wifi/WIFIEnable': Number(value) }),
  'door.opening': (value) => ({ 'EGS_CFG_MODULE/Opening_Duration': value }),
};

/** An edge of daylight saving: the last week is -1, weekdays are 0 to 6 from Sunday, and there is no hour 24. */
const edge = (name: 'Start' | 'End', month: number, week: number, day: number, hour: number): Named => ({
  [`phone/date/DST${name}Mon`]: month,
  [`phone/date/DST${name}Week`]: week === 5 ? -1 : week,
  [`phone/date/DST${name}Wday`]: day % 7,
  [`phone/date/DST${name}Hour`]: Math.min(hour, 23),
});

/** The zone is counted in quarters of an hour; 2 is daylight saving by the rule beside it. */
function zoneElements({ offset, rule }: ZoneClock): Named {
  const zone = {
    'phone/date/TimeZone': offset / 15,
    'phone/date/TimeZoneName': `UTC${offset === 0 ? '' : `${offset < 0 ? '' : '+'}${hoursText(offset)}`}`,
  };
  if (rule === null) return { ...zone, 'phone/date/EnableDST': 0 };
  return {
    ...zone,
    'phone/date/EnableDST': 2,
    'phone/date/DSTFixedType': 2,
    'phone/date/DSTMinOffset': rule.offset,
    ...edge('Start', rule.startMonth, rule.startWeek, rule.startDay, rule.startHour),
    ...edge('End', rule.endMonth, rule.endWeek, rule.endDay, rule.endHour),
  };
}

const transports = { udp: 0, tcp: 1, tls: 3 } as const;
const inLine = (line: number, elementsOfLine: Named): Named =>
  Object.fromEntries(
    Object.entries(elementsOfLine).map(([name, value]) => [`sip/line index="${line}"/${name}`, value]),
  );

/** Elements of a line with its account; an absent proxy or backup server is written empty, so that a former one goes. */
const lineElements = ({ line, display, user, auth, password, server, port, transport, ...more }: DesiredLine): Named =>
  inLine(line, {
    EnableReg: 1,
    PhoneNumber: user,
    DisplayName: display,
    RegisterUser: auth === '' ? user : auth,
    RegisterPswd: password,
    RegisterAddr: server,
    RegisterPort: port,
    Transport: transports[transport],
    ProxyAddr: more.proxy?.address ?? '',
    ProxyPort: more.proxy?.port ?? 5060,
    BackupAddr: more.backup?.address ?? '',
    MWINum: more.voicemail,
  });

type Tree = Map<string, Tree | SettingValue>;

/**
 * Returns the paths as nested elements with their attributes, sorted, so that equal settings make equal files. A path
 * that others go through has no value of its own.
 */
function treeOf(paths: Named): Tree {
  const root: Tree = new Map();
  for (const [path, value] of Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const names = path.split('/');
    let at = root;
    for (const name of names.slice(0, -1)) {
      const found = at.get(name);
      const next: Tree = found instanceof Map ? found : new Map();
      at.set(name, next);
      at = next;
    }
    if (!(at.get(names.at(-1)!) instanceof Map)) at.set(names.at(-1)!, value);
  }
  return root;
}

const written = (tree: Tree, indent: string): string =>
  [...tree]
    .map(([name, content]) =>
      content instanceof Map
        ? `${indent}<${name}>\n${written(content, `${indent}  `)}${indent}</${name.split(' ')[0]}>\n`
        : `${indent}<${name}>${xmlText(String(content))}</${name}>\n`,
    )
    .join('');

/** Digits of the revision in the version: a phone compares versions as decimal numbers. */
const revisionDigits = 10;

/** Fanvil's XML, for the phones and doors since about 2018. */
export const fanvil: Vendor = {
  name: 'Fanvil',
  maker: 'fanvil',
  reserved: ['Version'],
  series: ['Fanvil X', 'Fanvil V', 'Fanvil i'],
  prefixes: ['0c383e', '00a859'],
  // Some releases end with a bracket.
  agent: new RegExp(`^Fanvil [A-Za-z0-9]+(?:-V\\d)?(?: ?Pro)? (?<firmware>[\\d.]+) ${agentMac}\\)?$`, 'i'),
  fileOf: (mac) => `${mac}.cfg`,
  contentType: 'text/xml; charset=utf-8',
  mostLines: Infinity,
  // The web page of a phone has them, but the names of their elements are not published.
  events: null,
  notify: { fetch: 'check-sync', restart: 'check-sync;reboot=true' },
  loads: { firmware: { settings: ({ href }) => ({ 'AUTOUPDATE_CONFIG_MODULE/Auto_Image_URL': href }) } },
  settingsOf: (desired) => allNamed(desired, names, fanvilKey, lineElements, (line) => inLine(line, { EnableReg: 0 })),
  addressOf: ({ protocol, host, pathname }) => ({
    'ap/FlashServerIP': `${protocol}//${host}`,
    'ap/FlashFileName': `${pathname.slice(1)}$mac.cfg`,
    'ap/FlashProtocol': protocol === 'https:' ? 5 : 4,
    'ap/FlashMode': 2,
    'ap/FlashInterval': askAgainMinutes / 60,
  }),
  write(settings, revision) {
    const version = `2.${String(revision).padStart(revisionDigits, '0')}`;
    return (
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      `<sysConf>\n  <Version>${version}</Version>\n${written(treeOf(settings), '  ')}</sysConf>\n`
    );
  },
  ofKey: fanvilKey,
  withoutName: withoutNameIn(names),
};
