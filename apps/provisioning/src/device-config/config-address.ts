import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What the address of a device's configuration is derived from: it ends when one of these changes. */
export interface AddressOwner {
  id: string;
  companyId: string;
  ownerEpoch: number;
  secretMark: string | null;
}

const idBytes = 16;
const markBytes = 24;

/** Derives the key of addresses from the service's own, which no backup contains. */
export const addressKey = (dataKey: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', dataKey, '', 'carillon configuration addresses', 32));

/** Returns the token of a device's address. It is not stored. */
export function addressToken(key: Buffer, { id, companyId, ownerEpoch, secretMark }: AddressOwner): string {
  const mark = createHmac('sha256', key)
    .update(`${companyId} ${id} ${ownerEpoch} ${secretMark ?? ''}`)
    .digest()
    .subarray(0, markBytes);
  return Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), mark]).toString('base64url');
}

/** Returns the id of the device that a token names; undefined when it is no token. */
export function deviceOfToken(token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // One spelling only: a decoder ignores foreign characters and the last bits.
  if (bytes.length !== idBytes + markBytes || bytes.toString('base64url') !== token) return undefined;
  return bytes.toString('hex', 0, idBytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const isTokenOf = (key: Buffer, owner: AddressOwner, token: string): boolean => {
  const [own, given] = [addressToken(key, owner), token].map((text) => Buffer.from(text, 'base64url'));
  return own!.length === given!.length && timingSafeEqual(own!, given!);
};
