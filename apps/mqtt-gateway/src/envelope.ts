import { randomFillSync } from 'node:crypto';
import type { Envelope } from '@carillon/contracts';
import type { OutRecord } from '@carillon/messaging';

/** Random bytes are drawn 4 KiB at a time: one draw per message would cost more than the message. */
const pool = Buffer.allocUnsafe(4096);
let used = pool.length;
function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString('hex', used - bytes, used);
}

/** A UUIDv7 (RFC 9562, section 5.7) of the given epoch milliseconds. */
export function uuidv7(at: number): string {
  const time = Math.floor(at).toString(16).padStart(12, '0');
  const r = randomHex(10);
  const variant = '89ab'[Number.parseInt(r[3]!, 16) & 3]!;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${r.slice(0, 3)}-${variant}${r.slice(4, 7)}-${r.slice(7, 19)}`;
}

/** A new trace, sampled, for what no click caused. */
export const newTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`;

/** The envelope's fields as bus headers, absent ones left out; the value is the data's JSON. */
export function toRecord(topic: string, type: string, key: string, json: string, e: Omit<Envelope, 'id' | 'type'>): OutRecord {
  const headers: Record<string, string> = { id: uuidv7(e.at), type, at: String(e.at), era: String(e.era) };
  if (e.companyId !== null) headers.companyId = e.companyId;
  if (typeof e.orgId === 'string') headers.orgId = e.orgId;
  headers.traceparent = e.traceparent ?? newTraceparent();
  return { topic, key, headers, value: json };
}
