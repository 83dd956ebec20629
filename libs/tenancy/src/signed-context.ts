import { timingSafeEqual } from 'node:crypto';
import type { Context } from './context.ts';
import { hmac } from './key.ts';

/** Header that carries the context from the API gateway to a service. */
export const contextHeader = 'carillon-context';
const lifeMs = 60_000;

const mac = (text: string, key: Buffer): Buffer => hmac(key).update(text).digest();

/** Returns the context as a header that a service trusts for 60 s: only the API gateway has the key. */
export function signContext(context: Context, key: Buffer, now = Date.now()): string {
  const text = Buffer.from(JSON.stringify({ ...context, exp: now + lifeMs })).toString('base64url');
  return `${text}.${mac(text, key).toString('base64url')}`;
}

/** Returns the context of a header; undefined when it is forged, altered or old. */
export function verifyContext(header: string | undefined, key: Buffer, now = Date.now()): Context | undefined {
  if (!header) return undefined;
  const dot = header.lastIndexOf('.');
  if (dot < 1) return undefined;
  const text = header.slice(0, dot);
  const given = Buffer.from(header.slice(dot + 1), 'base64url');
  const wanted = mac(text, key);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  const { exp, ...context } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Context & { exp: number };
  return exp >= now ? { ...context, askedAt: context.askedAt ?? exp - lifeMs } : undefined;
}
