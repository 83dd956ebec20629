import {
  settingKeys,
  templateLevels,
  type SettingKey,
  type SettingValue,
  type SettingValues,
  type TemplateLevel,
} from '@carillon/contracts';

/** A template as the precedence needs it. */
export interface Layer {
  id: string;
  name: string;
  level: TemplateLevel;
  /** Null: it is for all devices. */
  model: string | null;
  values: SettingValues;
}

/** A value with the template that it comes from, and those that it overrides, the nearest first. */
export interface EffectiveValue {
  key: SettingKey;
  value: SettingValue;
  layer: Layer;
  overridden: readonly { value: SettingValue; layer: Layer }[];
}

/** Returns the templates that are for a device, the deciding one first. */
export const layersFor = (layers: readonly Layer[], model: string): Layer[] =>
  layers
    .filter((layer) => layer.model === null || layer.model === model)
    .sort((a, b) => templateLevels.indexOf(b.level) - templateLevels.indexOf(a.level));

/** Returns what a device is to have, in the order of the catalogue. Unknown settings of a later release are left out. */
export function effectiveValues(layers: readonly Layer[], model: string): EffectiveValue[] {
  const own = layersFor(layers, model);
  return settingKeys.flatMap((key) => {
    const [first, ...overridden] = own.flatMap((layer) => {
      const value = layer.values[key];
      return value === undefined ? [] : [{ value, layer }];
    });
    return first ? [{ key, ...first, overridden }] : [];
  });
}

export const valuesOf = (effective: readonly EffectiveValue[]): SettingValues =>
  Object.fromEntries(effective.map(({ key, value }) => [key, value]));

/** A value of the host kind cannot contain these, and a file must not have a second line because of one. */
const lineEnd = /[\r\n\0]/g;

/** Returns the text for a device on the MQTT link: `key = value` lines (docs/device-link.md, Configuration). */
export const linkText = (values: SettingValues): string =>
  settingKeys
    .filter((key) => values[key] !== undefined)
    .map((key) => {
      const value = values[key]!;
      const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value).replaceAll(lineEnd, ' ');
      return `${key} = ${text}\n`;
    })
    .join('');
