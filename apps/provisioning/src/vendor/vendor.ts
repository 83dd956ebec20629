import type { SettingKey, SettingValues } from '@carillon/contracts';
import type { Desired } from '../device-config/desired.ts';
import type { EventUrls } from './event-urls.ts';

/** How the phones of a maker load their configuration over HTTP. A pure function of what they are to have. */
export interface Vendor {
  name: string;
  /** The series of the catalogue of models whose devices load this file. */
  series: readonly string[];
  /** First six digits of the MACs that belong to the maker. */
  prefixes: readonly string[];
  /** The User-Agent of the maker's phones, with their MAC in the group `mac`. */
  agent: RegExp;
  /** Name of the file that a phone asks for, from its MAC in lower-case digits. */
  fileOf: (mac: string) => string;
  contentType: string;
  /** Highest line that the syntax has names for. */
  mostLines: number;
  /** Its action URLs; null when the names of their settings are not published. */
  events: EventUrls | null;
  /**
   * Returns the file. `revision` rises with each change: some makers apply a file only when its version is higher.
   * `folder` is the address of the device's files, for its action URLs; without it the file has none.
   */
  render(desired: Desired, revision: number, folder?: string): string;
  /** Settings that the maker's syntax has no name for, or not with this value. */
  withoutName(values: SettingValues): SettingKey[];
}
