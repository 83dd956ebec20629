import { randomFillSync } from 'node:crypto';
import type { OutRecord } from '@carillon/messaging';

/** Random bytes are drawn 4 KiB at a time, because one draw per message would cost more than the message. */
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

let lastAt = -1;
let head = '';
let tail = '';
let counter = 0;

/**
 * Returns a UUIDv7 (RFC 9562) for the given Unix milliseconds: the 12 bits after the version count within the
 * millisecond (6.2, method 1), the 62 random ones are drawn again for each millisecond and each 4,096 ids.
 */
export function uuidv7(at: number): string {
  if (at !== lastAt || counter === 4_096) {
    const time = Math.floor(at).toString(16).padStart(12, '0');
    const r = randomHex(8);
    head = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    tail = `-${'89ab'[Number.parseInt(r[0]!, 16) & 3]!}${r.slice(1, 4)}-${r.slice(4, 16)}`;
    lastAt = at;
    counter = 0;
  }
  return head + (counter++).toString(16).padStart(3, '0') + tail;
}

/** Returns a new sampled trace, for messages that no user's click caused. */
export const newTraceparent = (): string => `00-${randomHex(16)}-${randomHex(8)}-01`;

/**
 * Returns a message with its envelope as bus headers, without absent fields. Takes the data as JSON and the envelope's
 * fields separately, because this runs for every message of every device.
 */
export function toRecord(
  topic: string,
  type: string,
  key: string,
  json: string,
  at: number,
  era: number,
  companyId: string | null,
  orgId?: string,
  traceparent?: string,
): OutRecord {
  const headers: Record<string, string> = {
    id: uuidv7(at),
    type,
    at: String(at),
    era: String(era),
    traceparent: traceparent ?? newTraceparent(),
  };
  if (companyId !== null) headers.companyId = companyId;
  if (orgId !== undefined) headers.orgId = orgId;
  return { topic, key, headers, value: json };
}
