import type { Vendor } from './vendor.ts';

/** A MAC in a User-Agent: its digits, with or without separators. */
export const agentMac = '(?<mac>(?:[0-9a-f]{2}[:-]?){5}[0-9a-f]{2})';

/** Returns the MAC, in lower-case digits, that a User-Agent of this maker's phones names; undefined for another one. */
export const macInAgent = ({ agent }: Pick<Vendor, 'agent'>, userAgent: string): string | undefined =>
  agent.exec(userAgent)?.groups!['mac']!.replaceAll(/[:-]/g, '').toLowerCase();
