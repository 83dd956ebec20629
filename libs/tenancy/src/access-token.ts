import { timingSafeEqual } from 'node:crypto';
import { idleTimeoutMs, tokenCookies, tokenSeconds } from '@carillon/contracts/constants';
import { hmac } from './key.ts';

/** Lifetime of an access token in seconds (AUTH-07). */
export const accessTokenSeconds = tokenSeconds;
/** Idle time that ends a session (SYS-08). */
export const idleMs = idleTimeoutMs;
/**
 * Returns how often the API gateways write a session's activity at most, ms, which is the delay for other processes: a
 * minute, or a twentieth of a short idle limit.
 */
export const activityWriteMs = (idleSeconds: number): number => Math.min(60_000, (idleSeconds * 1000) / 20);
/** Returns how long after its last locally known activity a session may still be alive, ms. */
export const idleAtMostMs = (idleSeconds: number): number => idleSeconds * 1000 + activityWriteMs(idleSeconds);

/** Content of an access token. Instants are Unix time in milliseconds. */
export interface AccessToken {
  userId: string;
  companyId: string;
  sessionId: string;
  issuedAt: number;
  expiresAt: number;
  /** Last activity known to auth when it made the token: idle time counts from there. */
  activeAt: number;
  /** `userId` is the id of a visit to a customer's company (CHN-07). */
  visit?: true;
}

/** Values of the first byte: user token or visit token. */
const versions = { user: 1, visit: 2 } as const;
// Version, three ids, three instants of six bytes: 67 bytes, 99 with the MAC, so that base64url has no spare bits.
const bodyLength = 1 + 48 + 18;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns the 16 bytes of a UUID, for tokens. */
export const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
/** Returns the text of a UUID from its 16 bytes. */
export const uuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const sign = (body: Buffer, key: Buffer): Buffer => hmac(key).update('carillon access token').update(body).digest();

/** Creates a token that is opaque to clients and self-contained for the API gateways. `key` has at least 32 bytes. */
export function createAccessToken(token: AccessToken, key: Buffer): string {
  const body = Buffer.alloc(bodyLength);
  body[0] = token.visit ? versions.visit : versions.user;
  for (const [i, id] of [token.userId, token.companyId, token.sessionId].entries()) {
    if (!uuidPattern.test(id)) throw new Error('an access token names UUIDs');
    uuidBytes(id).copy(body, 1 + 16 * i);
  }
  for (const [i, at] of [token.issuedAt, token.expiresAt, token.activeAt].entries())
    body.writeUIntBE(Math.floor(at), 49 + 6 * i, 6);
  return Buffer.concat([body, sign(body, key)]).toString('base64url');
}

/** Returns the token's content; undefined when it is forged, altered, expired or from the future. */
export function verifyAccessToken(text: string, key: Buffer, now = Date.now()): AccessToken | undefined {
  if (text.length > 256) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // Accept only the spelling that we wrote: decoding ignores foreign characters.
  if (bytes.length !== bodyLength + 32 || bytes.toString('base64url') !== text) return undefined;
  const body = bytes.subarray(0, bodyLength);
  if (!timingSafeEqual(sign(body, key), bytes.subarray(bodyLength))) return undefined;
  if (body[0] !== versions.user && body[0] !== versions.visit) return undefined;
  const id = (i: number): string => uuidText(body.subarray(1 + 16 * i, 17 + 16 * i));
  const at = (i: number): number => body.readUIntBE(49 + 6 * i, 6);
  const token = {
    userId: id(0),
    companyId: id(1),
    sessionId: id(2),
    issuedAt: at(0),
    expiresAt: at(1),
    activeAt: at(2),
    ...(body[0] === versions.visit ? { visit: true as const } : {}),
  };
  // Allows a minute between the clocks of two machines.
  return token.expiresAt > now && token.issuedAt <= now + 60_000 ? token : undefined;
}

/**
 * Returns the names of the session's two cookies. Cookies ignore ports, so each installation has its own names: two on
 * one machine would log each other out. `__Host-` binds them to the host when the connection is encrypted (AUTH-07).
 */
export function cookieNames(key: Buffer, secure: boolean): { access: string; refresh: string } {
  const installation = hmac(key).update('carillon cookie').digest('hex').slice(0, 8);
  const prefix = secure ? '__Host-' : '';
  return {
    access: `${prefix}${tokenCookies.access}-${installation}`,
    refresh: `${prefix}${tokenCookies.refresh}-${installation}`,
  };
}

/** Parses a Cookie header; the first value of a name counts. */
export function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = part.slice(0, at).trim();
    if (!cookies.has(name)) cookies.set(name, part.slice(at + 1).trim());
  }
  return cookies;
}
