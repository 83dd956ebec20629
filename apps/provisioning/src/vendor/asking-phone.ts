import { macInAgent } from './agent.ts';
import { vendors } from './vendor-of.ts';
import type { Vendor } from './vendor.ts';

/** A phone as its request shows it, which anybody can imitate. */
export interface AskingPhone {
  vendor: Vendor;
  /** Lower-case digits. */
  mac: string;
  /** The name of its own file. */
  file: string;
}

/** Returns the phone whose User-Agent and file name the same MAC, in the way of one maker. */
export function phoneAsking(file: string, userAgent: string): AskingPhone | undefined {
  for (const vendor of vendors) {
    const mac = macInAgent(vendor, userAgent);
    if (mac !== undefined && vendor.fileOf(mac) === file) return { vendor, mac, file };
  }
  return undefined;
}
