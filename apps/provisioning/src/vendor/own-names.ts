import {
  isPasswordKey,
  phoneKeyLine,
  settingKeys,
  settings,
  type RawSetting,
  type SettingDefinition,
  type SettingValue,
} from '@carillon/contracts';
import type { DesiredLine } from '../device-config/desired.ts';
import { eventUrls } from './event-urls.ts';
import { rawNameInFile, type Vendor } from './vendor.ts';
import { vendors } from './vendor-of.ts';

/** Values of a setting that between them make a maker write every name that it has for the setting. */
function samplesOf(setting: SettingDefinition): readonly SettingValue[] {
  switch (setting.kind) {
    case 'choice':
      return setting.values;
    case 'switch':
      return [true, false];
    case 'host':
      return [setting.standard];
    case 'password':
      return ['a'];
    case 'zone':
      return ['Europe/Berlin', setting.standard];
    case 'whole':
      return [setting.most, ...Array.from({ length: Math.min(61, setting.most) }, (_, n) => setting.least + n)];
  }
}

const folder = 'https://carillon.example/p/t/';
const mac = '001122334455';
const place = { address: 'a.example', port: 5060 };
const sampleLine = (line: number): DesiredLine => ({
  line,
  label: 'a',
  display: 'a',
  user: 'a',
  auth: 'a',
  password: 'a',
  server: place.address,
  port: place.port,
  transport: 'tls',
  domain: place.address,
  proxy: place,
  backup: place,
  voicemail: '1',
});

/**
 * Returns the names that Carillon writes itself: of the catalogue, of lines, of action URLs, of the address, of files
 * to load, and of the file itself. They are without their indexes, because a name without one, or with another one, can
 * mean the same setting.
 */
function ownNames(vendor: Vendor): ReadonlySet<string> {
  const lines = Array.from({ length: Math.min(vendor.mostLines, phoneKeyLine.most) }, (_, n) => sampleLine(n + 1));
  const files = settingKeys.flatMap((key) =>
    samplesOf(settings[key]).map((value) => ({
      ...(isPasswordKey(key) ? { values: {}, passwords: { [key]: String(value) } } : { values: { [key]: value } }),
      lines: [],
      emptied: [],
    })),
  );
  return new Set(
    [
      ...files.map((desired) => vendor.settingsOf(desired)),
      vendor.settingsOf({ values: {}, lines, emptied: [] }),
      vendor.settingsOf({ values: {}, lines: [], emptied: lines.map(({ line }) => line) }),
      vendor.addressOf(new URL(folder)),
      vendor.events === null ? {} : eventUrls(vendor.events, folder),
      ...Object.values(vendor.loads).map((one) => one.settings(new URL('image.bin', folder), { folder, mac })),
    ]
      .flatMap((named) => Object.keys(named))
      .concat(vendor.reserved ?? [])
      .map(withoutIndexes),
  );
}

const withoutIndexes = (name: string): string => name.replaceAll(/ \w+="\d+"/g, '');
/** Returns whether one of two paths goes through the other one. */
const isThrough = (a: string, b: string): boolean => a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

const known = new Map<string, ReadonlySet<string>>();

/** Returns whether Carillon writes this name itself, so that a raw setting of it would have no effect. */
export function isOwnName(raw: RawSetting): boolean {
  const { maker } = raw;
  const own = known.get(maker) ?? ownNames(vendors.find((vendor) => vendor.maker === maker)!);
  known.set(maker, own);
  const name = withoutIndexes(rawNameInFile(raw));
  return own.has(name) || (name.includes('/') && [...own].some((one) => isThrough(one, name)));
}
