import { suppliedModels } from '@carillon/contracts/models';
import { fanvil } from './fanvil.ts';
import type { Vendor } from './vendor.ts';

const vendors: readonly Vendor[] = [fanvil];

/** Returns the maker of a device, by its model or else by its MAC; undefined when no syntax is known. */
export function vendorOf({ model, mac }: { model: string; mac: string }): Vendor | undefined {
  const series = suppliedModels.find(({ name }) => name === model)?.series;
  return series === undefined
    ? vendors.find(({ prefixes }) => prefixes.includes(mac.slice(0, 6)))
    : vendors.find(({ name }) => series.startsWith(`${name} `));
}
