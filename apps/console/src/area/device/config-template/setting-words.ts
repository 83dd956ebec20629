import {
  comparePhoneKeys,
  isPhoneKeyName,
  settingKeys,
  settings,
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
 * Returns the same for keys from the server: the keys of the phone behind the settings, and at the end what this
 * console does not know.
 */
export function groupsOf(keys: readonly string[]): [SettingGroup | 'keys' | undefined, string[]][] {
  const ofPhone = keys.filter((key) => isPhoneKeyName(key)).sort(comparePhoneKeys);
  const unknown = keys.filter((key) => !isSetting(key) && !isPhoneKeyName(key));
  return [
    ...byGroup(keys.filter(isSetting)),
    ...(ofPhone.length > 0 ? [['keys', ofPhone] as ['keys', string[]]] : []),
    ...(unknown.length > 0 ? [[undefined, unknown] as [undefined, string[]]] : []),
  ];
}

/** Returns the name of a setting, or its key when this console does not know it. */
export const settingName = (key: string): string =>
  isSetting(key) ? t(`setting.${key}`) : isPhoneKeyName(key) ? keyPlaceWords(key) : key;

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

/** Returns a value in words, with its unit. */
export function valueWords(key: string, value: TemplateValue): string {
  if (typeof value === 'object') return keyWords(value);
  if (typeof value === 'boolean') return t(value ? 'setting.on' : 'setting.off');
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
