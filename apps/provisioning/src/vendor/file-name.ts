import type { Vendor } from './vendor.ts';
import { vendors } from './vendor-of.ts';

/** Name of the text of the link, which any device may load. */
export const plainFile = (mac: string): string => `${mac}.txt`;

/** Returns whether phones of a maker ask for the file of the device with this MAC by this name. */
export const isNameOf = ({ fileOf, otherNames }: Vendor, name: string, mac: string): boolean =>
  name === fileOf(mac) || otherNames?.exec(name)?.groups!['mac'] === mac;

/** Returns whether phones of a maker ask by this name for the file that tells them what else to load. */
export const isBeside = ({ loads }: Vendor, name: string, mac: string): boolean =>
  Object.values(loads).some(({ beside }) => beside?.nameOf(mac) === name);

/** Returns whether some device has a file with this name. A phone that starts asks for several that none has. */
export function isFileName(name: string): boolean {
  if (vendors.some(({ master }) => master?.name === name)) return true;
  const mac = /[0-9a-f]{12}/.exec(name)?.[0];
  if (mac === undefined) return false;
  return name === plainFile(mac) || vendors.some((one) => isNameOf(one, name, mac) || isBeside(one, name, mac));
}
