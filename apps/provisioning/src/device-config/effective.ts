import {
  isHiddenSetting,
  isPhoneKeyName,
  isRawSettingName,
  phoneKeyPlace,
  rawSettingOf,
  siteZone,
  takesPhoneKey,
  templateKeys,
  valueText,
  type Maker,
  type PhoneKey,
  type PhoneKeyLayout,
  type SettingValues,
  type TemplateKey,
  type TemplateLevel,
  type TemplateValue,
} from '@carillon/contracts';

/** A template as the precedence needs it. */
export interface Layer {
  id: string;
  name: string;
  level: TemplateLevel;
  /** Name of a model or series; id of an organization, site, group or device; null for all devices. */
  target: string | null;
  /** Null for all devices, and for what was deleted; absent where it is not shown. */
  targetName?: string | null;
  version: number;
  values: SettingValues;
  /** Settings that no other template may override. */
  locked: readonly TemplateKey[];
  /** Name of the company above that locks the values; absent for the own company's templates. */
  company?: string;
}

/** What decides which templates are for a device. */
export interface Placed {
  id: string;
  orgId: string;
  /** Its site and those above it, the nearest first. */
  siteIds: readonly string[];
  /** Time zone of the nearest of them that has one; null: none has. */
  siteZone: string | null;
  model: string;
  /** The series of its model; null for an unknown model. */
  series: string | null;
  groupIds: readonly string[];
}

/** A value with the template that it comes from, and those that it overrides, the nearest first. */
export interface EffectiveValue {
  key: TemplateKey;
  value: TemplateValue;
  layer: Layer;
  overridden: readonly { value: TemplateValue; layer: Layer }[];
}

/** The templates of a company, found by what they are for. */
export class Layers {
  private readonly byTarget: ReadonlyMap<string, Layer>;

  constructor(
    private readonly layers: readonly Layer[],
    /** What companies above lock. */
    private readonly above: readonly Layer[] = [],
  ) {
    this.byTarget = new Map(layers.map((layer) => [`${layer.level} ${layer.target}`, layer]));
  }

  /** Returns the same templates, one of them with other values, or without it when they are null. */
  with(template: Layer, values: SettingValues | null): Layers {
    const others = this.layers.filter(({ id }) => id !== template.id);
    return new Layers(values === null ? others : [...others, { ...template, values }], this.above);
  }

  /**
   * Returns the locks of the whole company, by setting, with the name of the company above; null for the template for
   * all devices. Those of the given template are left out.
   */
  locks(except?: string): Map<TemplateKey, { company: string | null }> {
    const general = this.layers.filter(({ level, id }) => level === 'general' && id !== except);
    return new Map(
      // Later entries win: what a company above locks.
      [...general, ...this.above].flatMap((layer) =>
        lockedKeys([layer]).map((key) => [key, { company: layer.company ?? null }] as const),
      ),
    );
  }

  /** Returns the templates that are for a device, the deciding one first. */
  for({ id, orgId, siteIds, series, model, groupIds }: Placed): Layer[] {
    const layersOf = (level: TemplateLevel, targets: readonly (string | null)[]): Layer[] =>
      targets.flatMap((target) => this.byTarget.get(`${level} ${target}`) ?? []);
    const general = layersOf('general', [null]);
    return [
      ...this.above,
      ...general.flatMap(lockedPart),
      ...layersOf('device', [id]),
      // The ids rise with time: among groups the older template decides.
      ...layersOf('group', groupIds).sort((a, b) => (a.id < b.id ? -1 : 1)),
      ...layersOf('model', [model]),
      ...(series === null ? [] : layersOf('series', [series])),
      ...layersOf('site', siteIds),
      ...layersOf('organization', [orgId]),
      ...general.map(openPart),
    ];
  }
}

const partOf = (layer: Layer, keys: readonly TemplateKey[]): Layer => ({
  ...layer,
  values: Object.fromEntries(
    keys.flatMap((key) => (layer.values[key] === undefined ? [] : [[key, layer.values[key]]])),
  ),
});
/** Returns a template with the settings that it locks. */
const lockedPart = (layer: Layer): Layer[] => (layer.locked.length === 0 ? [] : [partOf(layer, layer.locked)]);
/** Returns a template without the settings that it locks. */
const openPart = (layer: Layer): Layer =>
  layer.locked.length === 0
    ? layer
    : partOf(
        layer,
        templateKeys(layer.values).filter((key) => !layer.locked.includes(key)),
      );

/** Returns whether a setting is for phones of this maker; undefined is a maker that is not known yet. */
const isForMaker = (key: TemplateKey, maker: Maker | undefined): boolean =>
  maker === undefined || !isRawSettingName(key) || rawSettingOf(key).maker === maker;

/**
 * Returns what a device is to have, in the order of the catalogue, then the keys of the phone and the raw settings of
 * its maker. Each setting is decided for itself. Unknown settings of a later release are left out. A template that
 * takes the time zone of the site does not decide where no site has one.
 */
export function effectiveValues(
  layers: readonly Layer[],
  device: Pick<Placed, 'siteZone'>,
  maker: Maker | undefined,
): EffectiveValue[] {
  const given = layers.map((layer) => ({ layer, values: placedValues(layer.values, device) }));
  return templateKeys(...given.map(({ values }) => values)).flatMap((key) => {
    if (!isForMaker(key, maker)) return [];
    const [first, ...overridden] = given.flatMap(({ layer, values }) => {
      const value = values[key];
      return value === undefined ? [] : [{ value, layer }];
    });
    return first ? [{ key, ...first, overridden }] : [];
  });
}

/** Returns the values of a template for a device: with the time zone of its site, or without one where no site has it. */
export function placedValues(values: SettingValues, { siteZone: zone }: Pick<Placed, 'siteZone'>): SettingValues {
  if (values['time.zone'] !== siteZone) return values;
  const { 'time.zone': _, ...others } = values;
  return zone === null ? others : { ...values, 'time.zone': zone };
}

/** Returns whether a phone can have a value: a key if it is there, another setting if the model does not hide its item. */
export const fitsLayout = (layout: PhoneKeyLayout, { key, value }: Pick<EffectiveValue, 'key' | 'value'>): boolean =>
  isPhoneKeyName(key) ? takesPhoneKey(layout, phoneKeyPlace(key), value as PhoneKey) : !isHiddenSetting(layout, key);

export const valuesOf = (effective: readonly EffectiveValue[]): SettingValues =>
  Object.fromEntries(effective.map(({ key, value }) => [key, value]));

/** Returns the company's templates that decide values, each with their settings. */
export const sourcesOf = (effective: readonly EffectiveValue[]) => {
  const own = effective.filter(({ layer }) => layer.company === undefined);
  return [...Map.groupBy(own, ({ layer }) => layer.id).values()].map((values) => {
    const { id, name, version } = values[0]!.layer;
    return { id, name, version, keys: values.map(({ key }) => key) };
  });
};

/** Returns the settings of these templates that cannot be overridden. */
export const lockedKeys = (layers: readonly Layer[]): TemplateKey[] =>
  templateKeys(...layers.map(({ values }) => values)).filter((key) =>
    layers.some(({ locked, values }) => locked.includes(key) && values[key] !== undefined),
  );

/** Returns whether two sets of values are the same, in whatever order. */
export const isSame = (a: SettingValues, b: SettingValues): boolean => {
  const [left, right] = [a, b].map((values) =>
    Object.entries(values)
      .map(([key, value]) => `${key} ${valueText(value)}`)
      .sort()
      .join('\n'),
  );
  return left === right;
};
