import { createHash, createHmac, randomInt, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Six digits are enough, because at most five attempts count. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** Keyed, so that codes in the cache cannot be found by trying all of them. */
export const hashCode = (key: Buffer, owner: string, code: string): string =>
  createHmac('sha256', key).update(`code ${owner} ${code}`).digest('base64url');

export const stepSeconds = 30;
const totpOf = (secret: string, label = 'account', issuer = 'Carillon'): TOTP =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), digits: 6, period: stepSeconds, algorithm: 'SHA1' });
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;
export const totpUri = (secret: string, label: string, issuer: string): string =>
  totpOf(secret, label, issuer).toString();

/** Returns the time step of a code, if it is the current one or one before or after it; otherwise undefined. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? undefined : Math.floor(now / 1000 / stepSeconds) + delta;
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 10 letters of 31: 49 bits, with at most five attempts in a quarter of an hour. */
const newRecoveryCode = (): string =>
  [5, 5].map((n) => Array.from({ length: n }, () => letters[randomInt(letters.length)]).join('')).join('-');
export const newRecoveryCodes = (): string[] => Array.from({ length: 10 }, newRecoveryCode);
export const recoveryPattern = /^[a-z2-9]{5}-?[a-z2-9]{5}$/i;
/** Keyed, because 49 bits alone could be searched. */
export const hashRecoveryCode = (key: Buffer, userId: string, code: string): Buffer =>
  createHmac('sha256', key)
    .update(`recovery ${userId} ${code.toLowerCase().replace('-', '')}`)
    .digest();

export const newKey = (): string => randomBytes(24).toString('base64url');
export const keyHash = (key: string): string => createHash('sha256').update(key).digest('base64url');
