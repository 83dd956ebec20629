import type { ResourceType } from '@carillon/contracts';
import type { Named } from './names.ts';

/** What a phone can be told to load besides its configuration. */
export type FileKind = 'firmware' | ResourceType;

/** A file that a command tells a phone to load. */
export interface PhoneFile {
  kind: FileKind;
  /** Its signed link. */
  url: string;
  /** The version that the phone then says; null for a file without one. */
  version: string | null;
}

/** How the configuration of a maker's phones names a file that they are to load. Only what the maker documents. */
export interface FileSetting {
  /** Returns the settings with the address of the file. `folder` is the address of the device's own files. */
  settings(url: URL, own: { folder: string; mac: string }): Named;
  /** A further file that has the address, of makers whose phones load that first. */
  beside?: {
    /** Its name, from the MAC in lower-case digits. */
    nameOf: (mac: string) => string;
    textOf: (url: string) => string;
  };
  /** Longest address that the phones take. */
  longest?: number;
  /** Whether the phones look for the file only when they start. */
  restarts?: true;
}

/** What the phones of a maker can be told to load. A kind that is absent is not documented. */
export type FileSettings = Readonly<Partial<Record<FileKind, FileSetting>>>;

/** Returns how phones with these settings are told of a file; undefined when they cannot be. */
export function settingFor(settings: FileSettings, { kind, url }: PhoneFile): FileSetting | undefined {
  const setting = settings[kind];
  return setting === undefined || url.length > (setting.longest ?? Infinity) ? undefined : setting;
}
