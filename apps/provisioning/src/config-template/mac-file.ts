import {
  isPasswordKey,
  settings,
  settingSchemas,
  type ErrorKey,
  type SettingKey,
  type SettingValue,
} from '@carillon/contracts';
import { macFileLength } from '@carillon/contracts/constants';

/** Why a file is refused, with what its text names. */
export interface MacFileRefusal {
  error: ErrorKey;
  details?: Readonly<Record<string, string | number>>;
}
type Values = Partial<Record<SettingKey, SettingValue>>;
export type MacFileContent = { values: Values } | MacFileRefusal;

const macName = /^(?<mac>[0-9a-f]{2}(?:[-:]?[0-9a-f]{2}){5})\.txt$/i;
/** Returns the MAC that a file is named by, in lower-case digits; undefined when its name is another. */
export const macOfFile = (name: string): string | undefined =>
  macName.exec(name)?.groups!['mac']!.replaceAll(/[-:]/g, '').toLowerCase();

// What a decoder of UTF-8 puts in the place of other bytes, and control characters but tab and line ends.
const notText = /[\0-\x08\v\f\x0e-\x1f\x7f\ufffd]/;
const mark = '\ufeff';
const longestKey = 64;

/** Returns a value of the text in the type of its setting; undefined when the setting cannot have it. */
function valueOf(key: SettingKey, text: string): SettingValue | undefined {
  const read = {
    choice: () => text,
    host: () => text,
    zone: () => text,
    password: () => undefined,
    whole: () => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
    switch: () => (text === '1' ? true : text === '0' ? false : undefined),
  }[settings[key].kind]();
  return settingSchemas[key].safeParse(read).data;
}

const isSetting = (key: string): key is SettingKey => Object.hasOwn(settings, key);

/** Reads one line into `values`; returns why it is refused. */
function readLine(text: string, line: number, values: Values): MacFileRefusal | undefined {
  const at = text.indexOf('=');
  if (at < 1) return { error: 'macFile.line', details: { line } };
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  const where = { line, key: key.slice(0, longestKey) };
  if (key.startsWith('account.')) return { error: 'macFile.account', details: where };
  if (isPasswordKey(key)) return { error: 'macFile.password', details: where };
  if (!isSetting(key)) return { error: 'macFile.key', details: where };
  if (values[key] !== undefined) return { error: 'macFile.keyTwice', details: where };
  const typed = valueOf(key, value);
  if (typed === undefined) return { error: 'macFile.value', details: where };
  values[key] = typed;
  return undefined;
}

/**
 * Reads the settings of a MAC file: lines `setting = value` as a device on the link reads them (docs/device-link.md,
 * Configuration), empty lines, and comments that begin with `#`. Refuses the whole file by its first bad line.
 */
export function readMacFile(text: string): MacFileContent {
  if (text.length > macFileLength) return { error: 'macFile.long', details: { most: macFileLength } };
  if (notText.test(text)) return { error: 'macFile.notText' };
  const values: Values = {};
  const lines = (text.startsWith(mark) ? text.slice(mark.length) : text).split(/\r\n?|\n/);
  for (const [i, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const refused = readLine(line, i + 1, values);
    if (refused) return refused;
  }
  return Object.keys(values).length === 0 ? { error: 'macFile.empty' } : { values };
}
