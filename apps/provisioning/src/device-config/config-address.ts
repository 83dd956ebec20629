import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What the address of a device's configuration is derived from: it ends when one of these changes. */
export interface AddressOwner {
  id: string;
  companyId: string;
  ownerEpoch: number;
  secretMark: string | null;
}

const [idBytes, markBytes] = [16, 24];

/** Derives the key of addresses from the service's own, which no backup contains. */
export const addressKey = (dataKey: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', dataKey, '', 'carillon configuration addresses', 32));

const idOf = (bytes: Buffer, from: number): string =>
  bytes.toString('hex', from, from + idBytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** Returns the token of a device's address: company, device and a mark. It is not stored. */
export function addressToken(key: Buffer, { id, companyId, ownerEpoch, secretMark }: AddressOwner): string {
  const mark = createHmac('sha256', key)
    .update(`${companyId} ${id} ${ownerEpoch} ${secretMark ?? ''}`)
    .digest()
    .subarray(0, markBytes);
  return Buffer.concat([bytesOf(companyId), bytesOf(id), mark]).toString('base64url');
}

/** Returns the company and device that a token claims; undefined when it is no token. {@link isTokenOf} verifies it. */
export function claimedBy(token: string): Pick<AddressOwner, 'companyId' | 'id'> | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Accept one spelling only: a decoder ignores foreign characters and the last bits.
  if (bytes.length !== 2 * idBytes + markBytes || bytes.toString('base64url') !== token) return undefined;
  return { companyId: idOf(bytes, 0), id: idOf(bytes, idBytes) };
}

export const isTokenOf = (key: Buffer, owner: AddressOwner, token: string): boolean => {
  const [own, given] = [addressToken(key, owner), token].map((text) => Buffer.from(text, 'base64url'));
  return own!.length === given!.length && timingSafeEqual(own!, given!);
};
