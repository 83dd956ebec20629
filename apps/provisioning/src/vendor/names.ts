import { settingKeys, type SettingKey, type SettingValue, type SettingValues } from '@carillon/contracts';
import { clearValues, type Desired, type DesiredKey, type DesiredLine } from '../device-config/desired.ts';

/** Values by the name that a maker's syntax has for them. */
export type Named = Readonly<Record<string, SettingValue>>;
/** What a maker's syntax writes for a setting; nothing for a value that it cannot express. */
export type SettingNames = Partial<Record<SettingKey, (value: SettingValue) => Named>>;

export const unnamed: Named = {};

function namedBy(names: SettingNames, values: SettingValues, key: SettingKey): Named {
  const value = values[key];
  return value === undefined || typeof value === 'object' ? unnamed : (names[key]?.(value) ?? unnamed);
}

/** Returns everything that a device is to have, by the names of its maker. */
export function allNamed(
  { keys = [], lines, emptied, ...desired }: Desired,
  names: SettingNames,
  ofKey: (key: DesiredKey) => Named,
  ofLine: (line: DesiredLine) => Named,
  ofEmptied: (line: number) => Named,
): Named {
  const values = clearValues(desired);
  return Object.assign(
    {},
    ...settingKeys.map((key) => namedBy(names, values, key)),
    ...keys.map(ofKey),
    ...lines.map(ofLine),
    ...emptied.map(ofEmptied),
  ) as Named;
}

/** Returns the settings that the names leave out. */
export const withoutNameIn =
  (names: SettingNames) =>
  (values: SettingValues): SettingKey[] =>
    settingKeys.filter((key) => values[key] !== undefined && Object.keys(namedBy(names, values, key)).length === 0);
