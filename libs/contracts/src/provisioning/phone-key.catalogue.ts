/**
 * Keys of a phone that a template can give a function (CFG-01). This file imports nothing, so that the browser bundles
 * nothing else.
 */

/** Where a key is: beside the screen, on the body or the second screen, or below the screen. */
export const phoneKeyAreas = ['side', 'dss', 'soft'] as const;
export type PhoneKeyArea = (typeof phoneKeyAreas)[number];

/** What a key can do on the phones of several makers. */
export const phoneKeyTypes = [
  'none',
  'line',
  'speedDial',
  'blf',
  'callPark',
  'dtmf',
  'multicast',
  'url',
  'xml',
  'dnd',
  'forward',
  'voicemail',
  'phonebook',
  'redial',
] as const;
export type PhoneKeyType = (typeof phoneKeyTypes)[number];

/** What a key does. A type that takes no value has an empty one. */
export interface PhoneKey {
  type: PhoneKeyType;
  /** Line that it uses, from 1. */
  line: number;
  value: string;
  /** Empty: the phone shows its own text. */
  label: string;
}

/** The name of a key among the settings of a template: area, page and position on the page, both from 1. */
export type PhoneKeyName = `key.${PhoneKeyArea}.${number}.${number}`;
export interface PhoneKeyPlace {
  area: PhoneKeyArea;
  page: number;
  position: number;
}

/** Most pages and keys on a page, as many as a model can have. */
export const phoneKeyMost = 100;
/** Most keys in one template. */
export const phoneKeysMost = 96;
export const phoneKeyLine = { least: 1, most: 100 } as const;
export const phoneKeyLengths = { value: 128, label: 32 } as const;

const keyName = /^key\.(side|dss|soft)\.([1-9]\d?|100)\.([1-9]\d?|100)$/;
export const phoneKeyName = ({ area, page, position }: PhoneKeyPlace): PhoneKeyName =>
  `key.${area}.${page}.${position}`;
/** Returns whether this is the name of a key. */
export const isPhoneKeyName = (name: string): name is PhoneKeyName => keyName.test(name);
/** Returns the place that a name means. */
export function phoneKeyPlace(name: PhoneKeyName): PhoneKeyPlace {
  const [, area, page, position] = name.split('.');
  return { area: area as PhoneKeyArea, page: Number(page), position: Number(position) };
}
/** Compares names by area, page and position. */
export function comparePhoneKeys(a: PhoneKeyName, b: PhoneKeyName): number {
  const [left, right] = [phoneKeyPlace(a), phoneKeyPlace(b)];
  return (
    phoneKeyAreas.indexOf(left.area) - phoneKeyAreas.indexOf(right.area) ||
    left.page - right.page ||
    left.position - right.position
  );
}

/** The kind of value that a type of key takes; `target` may be empty. */
export const phoneKeyValues: Readonly<Partial<Record<PhoneKeyType, 'number' | 'target' | 'tones' | 'group' | 'url'>>> =
  {
    speedDial: 'number',
    blf: 'number',
    callPark: 'number',
    dtmf: 'tones',
    multicast: 'group',
    url: 'url',
    xml: 'url',
    forward: 'target',
    voicemail: 'target',
  };

/** Printable ASCII without quotes and angle brackets: an address on the wire has nothing else. */
const address = /^https?:\/\/[!$-&(-.0-;=@-~][!#-&(-;=?-~]*$/i;
const number = /^[\w*#+.@-]{1,64}$/;
const tones = /^[\dA-D*#,]{1,64}$/;
const group = /^(22[4-9]|23\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}:(\d{1,5})$/;

/** Returns whether a key of this type can have this value. */
export function fitsPhoneKey(type: PhoneKeyType, value: string): boolean {
  if (value.length > phoneKeyLengths.value) return false;
  switch (phoneKeyValues[type]) {
    case undefined:
      return value === '';
    case 'number':
      return number.test(value);
    case 'target':
      return value === '' || number.test(value);
    case 'tones':
      return tones.test(value);
    case 'group': {
      const port = Number(group.exec(value)?.at(-1) ?? 0);
      return port >= 1 && port <= 65_535;
    }
    case 'url':
      return address.test(value);
  }
}

/** What a model says of its keys; null is unknown. */
export interface PhoneKeyFacts {
  sipCount: number | null;
  softDssKeys: number | null;
  dssKeysPerPage: number | null;
  dssKeyPages: number | null;
  sideKeysPerPage: number | null;
  sideKeyPages: number | null;
  hiddenItems: readonly string[];
  secondScreen: boolean | null;
}

/** The keys of an area. */
export interface PhoneKeyGrid {
  perPage: number;
  pages: number;
  /** False: the number of keys is not known, and the general one stands here. */
  isKnown: boolean;
}
/** The keys of a phone. */
export interface PhoneKeyLayout {
  areas: Readonly<Record<PhoneKeyArea, PhoneKeyGrid>>;
  /** The DSS keys are shown on a second screen. */
  secondScreen: boolean;
  /** Lines that keys can use; null is unknown. */
  lines: number | null;
  /** What the model hides, keys and other items. */
  hiddenItems: string[];
}

const general = { side: [10, 4], dss: [12, 5], soft: [4, 1] } as const;
const grid = (area: PhoneKeyArea, perPage: number | null, pages: number | null): PhoneKeyGrid =>
  perPage === null || pages === null
    ? { perPage: general[area][0], pages: general[area][1], isKnown: false }
    : perPage === 0 || pages === 0
      ? { perPage: 0, pages: 0, isKnown: true }
      : { perPage, pages, isKnown: true };
const none: PhoneKeyGrid = { perPage: 0, pages: 0, isKnown: true };

const unknown: PhoneKeyFacts = {
  sipCount: null,
  softDssKeys: null,
  dssKeysPerPage: null,
  dssKeyPages: null,
  sideKeysPerPage: null,
  sideKeyPages: null,
  hiddenItems: [],
  secondScreen: null,
};

/**
 * Returns the keys that a model has. Hidden items have none: DSS keys, side keys, and a second screen with the DSS keys
 * on it. Without a model, and where its numbers are unknown, it is the general layout.
 */
export function phoneKeyLayout(facts: PhoneKeyFacts | null): PhoneKeyLayout {
  const { hiddenItems: hidden, secondScreen, ...known } = facts ?? unknown;
  const hasSecond = secondScreen === true;
  const hidesDss = hidden.includes('dssKeys');
  const isSecondHidden = hasSecond && hidden.includes('secondScreen');
  return {
    areas: {
      side: hidden.includes('sideKeys') ? none : grid('side', known.sideKeysPerPage, known.sideKeyPages),
      dss: hidesDss || isSecondHidden ? none : grid('dss', known.dssKeysPerPage, known.dssKeyPages),
      soft: hidesDss ? none : grid('soft', known.softDssKeys, 1),
    },
    secondScreen: hasSecond && !isSecondHidden,
    lines: hidden.includes('lines') ? 0 : known.sipCount,
    hiddenItems: [...hidden],
  };
}

/** Returns the keys that at least one of several models has; hidden is what all of them hide. */
export function sharedKeyLayout(layouts: readonly PhoneKeyLayout[]): PhoneKeyLayout {
  if (layouts.length === 0) return phoneKeyLayout(null);
  const largest = (area: PhoneKeyArea): PhoneKeyGrid => {
    const known = layouts.map(({ areas }) => areas[area]).filter(({ isKnown }) => isKnown);
    if (known.length < layouts.length) return grid(area, null, null);
    return known.reduce((a, b) => ({
      perPage: Math.max(a.perPage, b.perPage),
      pages: Math.max(a.pages, b.pages),
      isKnown: true,
    }));
  };
  const lines = layouts.map((layout) => layout.lines);
  return {
    areas: { side: largest('side'), dss: largest('dss'), soft: largest('soft') },
    secondScreen: layouts.some(({ secondScreen }) => secondScreen),
    lines: lines.includes(null) ? null : Math.max(...lines.map(Number)),
    hiddenItems: layouts[0]!.hiddenItems.filter((item) => layouts.every((layout) => layout.hiddenItems.includes(item))),
  };
}

/** Returns whether a layout has a place. */
export function hasPhoneKey({ areas }: PhoneKeyLayout, { area, page, position }: PhoneKeyPlace): boolean {
  const { perPage, pages } = areas[area];
  return page <= pages && position <= perPage;
}

/** Types whose key uses a line. */
export const phoneKeyOnLine: ReadonlySet<PhoneKeyType> = new Set([
  'line',
  'speedDial',
  'blf',
  'callPark',
  'forward',
  'voicemail',
]);

/** Returns whether a phone can have a key: it has the place, and the line that the key uses. */
export const takesPhoneKey = (layout: PhoneKeyLayout, place: PhoneKeyPlace, { type, line }: PhoneKey): boolean =>
  hasPhoneKey(layout, place) &&
  (layout.lines === null || !phoneKeyOnLine.has(type) || line <= Math.max(layout.lines, 1)) &&
  !(type === 'line' && layout.lines === 0);
