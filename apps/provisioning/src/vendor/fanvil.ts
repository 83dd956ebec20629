import { settingKeys, type SettingKey, type SettingValue, type SettingValues } from '@carillon/contracts';
import type { DesiredLine } from '../device-config/desired.ts';
import { xmlText } from './xml-text.ts';
import type { Vendor } from './vendor.ts';

/** Languages that the phones have, by their own code. */
const languages: ReadonlySet<SettingValue> = new Set(['en', 'de', 'es', 'fr', 'it', 'pt']);

type Elements = Readonly<Record<string, SettingValue>>;
const none: Elements = {};
/** Elements of a setting with their values, by path; none for a value that the syntax cannot express. */
const elements: Partial<Record<SettingKey, (value: SettingValue) => Elements>> = {
  'phone.language': (value) => (languages.has(value) ? { 'phone/display/DefaultLanguage': value } : none),
  'phone.ringtone': (value) => ({ 'phone/volume/RingType': `Type ${value}` }),
  'screen.backlight': (value) => ({ 'phone/display/BacklightOffTime': value }),
  'time.server': (value) => ({ 'phone/date/EnableSNTP': 1, 'phone/date/SNTPServer': value }),
};
const elementsOf = (values: SettingValues, key: SettingKey): Elements =>
  values[key] === undefined ? none : (elements[key]?.(values[key]) ?? none);

const transports = { udp: 0, tcp: 1, tls: 3 } as const;
const inLine = (line: number, elementsOfLine: Elements): Elements =>
  Object.fromEntries(
    Object.entries(elementsOfLine).map(([name, value]) => [`sip/line index="${line}"/${name}`, value]),
  );

/** Elements of a line with its account; an absent proxy or backup server is written empty, so that a former one goes. */
const lineElements = ({
  line,
  display,
  user,
  auth,
  password,
  server,
  port,
  transport,
  ...more
}: DesiredLine): Elements =>
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

/** Returns the paths as nested elements with their attributes, sorted, so that equal settings make equal files. */
function treeOf(paths: Elements): Tree {
  const root: Tree = new Map();
  for (const [path, value] of Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const names = path.split('/');
    let at = root;
    for (const name of names.slice(0, -1)) {
      const next = (at.get(name) as Tree | undefined) ?? new Map();
      at.set(name, next);
      at = next;
    }
    at.set(names.at(-1)!, value);
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
  prefixes: ['0c383e', '00a859'],
  fileOf: (mac) => `${mac}.cfg`,
  contentType: 'text/xml; charset=utf-8',
  render({ values, lines, emptied }, revision) {
    const all = Object.assign(
      {},
      ...settingKeys.map((key) => elementsOf(values, key)),
      ...lines.map(lineElements),
      ...emptied.map((line) => inLine(line, { EnableReg: 0 })),
    ) as Elements;
    const version = `2.${String(revision).padStart(revisionDigits, '0')}`;
    return (
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      `<sysConf>\n  <Version>${version}</Version>\n${written(treeOf(all), '  ')}</sysConf>\n`
    );
  },
  withoutName: (values) =>
    settingKeys.filter((key) => values[key] !== undefined && Object.keys(elementsOf(values, key)).length === 0),
};
