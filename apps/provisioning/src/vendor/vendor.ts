import {
  phoneKeyName,
  rawSettingNames,
  rawSettingOf,
  type Maker,
  type RawSetting,
  type SettingKey,
  type SettingValues,
  type TemplateKey,
} from '@carillon/contracts';
import type { Desired, DesiredKey } from '../device-config/desired.ts';
import { eventUrls, type EventUrls } from './event-urls.ts';
import type { FileSettings } from './file-setting.ts';
import { unnamed, type Named } from './names.ts';

/** How the phones of a maker load their configuration over HTTP. A pure function of what they are to have. */
export interface Vendor {
  name: string;
  /** Its word in the names of raw settings. */
  maker: Maker;
  /** The series of the catalogue of models whose devices load this file. */
  series: readonly string[];
  /** First six digits of the MACs that belong to the maker. */
  prefixes: readonly string[];
  /** The User-Agent of the maker's phones, with their MAC in the group `mac` if they name it. */
  agent: RegExp;
  /** Name of the file that a phone asks for, from its MAC in lower-case digits. */
  fileOf: (mac: string) => string;
  /** Further names, in lower case, that its phones ask for the same file by, with their MAC in the group `mac`. */
  otherNames?: RegExp;
  /** A file that tells any of its phones the name of its own file. It contains nothing of the device. */
  master?: { name: string; text: string };
  contentType: string;
  /** Highest line that the syntax has names for. */
  mostLines: number;
  /** Its action URLs; null when the names of their settings are not published. */
  events: EventUrls | null;
  /** Names that the file has for itself. */
  reserved?: readonly string[];
  /** How its phones are told over SIP; null when its documents do not say. */
  notify: Notify | null;
  /** What its phones can be told to load besides their configuration. */
  loads: FileSettings;
  /** Returns everything that a device is to have, by the names of the maker. */
  settingsOf(desired: Desired): Named;
  /** Returns what the maker's syntax writes for a key; nothing for a key or a function that it cannot express. */
  ofKey(key: DesiredKey): Named;
  /** Returns the settings that make a phone ask for its file in this folder from now on. */
  addressOf(folder: URL): Named;
  /** Writes settings as a file. `revision` rises with each change: some makers apply only a file with a higher one. */
  write(settings: Named, revision: number): string;
  /** Settings that the maker's syntax has no name for, or not with this value. */
  withoutName(values: SettingValues): SettingKey[];
}

/** What the `Event` header of a SIP NOTIFY says to the phones of a maker (EDGE-06). */
export interface Notify {
  /** Fetch the configuration. */
  fetch: string;
  /** Restart; null when the maker has no word for it, or when it restarts only phones whose configuration changed. */
  restart: string | null;
}

/** How often a phone asks whether its file changed, in minutes. */
export const askAgainMinutes = 60;

/**
 * Returns the file of a device. `folder` is the address of its files, for the settings with that address and its
 * action URLs; without it the file has none of them. `toLoad` are settings that it has for a while only.
 */
export const renderFile = (
  vendor: Vendor,
  desired: Desired,
  revision: number,
  folder?: string,
  toLoad: Named = unnamed,
): string =>
  vendor.write(
    {
      ...rawOf(vendor, desired),
      ...vendor.settingsOf(desired),
      ...(folder === undefined ? unnamed : vendor.addressOf(new URL(folder))),
      ...(folder === undefined || vendor.events === null ? unnamed : eventUrls(vendor.events, folder)),
      ...toLoad,
    },
    revision,
  );

/** The attribute that an index in the name of a raw setting becomes. */
const indexes: Partial<Record<Maker, string>> = { fanvil: 'index', snom: 'idx' };
/** Returns the name of a raw setting as the file of its maker has it: `line[2]` becomes `line index="2"`. */
export const rawNameInFile = ({ maker, name }: RawSetting): string =>
  name.replaceAll(/\[(\d+)\]/g, ` ${indexes[maker]}="$1"`);

/** Returns the raw settings for the phones of a maker. What Carillon sets itself is written over them. */
const rawOf = ({ maker }: Vendor, { values }: Desired): Named =>
  Object.fromEntries(
    rawSettingNames(values)
      .map((key) => ({ ...rawSettingOf(key), value: String(values[key]) }))
      .filter((raw) => raw.maker === maker)
      .map(({ value, ...raw }) => [rawNameInFile(raw), value]),
  );

/** Returns the settings and the keys that a maker's syntax leaves out. */
export const leftOutBy = (vendor: Vendor, values: SettingValues, keys: readonly DesiredKey[]): TemplateKey[] => [
  ...vendor.withoutName(values),
  ...keys.filter((key) => Object.keys(vendor.ofKey(key)).length === 0).map(phoneKeyName),
];
