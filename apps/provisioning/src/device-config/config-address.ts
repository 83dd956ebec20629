import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { fillPath, loadDeviceConfig } from '@carillon/contracts';
import { uuidBytes, uuidText } from '@carillon/tenancy';

/** What the address of a device's configuration is derived from: it ends when one of these changes. */
export interface AddressOwner {
  id: string;
  companyId: string;
  ownerEpoch: number;
  secretMark: string | null;
}
type Claim = Pick<AddressOwner, 'companyId' | 'id'>;

const [idBytes, claimBytes, markBytes] = [16, 8, 24];

/** Derives the key of addresses from the service's own, which no backup contains. */
export const addressKey = (dataKey: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', dataKey, '', 'carillon configuration addresses', 32));

const mac = (key: Buffer, text: string, length: number): Buffer =>
  createHmac('sha256', key).update(text).digest().subarray(0, length);
const claimOf = (key: Buffer, { companyId, id }: Claim): Buffer =>
  Buffer.concat([uuidBytes(companyId), uuidBytes(id), mac(key, `claim ${companyId} ${id}`, claimBytes)]);

/** Returns the token of a device's address: its claim, and a mark of its owner and secret. It is not stored. */
export function addressToken(key: Buffer, owner: AddressOwner): string {
  const { id, companyId, ownerEpoch, secretMark } = owner;
  const mark = mac(key, `${companyId} ${id} ${ownerEpoch} ${secretMark ?? ''}`, markBytes);
  return Buffer.concat([claimOf(key, owner), mark]).toString('base64url');
}

/** Returns the path of the folder with the files of a device, with a slash at its end. */
export const addressFolder = (token: string): string =>
  fillPath(loadDeviceConfig.path, { token, file: 'x' }).slice(0, -1);

/** Where the port for phones has the same folders: phones of one maker keep no address of more than 127 characters. */
export const shortPrefix = '/c/';

/** Returns the path of the same folder at the port for phones, as it is written into files. */
export const phoneFolder = (token: string): string => `${shortPrefix}${token}/`;

/**
 * Returns the company and device that a token was made for; undefined for a forged one, which so costs no query.
 * {@link isTokenOf} tells whether it still counts.
 */
export function claimedBy(key: Buffer, token: string): Claim | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Accept one spelling only: a decoder ignores foreign characters and the last bits.
  const length = 2 * idBytes + claimBytes + markBytes;
  if (bytes.length !== length || bytes.toString('base64url') !== token) return undefined;
  const claim = {
    companyId: uuidText(bytes.subarray(0, idBytes)),
    id: uuidText(bytes.subarray(idBytes, 2 * idBytes)),
  };
  return timingSafeEqual(claimOf(key, claim), bytes.subarray(0, length - markBytes)) ? claim : undefined;
}

export const isTokenOf = (key: Buffer, owner: AddressOwner, token: string): boolean => {
  const [own, given] = [addressToken(key, owner), token].map((text) => Buffer.from(text, 'base64url'));
  return own!.length === given!.length && timingSafeEqual(own!, given!);
};
