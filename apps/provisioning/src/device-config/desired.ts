import {
  isPasswordKey,
  phoneKeyName,
  phoneKeyNames,
  phoneKeyOf,
  phoneKeyPlace,
  rawSettingNames,
  settingKeys,
  type PasswordKey,
  type PhoneKey,
  type PhoneKeyLayout,
  type PhoneKeyPlace,
  type SettingValues,
  type SipTransport,
} from '@carillon/contracts';

/** An account as a line registers it. */
export interface DesiredLine {
  line: number;
  label: string;
  display: string;
  user: string;
  /** Empty: the device uses `user`. */
  auth: string;
  password: string;
  server: string;
  port: number;
  transport: SipTransport;
  /** Empty: the device uses the server's address. */
  domain: string;
  /** Address and port; null: none. */
  proxy: { address: string; port: number | null } | null;
  backup: { address: string; port: number | null } | null;
  voicemail: string;
}

/** A key of the phone with its function. */
export interface DesiredKey extends PhoneKey, PhoneKeyPlace {
  /** Its number in its area, counted through the pages, from 1. */
  number: number;
}

/** Texts of passwords by their setting. */
export type Passwords = Readonly<Partial<Record<PasswordKey, string>>>;

/** What a device is to have: settings, the keys of the phone, and its lines. It contains passwords. */
export interface Desired {
  /** The settings of the catalogue, the keys, and the raw settings of the maker, as the templates have them. */
  values: SettingValues;
  /** Texts of the passwords that the values have the ids of. Absent in contents of earlier releases. */
  passwords?: Passwords;
  /** The keys of the values. Absent in contents of earlier releases. */
  keys?: readonly DesiredKey[];
  lines: readonly DesiredLine[];
  /** Lines that had an account from here and have none now: they are switched off. Others stay as they are. */
  emptied: readonly number[];
}

/** Returns the lines of a device that had an account from here and have none now; `had` are all that ever had one. */
export const emptiedLines = (had: readonly number[] | null, used: readonly { line: number }[]): number[] =>
  (had ?? []).filter((line) => !used.some((other) => other.line === line)).sort((a, b) => a - b);

/** Returns the keys of these values, as a phone with this layout counts them. */
export const desiredKeys = (values: SettingValues, { areas }: PhoneKeyLayout): DesiredKey[] =>
  phoneKeyNames(values).map((name) => {
    const place = phoneKeyPlace(name);
    return {
      ...phoneKeyOf(values, name)!,
      ...place,
      number: (place.page - 1) * areas[place.area].perPage + place.position,
    };
  });

/** Returns the values with the texts of the passwords in the place of their ids. */
export const clearValues = ({ values, passwords = {} }: Pick<Desired, 'values' | 'passwords'>): SettingValues => ({
  ...Object.fromEntries(Object.entries(values).filter(([key]) => !isPasswordKey(key))),
  ...passwords,
});

/** Returns whether there is anything that a device is to have. */
export const isWanted = ({ values, lines, emptied }: Desired): boolean =>
  Object.keys(values).length + lines.length + emptied.length > 0;

const place = (at: DesiredLine['proxy']): string =>
  at === null ? '' : at.port === null ? at.address : `${at.address}:${at.port}`;

/** The values of a line on the MQTT link, by the part of the key behind `account.N.`. */
const lineValues = (line: DesiredLine): readonly (readonly [string, string])[] => [
  ['enable', '1'],
  ['label', line.label],
  ['display', line.display],
  ['user', line.user],
  ['auth', line.auth === '' ? line.user : line.auth],
  ['password', line.password],
  ['server', line.server],
  ['port', String(line.port)],
  ['transport', line.transport],
  ['domain', line.domain === '' ? line.server : line.domain],
  ['proxy', place(line.proxy)],
  ['backup', place(line.backup)],
  ['voicemail', line.voicemail],
];

/** What would end a line of a text; a value must not add a second one. */
export const lineEnd = /[\r\n\0\v\f\u0085\u2028\u2029]/g;
const written = (key: string, value: string): string => `${key} = ${value.replaceAll(lineEnd, ' ')}\n`;

const keyParts = ['type', 'line', 'value', 'label', 'number'] as const;
const keyLines = (key: DesiredKey): string[] =>
  keyParts.map((part) => written(`${phoneKeyName(key)}.${part}`, String(key[part])));

/** Returns the text for a device on the MQTT link: `key = value` lines (docs/device-link.md, Configuration). */
export function linkText({ keys = [], lines, emptied, ...desired }: Desired): string {
  const values = clearValues(desired);
  return [
    ...settingKeys.flatMap((key) => {
      const value = values[key];
      return value === undefined
        ? []
        : written(key, typeof value === 'boolean' ? String(Number(value)) : String(value));
    }),
    ...keys.flatMap(keyLines),
    ...rawSettingNames(values).map((key) => written(key, String(values[key]))),
    ...lines.flatMap((line) => lineValues(line).map(([name, value]) => written(`account.${line.line}.${name}`, value))),
    ...emptied.map((line) => written(`account.${line}.enable`, '0')),
  ].join('');
}
