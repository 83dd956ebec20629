import {
  isPasswordKey,
  isPhoneKeyName,
  isRawSettingName,
  unsentPassword,
  phoneKeyNames,
  rawSettingNames,
  rawSettingOf,
  settingKeys,
  settings,
  type Maker,
  type SettingDefinition,
  type SettingKey,
  type TemplateValue,
} from '@carillon/contracts/settings';
import { count } from '../../../kit/text/text.ts';
import { hasText, t } from '../../../kit/text/translate.ts';
import { keyPlaceWords, keyWords } from '../phone-key/key-words.ts';

export type SettingGroup = SettingKey extends infer K ? (K extends `${infer G}.${string}` ? G : never) : never;

const groupOf = (key: SettingKey) => key.slice(0, key.indexOf('.')) as SettingGroup;
const isSetting = (key: string): key is SettingKey => Object.hasOwn(settings, key);
export const definitionOf = (key: SettingKey): SettingDefinition => settings[key];

/** Returns settings by their group, in the order of the catalogue. */
export const byGroup = (keys: readonly SettingKey[]): [SettingGroup, SettingKey[]][] => [
  ...Map.groupBy(
    settingKeys.filter((key) => keys.includes(key)),
    groupOf,
  ),
];

/**
 * Returns the same for keys from the server: the keys of the phone and the raw settings behind the settings, and at the
 * end what this console does not know.
 */
export function groupsOf(keys: readonly string[]): [SettingGroup | 'keys' | 'raw' | undefined, string[]][] {
  const named = Object.fromEntries(keys.map((key) => [key, '']));
  const isKnown = (key: string) => isSetting(key) || isPhoneKeyName(key) || isRawSettingName(key);
  const others: ['keys' | 'raw' | undefined, string[]][] = [
    ['keys', phoneKeyNames(named)],
    ['raw', rawSettingNames(named)],
    [undefined, keys.filter((key) => !isKnown(key))],
  ];
  return [...byGroup(keys.filter(isSetting)), ...others.filter(([, found]) => found.length > 0)];
}

/** Returns the name of a setting, or its key when this console does not know it. */
export function settingName(key: string): string {
  if (isSetting(key)) return t(`setting.${key}`);
  if (isPhoneKeyName(key)) return keyPlaceWords(key);
  if (!isRawSettingName(key)) return key;
  const { maker, name } = rawSettingOf(key);
  return `${makerNames[maker]}: ${name}`;
}

/** Names of makers are the same in every language. */
export const makerNames: Readonly<Record<Maker, string>> = {
  fanvil: 'Fanvil',
  yealink: 'Yealink',
  grandstream: 'Grandstream',
  snom: 'Snom',
  poly: 'Poly',
  akuvox: 'Akuvox',
  htek: 'Htek',
};

/** Every choice has a text. */
type Choice = {
  [K in SettingKey]: (typeof settings)[K] extends { values: readonly (infer V extends string)[] }
    ? `setting.${K}.${V}`
    : never;
}[SettingKey];

const withUnit = (definition: SettingDefinition, value: number): string =>
  definition.kind === 'whole' && definition.unit === 'seconds'
    ? t('setting.seconds', { count: value, number: count(value) })
    : String(value);

/** Tells passwords apart by the end of their ids. */
const passwordWords = (id: string): string =>
  id === unsentPassword ? t('setting.passwordNew') : t('setting.passwordSet', { mark: id.slice(-4).toUpperCase() });

/** Returns a value in words, with its unit. */
export function valueWords(key: string, value: TemplateValue): string {
  if (typeof value === 'object') return keyWords(value);
  if (typeof value === 'boolean') return t(value ? 'setting.on' : 'setting.off');
  if (isPasswordKey(key)) return passwordWords(String(value));
  if (!isSetting(key) || definitionOf(key).kind === 'host') return String(value);
  const named = `setting.${key}.${value}`;
  if (hasText(named)) return t(named as Choice);
  return typeof value === 'number' ? withUnit(definitionOf(key), value) : value;
}

/** Returns the limits of a number, the upper one with its unit. */
export const limitsOf = (definition: SettingDefinition & { kind: 'whole' }): { least: string; most: string } => ({
  least: count(definition.least),
  most: definition.unit === undefined ? String(definition.most) : withUnit(definition, definition.most),
});
