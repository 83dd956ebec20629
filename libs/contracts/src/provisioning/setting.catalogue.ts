import {
  comparePhoneKeys,
  isPhoneKeyName,
  type PhoneKey,
  type PhoneKeyLayout,
  type PhoneKeyName,
} from './phone-key.catalogue.ts';
import { isRawSettingName, type RawSettingName } from './raw-setting.catalogue.ts';

export * from './phone-key.catalogue.ts';
export * from './raw-setting.catalogue.ts';

/** Value of a zone: that of the device's site, or of the nearest site above it that has one. Without one, it is unset. */
export const siteZone = 'site';

/**
 * Describes a setting of a phone. `values` are the choices; a zone is a name of the tz database or {@link siteZone};
 * `least` and `most` limit a whole number, and `unit` is its unit. `standard` is what phones use without the setting,
 * shown in the form. The value of a password is the id that its text is sealed under: no answer contains the text. A
 * model that hides `item` does not have the setting.
 */
export type SettingDefinition = { item?: 'doors' | 'video' | 'wifi' } & (
  | { kind: 'choice'; values: readonly string[]; standard: string }
  | { kind: 'whole'; least: number; most: number; unit?: 'seconds'; standard: number }
  | { kind: 'switch'; standard: boolean }
  | { kind: 'host'; standard: string }
  | { kind: 'zone'; standard: string }
  | { kind: 'password' }
);

/**
 * The settings that templates can contain, with the name that a device on the MQTT link uses (docs/device-link.md,
 * Configuration). The part before the point is the group in the form. This file imports only the keys of phones and
 * the raw settings, so that the browser bundles nothing else.
 */
export const settings = {
  'phone.language': {
    kind: 'choice',
    values: ['en', 'de', 'es', 'fr', 'it', 'pt', 'zh', 'ko'],
    standard: 'en',
  },
  'phone.adminPassword': { kind: 'password' },
  'phone.ringtone': { kind: 'whole', least: 1, most: 9, standard: 1 },
  'phone.video': { kind: 'switch', standard: true, item: 'video' },
  'screen.backlight': { kind: 'whole', least: 1, most: 3_600, unit: 'seconds', standard: 45 },
  'time.server': { kind: 'host', standard: 'pool.ntp.org' },
  'time.zone': { kind: 'zone', standard: 'Etc/UTC' },
  'time.format': { kind: 'choice', values: ['24', '12'], standard: '24' },
  'network.vlan': { kind: 'whole', least: 0, most: 4_094, standard: 0 },
  'network.lldp': { kind: 'switch', standard: true },
  'network.wifi': { kind: 'switch', standard: false, item: 'wifi' },
  'door.opening': { kind: 'whole', least: 1, most: 600, unit: 'seconds', standard: 5, item: 'doors' },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

export type SettingKey = keyof typeof settings;
export type SettingValue = string | number | boolean;
/** A setting of a template: one of the catalogue, a key of the phone, or a raw setting. */
export type TemplateKey = SettingKey | PhoneKeyName | RawSettingName;
export type TemplateValue = SettingValue | PhoneKey;
/** Values of a template or of a device: a key of the phone is an object, a raw setting a text. */
export type SettingValues = Readonly<Partial<Record<TemplateKey, TemplateValue>>>;

/** Returns what a key of the phone does in these values. */
export function phoneKeyOf(values: SettingValues, name: PhoneKeyName): PhoneKey | undefined {
  const value = values[name];
  return typeof value === 'object' ? value : undefined;
}

export const settingKeys = Object.keys(settings) as readonly SettingKey[];

const isSetting = (key: string): key is SettingKey => Object.hasOwn(settings, key);
/** Returns whether phones with these keys lack a setting, because their model hides what it belongs to. */
export function isHiddenSetting({ hiddenItems }: Readonly<Pick<PhoneKeyLayout, 'hiddenItems'>>, key: string): boolean {
  const { item }: SettingDefinition = isSetting(key) ? settings[key] : { kind: 'password' };
  return item !== undefined && hiddenItems.includes(item);
}

/** The settings whose values are passwords. */
export type PasswordKey = {
  [K in SettingKey]: (typeof settings)[K]['kind'] extends 'password' ? K : never;
}[SettingKey];
export const isPasswordKey = (key: string): key is PasswordKey => isSetting(key) && settings[key].kind === 'password';
export const passwordKeys = settingKeys.filter(isPasswordKey);
/** Stands in values for a password whose text is sent beside them, or not sent yet. */
export const unsentPassword = '00000000-0000-4000-8000-000000000000';
/** Letters, digits and signs that every maker's file and keypad has. */
export const settingPassword = /^[\w!#$*+./=?@-]{6,30}$/;

/**
 * Returns the settings that at least one of these has: those of the catalogue in its order, the keys of the phone, then
 * the raw settings. Settings of other releases are left out.
 */
export function templateKeys(...all: readonly SettingValues[]): TemplateKey[] {
  const has = (key: TemplateKey): boolean => all.some((values) => values[key] !== undefined);
  return [...settingKeys.filter(has), ...phoneKeyNames(...all).filter(has), ...rawSettingNames(...all).filter(has)];
}
const namesIn = (all: readonly SettingValues[]) => [...new Set(all.flatMap((values) => Object.keys(values)))];
/** Returns the keys of the phone that at least one of these has, in their order. */
export const phoneKeyNames = (...all: readonly SettingValues[]): PhoneKeyName[] =>
  namesIn(all)
    .filter((key) => isPhoneKeyName(key))
    .sort(comparePhoneKeys);
/** Returns the raw settings that at least one of these has, by name. */
export const rawSettingNames = (...all: readonly SettingValues[]): RawSettingName[] =>
  namesIn(all)
    .filter((key) => isRawSettingName(key))
    .sort();

const written = (value: TemplateValue | undefined): string =>
  typeof value === 'object'
    ? JSON.stringify([value.type, value.line, value.value, value.label])
    : (JSON.stringify(value) ?? '');
/** Returns whether two values of a setting are the same. */
export const isSameValue = (a: TemplateValue | undefined, b: TemplateValue | undefined): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && written(a) === written(b));
/** Returns a value as text, the same for the same values. */
export const valueText = written;

/**
 * What devices a template is for. A later level overrides the values of an earlier one; among sites the nearest one
 * upwards decides, among the groups of a device the template that was added first.
 */
export const templateLevels = ['general', 'organization', 'site', 'series', 'model', 'group', 'device'] as const;
export type TemplateLevel = (typeof templateLevels)[number];
