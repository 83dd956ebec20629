import { createHmac, timingSafeEqual } from 'node:crypto';
import { networkOf } from '@carillon/service';

const [macBytes, dayBytes, markBytes] = [6, 4, 20];
const length = macBytes + dayBytes + markBytes;
const dayMs = 86_400_000;
const today = (now: number): number => Math.floor(now / dayMs);

function bytesOf(key: Buffer, mac: string, address: string, day: number): Buffer {
  const mark = createHmac('sha256', key)
    .update(`first ${mac} ${networkOf(address)} ${day}`)
    .digest();
  const dayOf = Buffer.alloc(dayBytes);
  dayOf.writeUInt32BE(day);
  return Buffer.concat([Buffer.from(mac, 'hex'), dayOf, mark.subarray(0, markBytes)]);
}

/**
 * Returns the token of a first access: anyone who names a MAC gets one, for the network that it asks from. It opens
 * nothing by itself (docs/adr/0041).
 */
export const firstToken = (key: Buffer, mac: string, address: string, now = Date.now()): string =>
  bytesOf(key, mac, address, today(now)).toString('base64url');

/** Returns whether a text can be a token of a first access, in whatever state. */
export const isFirstShape = (token: string): boolean =>
  token.length === Math.ceil((length * 8) / 6) && Buffer.from(token, 'base64url').toString('base64url') === token;

/** Returns whether a token was made for this MAC and network, today or on the day before. */
export function isFirstToken(key: Buffer, token: string, mac: string, address: string, now = Date.now()): boolean {
  const given = Buffer.from(token, 'base64url');
  return [today(now), today(now) - 1].some((day) => {
    const own = bytesOf(key, mac, address, day);
    return own.length === given.length && timingSafeEqual(own, given);
  });
}
