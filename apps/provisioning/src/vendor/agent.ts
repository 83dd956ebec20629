import type { Vendor } from './vendor.ts';

/** A MAC in a User-Agent: its digits, with or without separators. */
export const agentMac = '(?<mac>(?:[0-9a-f]{2}[:-]?){5}[0-9a-f]{2})';

const digits = (mac: string): string => mac.replaceAll(/[:-]/g, '').toLowerCase();
const anyMac = new RegExp(agentMac, 'i');

/** Returns the first MAC in a text, in lower-case digits. */
export function macOf(text: string): string | undefined {
  const found = anyMac.exec(text);
  return found ? digits(found[0]) : undefined;
}

/** Returns the MAC, in lower-case digits, that a User-Agent of this maker's phones names; undefined for another one. */
export function macInAgent({ agent }: Pick<Vendor, 'agent'>, userAgent: string): string | undefined {
  const found = agent.exec(userAgent);
  return found ? digits(found.groups!['mac']!) : undefined;
}
