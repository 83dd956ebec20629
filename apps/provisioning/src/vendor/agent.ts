import type { Vendor } from './vendor.ts';

/** A MAC in a User-Agent: its digits, with or without separators. */
export const agentMac = '(?<mac>(?:[0-9a-f]{2}[:-]?){5}[0-9a-f]{2})';

const digits = (text: string): string => text.replaceAll(/[:-]/g, '').toLowerCase();

/** Returns whether a User-Agent of any device names this MAC, in whatever spelling. */
export const agentNames = (userAgent: string, mac: string): boolean => digits(userAgent).includes(mac);

/** Returns the MAC, in lower-case digits, that a User-Agent of this maker's phones names; undefined for another one. */
export function macInAgent({ agent }: Pick<Vendor, 'agent'>, userAgent: string): string | undefined {
  const named = agent.exec(userAgent)?.groups!['mac'];
  return named === undefined ? undefined : digits(named);
}

/** Longest firmware that is taken from a User-Agent, which anyone with an address can write. */
const longestFirmware = 64;

/** Returns the firmware that a User-Agent of this maker's phones names; undefined for another one. */
export const firmwareInAgent = ({ agent }: Pick<Vendor, 'agent'>, userAgent: string): string | undefined =>
  agent.exec(userAgent)?.groups!['firmware']?.slice(0, longestFirmware);

/**
 * Returns whether a request for the file of the device with this MAC comes from a phone of the maker. A User-Agent
 * that names no MAC is enough for makers whose phones do not name it: the token and the file's name are the device's.
 */
export const isPhoneOf = (vendor: Pick<Vendor, 'agent'>, userAgent: string, mac: string): boolean =>
  vendor.agent.test(userAgent) && (macInAgent(vendor, userAgent) ?? mac) === mac;
