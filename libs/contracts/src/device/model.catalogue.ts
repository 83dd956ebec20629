/** Types of models (CFG-03). */
export const modelTypes = ['general', 'video', 'egs', 'base', 'ipct'] as const;
export type ModelType = (typeof modelTypes)[number];

/** Items that a template and a form may hide for a model. */
export const hiddenItems = ['dssKeys', 'sideKeys', 'secondScreen', 'doors', 'lines', 'video', 'wifi'] as const;
export type HiddenItem = (typeof hiddenItems)[number];

/** What a model can do, by the key of an action: true is supported, false is not, and an absent one is unknown. */
export type ModelCapabilities = Readonly<Record<string, boolean>>;

/** A model as sold. Null means not looked up: it counts as absent, and is shown as unknown. */
export interface ModelFacts {
  name: string;
  showName: string;
  /** The name that the device itself uses, for example in file names, when it differs. */
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
  capabilities: ModelCapabilities;
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
/**
 * The makers document these over TR-069 for their phones: parameters, reboot, factory reset and the download of
 * firmware. Nothing else is recorded, and stays unknown.
 */
const managed: ModelCapabilities = { configUpdate: true, factoryReset: true, firmwareUpgrade: true, reboot: true };
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
  capabilities: managed,
});
/**
 * Adds the keys of a model: keys on a page and pages, beside the screen and on the second screen or the body. Without
 * the latter their number is unknown, as it is for phones that take expansion modules.
 */
const withKeys = (
  model: ReturnType<typeof phone>,
  [sideKeysPerPage, sideKeyPages]: readonly [perPage: number, pages: number],
  [dssKeysPerPage, dssKeyPages]: readonly [perPage: number, pages: number] | readonly [null, null] = [null, null],
  secondScreen: boolean | null = null,
) => ({ ...model, sideKeysPerPage, sideKeyPages, dssKeysPerPage, dssKeyPages, secondScreen });
/** No keys beside those of the screen. */
const noKeys = [0, 0] as const;
const door = (vendor: string, series: string, name: string) => ({
  ...phone(vendor, series, name, 2, 'egs'),
  doorCount: null,
  hiddenItems: [],
  // The makers document the opening over HTTP.
  capabilities: { doorControl: true },
});

/** Placeholder for the model: the model is then taken from the device's hello (DEV-02). */
export const autoModel = 'Auto';
/**
 * Types whose devices need a configuration for their hardware before they first connect: doors, handsets, screens. A
 * series with one of these types is listed: its devices need a model and are never Auto (DEV-02). Only this set decides
 * it.
 */
const typesWithoutAuto: ReadonlySet<ModelType> = new Set(['egs', 'base', 'ipct']);
/** Returns the series whose devices may not be added as Auto. */
export const listedSeries = (models: readonly Pick<ModelFacts, 'series' | 'type'>[]): ReadonlySet<string> =>
  new Set(models.filter(({ type }) => typesWithoutAuto.has(type)).map(({ series }) => series));

/** Models that every company has without adding them. New versions of Carillon add further ones. */
export const suppliedModels: readonly ModelFacts[] = [
  phone('Fanvil', 'X', 'X3U Pro', 6),
  withKeys(phone('Fanvil', 'X', 'X4U', 12), [3, 1], [6, 5], true),
  withKeys(phone('Fanvil', 'X', 'X5U', 16), [4, 1], [6, 5], true),
  withKeys(phone('Fanvil', 'X', 'X6U', 20), [5, 1], [12, 5], true),
  phone('Fanvil', 'X', 'X7A', 20, 'video'),
  withKeys(phone('Fanvil', 'V', 'V64', 12), [7, 3], noKeys, false),
  phone('Fanvil', 'V', 'V67', 20, 'video'),
  withKeys(phone('Yealink', 'T3', 'SIP-T31P', 2), [2, 1], noKeys, false),
  withKeys(phone('Yealink', 'T4', 'SIP-T43U', 12), [7, 3]),
  withKeys(phone('Yealink', 'T4', 'SIP-T46U', 16), [9, 3]),
  withKeys(phone('Yealink', 'T5', 'SIP-T54W', 16), [9, 3]),
  phone('Yealink', 'T5', 'SIP-T58W', 16, 'video'),
  phone('Grandstream', 'GRP', 'GRP2612P', 2),
  phone('Grandstream', 'GRP', 'GRP2614', 4),
  phone('Grandstream', 'GXP', 'GXP2170', 6),
  phone('Grandstream', 'GXV', 'GXV3370', 16, 'video'),
  withKeys(phone('Snom', 'D1', 'D120', 2), [2, 1], noKeys, false),
  withKeys(phone('Snom', 'D7', 'D717', 6), [3, 1]),
  withKeys(phone('Snom', 'D7', 'D735', 12), [8, 4]),
  withKeys(phone('Snom', 'D7', 'D785', 12), [6, 4]),
  phone('Snom', 'D8', 'D865', 12),
  phone('Poly', 'VVX', 'VVX 250', 4),
  phone('Poly', 'VVX', 'VVX 350', 6),
  phone('Poly', 'VVX', 'VVX 450', 12),
  phone('Poly', 'CCX', 'CCX 500', 24),
  phone('Akuvox', 'SP', 'SP-R50P', 2),
  phone('Akuvox', 'SP', 'SP-R53P', 3),
  withKeys(phone('Akuvox', 'SP', 'SP-R63G', 3), [8, 1], noKeys, false),
  phone('Htek', 'UC', 'UC902', 2),
  phone('Htek', 'UC', 'UC912G', 4),
  phone('Htek', 'UC', 'UC924', 4),
  phone('Htek', 'UC', 'UC926', 6),
  door('Fanvil', 'i', 'i16SV'),
  door('Fanvil', 'i', 'i23S'),
  door('Fanvil', 'i', 'i33V'),
  door('Grandstream', 'GDS', 'GDS3710'),
];
