import { isPhoneOf } from './agent.ts';
import { isNameOf } from './file-name.ts';
import { vendors } from './vendor-of.ts';
import type { Vendor } from './vendor.ts';

/** A phone as its request shows it, which anyone can imitate. */
export interface AskingPhone {
  vendor: Vendor;
  /** Lower-case digits. */
  mac: string;
  /** The name by which it asks for its own file, in lower case. */
  file: string;
}

/** Returns the phone that asks for its own file in the way of one maker, under the User-Agent of that maker's phones. */
export function phoneAsking(file: string, userAgent: string): AskingPhone | undefined {
  const mac = /[0-9a-f]{12}/.exec(file)?.[0];
  if (mac === undefined) return undefined;
  const vendor = vendors.find((one) => isNameOf(one, file, mac) && isPhoneOf(one, userAgent, mac));
  return vendor && { vendor, mac, file };
}

/** Returns the maker whose phones send this User-Agent. */
export const makerOf = (userAgent: string): Vendor | undefined => vendors.find(({ agent }) => agent.test(userAgent));
