import {
  isSameValue,
  lineFields,
  templateKeys,
  type Maker,
  type SettingValues,
  type TemplateKey,
  type TemplateValue,
} from '@carillon/contracts';
import type { Desired, DesiredLine } from '../device-config/desired.ts';
import {
  effectiveValues,
  isSame,
  lockedKeys,
  placedValues,
  valuesOf,
  type EffectiveValue,
  type Layer,
  type Placed,
} from '../device-config/effective.ts';

/** Returns the settings that differ, in the order of the catalogue, those of other releases last. */
export function settingDifferences(before: SettingValues, after: SettingValues) {
  const [had, has] = [before, after] as Readonly<Record<string, TemplateValue | undefined>>[];
  const keys = new Set<string>([...templateKeys(before, after), ...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    isSameValue(had![key], has![key]) ? [] : [{ key, before: had![key] ?? null, after: has![key] ?? null }],
  );
}

const accountOf = (line: DesiredLine | undefined) =>
  line ? { label: line.label, user: line.user, server: line.server } : null;

/** Returns the lines that differ, with the names of what does. A password is only named. */
export function lineDifferences(before: Desired['lines'], after: Desired['lines']) {
  const numbers = [...new Set([...before, ...after].map(({ line }) => line))].sort((a, b) => a - b);
  return numbers.flatMap((line) => {
    const [had, has] = [before, after].map((lines) => lines.find((one) => one.line === line));
    const fields = lineFields.filter((field) => JSON.stringify(had?.[field]) !== JSON.stringify(has?.[field]));
    return fields.length === 0 ? [] : [{ line, before: accountOf(had), after: accountOf(has), fields }];
  });
}

/**
 * Returns the values that the device's own template needs, so that the device has the settings of a former
 * configuration again; null when nothing has to change, or no template can do it. The template takes what the others do
 * not give. Settings that the device did not have then, and would still have, remain, and so do locked ones that
 * differ. `placed` has the time zone of its site, and `fits` says which values the phone can have.
 */
export function restoringValues(
  former: SettingValues,
  layers: readonly Layer[],
  placed: Pick<Placed, 'siteZone'>,
  maker: Maker | undefined,
  fits: (value: Pick<EffectiveValue, 'key' | 'value'>) => boolean = () => true,
): { values: SettingValues | null; remaining: TemplateKey[] } {
  const own = layers.find(({ level }) => level === 'device');
  const owned = placedValues(own?.values ?? {}, placed);
  const given = valuesOf(
    effectiveValues(
      layers.filter((layer) => layer !== own),
      placed,
      maker,
    ),
  );
  const locked = new Set(lockedKeys(layers));
  const wanted = templateKeys(former).filter((key) => !locked.has(key));
  const needed = wanted.filter((key) => !isSameValue(given[key], former[key]) || isSameValue(owned[key], former[key]));
  // A template has at least one setting.
  const keys = needed.length > 0 ? needed : wanted;
  const restored: SettingValues = Object.fromEntries(keys.map((key) => [key, former[key]!]));
  const isNothing =
    keys.length === 0 || isSame(restored, owned) || (needed.length === 0 && templateKeys(owned).length === 0);
  // What the own template says already stays as it says it: the zone of the site still follows the site.
  const kept = keys.filter((key) => own?.values[key] !== undefined && isSameValue(owned[key], former[key]));
  const values = isNothing ? null : { ...restored, ...Object.fromEntries(kept.map((key) => [key, own!.values[key]!])) };
  const open: SettingValues = { ...given, ...(isNothing ? owned : restored) };
  const has = (key: TemplateKey, value: TemplateValue | undefined): boolean =>
    value !== undefined && fits({ key, value });
  const remains = (key: TemplateKey): boolean =>
    locked.has(key)
      ? !isSameValue(given[key], former[key]) && (former[key] !== undefined || has(key, given[key]))
      : former[key] === undefined && has(key, open[key]);
  return { values, remaining: templateKeys(former, open).filter(remains) };
}
