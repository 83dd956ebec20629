/** What a model is (spec, section 3). */
export const modelTypes = ['general', 'video', 'egs', 'base', 'ipct'] as const;
export type ModelType = (typeof modelTypes)[number];

/** What a template and a form may leave out for a model. */
export const hiddenItems = ['dssKeys', 'sideKeys', 'secondScreen', 'doors', 'lines', 'video', 'wifi'] as const;
export type HiddenItem = (typeof hiddenItems)[number];

/** A model as it is sold. Null is what nobody has looked up: it counts as not there, and is shown as unknown. */
export interface ModelFacts {
  name: string;
  showName: string;
  /** As the device calls itself where that is not its name, for example in its file names. */
  internalName: string;
  series: string;
  type: ModelType;
  sipCount: number | null;
  doorCount: number | null;
  softDssKeys: number | null;
  dssKeysPerPage: number | null;
  dssKeyPages: number | null;
  sideKeysPerPage: number | null;
  sideKeyPages: number | null;
  hiddenItems: readonly HiddenItem[];
  secondScreen: boolean | null;
  mutualAuth: boolean | null;
}

const unknown = {
  softDssKeys: null,
  dssKeysPerPage: null,
  dssKeyPages: null,
  sideKeysPerPage: null,
  sideKeyPages: null,
  secondScreen: null,
  mutualAuth: null,
} as const;
const noDoors: readonly HiddenItem[] = ['doors'];
const phone = (vendor: string, series: string, name: string, sipCount: number, type: ModelType = 'general') => ({
  ...unknown,
  name,
  showName: `${vendor} ${name}`,
  internalName: '',
  series: `${vendor} ${series}`,
  type,
  sipCount,
  doorCount: 0,
  hiddenItems: noDoors,
});
const door = (vendor: string, series: string, name: string) => ({
  ...phone(vendor, series, name, 2, 'egs'),
  doorCount: null,
  hiddenItems: [],
});

/** In the place of a model: the device's own word, when it says hello, is taken for it (DEV-02). */
export const autoModel = 'Auto';
/**
 * Types whose devices are set up for what they have before they first speak: doors, handsets, screens. A series with
 * one of them is listed: its devices need their model, and are never Auto (DEV-02). Nowhere else is it decided.
 */
const typesWithoutAuto: ReadonlySet<ModelType> = new Set(['egs', 'base', 'ipct']);
/** Series of which no device may be added as Auto. */
export const listedSeries = (models: readonly Pick<ModelFacts, 'series' | 'type'>[]): ReadonlySet<string> =>
  new Set(models.filter(({ type }) => typesWithoutAuto.has(type)).map(({ series }) => series));

/** Models that every company has without adding them. A version of Carillon brings further ones. */
export const suppliedModels: readonly ModelFacts[] = [
  phone('Fanvil', 'X', 'X3U Pro', 6),
  phone('Fanvil', 'X', 'X4U', 12),
  phone('Fanvil', 'X', 'X5U', 16),
  phone('Fanvil', 'X', 'X6U', 20),
  phone('Fanvil', 'X', 'X7A', 20, 'video'),
  phone('Fanvil', 'V', 'V64', 12),
  phone('Fanvil', 'V', 'V67', 20, 'video'),
  phone('Yealink', 'T3', 'SIP-T31P', 2),
  phone('Yealink', 'T4', 'SIP-T43U', 12),
  phone('Yealink', 'T4', 'SIP-T46U', 16),
  phone('Yealink', 'T5', 'SIP-T54W', 16),
  phone('Yealink', 'T5', 'SIP-T58W', 16, 'video'),
  phone('Grandstream', 'GRP', 'GRP2612P', 2),
  phone('Grandstream', 'GRP', 'GRP2614', 4),
  phone('Grandstream', 'GXP', 'GXP2170', 6),
  phone('Grandstream', 'GXV', 'GXV3370', 16, 'video'),
  door('Fanvil', 'i', 'i16SV'),
  door('Fanvil', 'i', 'i23S'),
  door('Fanvil', 'i', 'i33V'),
  door('Grandstream', 'GDS', 'GDS3710'),
];
