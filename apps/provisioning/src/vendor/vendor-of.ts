import { suppliedModels } from '@carillon/contracts/models';
import { macInAgent } from './agent.ts';
import { akuvox } from './akuvox.ts';
import { fanvil } from './fanvil.ts';
import { grandstream } from './grandstream.ts';
import { htek } from './htek.ts';
import { poly } from './poly.ts';
import { snom } from './snom.ts';
import type { Vendor } from './vendor.ts';
import { yealink } from './yealink.ts';

export const vendors: readonly Vendor[] = [fanvil, yealink, grandstream, snom, poly, akuvox, htek];

export const vendorNamed = (name: string): Vendor | undefined => vendors.find((vendor) => vendor.name === name);

/**
 * Returns the maker of a device: by its model, or else by its MAC, or else by the User-Agent of its request when that
 * names its MAC. Undefined when no syntax is known.
 */
export function vendorOf({ model, mac }: { model: string; mac: string }, userAgent = ''): Vendor | undefined {
  const known = suppliedModels.find(({ name }) => name === model);
  return known === undefined
    ? (vendors.find(({ prefixes }) => prefixes.includes(mac.slice(0, 6))) ??
        vendors.find((vendor) => macInAgent(vendor, userAgent) === mac))
    : vendors.find(({ series }) => series.includes(known.series));
}
