import { isUtf8 } from 'node:buffer';
import type { Fault } from './fault.ts';

/**
 * Control characters and non-characters, for which MQTT 3.1.1 section 1.5.3 lets a server close; U+0000 is checked
 * before.
 */
// oxlint-disable-next-line no-control-regex -- to find them is its purpose
const unwanted =
  /[\u0001-\u001f\u007f-\u009f\ufdd0-\ufdef]|[\ufffe\uffff]|[\ud83f\ud87f\ud8bf\ud8ff\ud93f\ud97f\ud9bf\ud9ff\uda3f\uda7f\udabf\udaff\udb3f\udb7f\udbbf\udbff][\udffe\udfff]/;

/** Returns what is wrong with the UTF-8 text in `buffer[start, end)` by MQTT 3.1.1 section 1.5.3, or null. */
export function textFault(buffer: Buffer, start: number, end: number): Fault | null {
  let plain = true;
  for (let i = start; i < end; i++) {
    const byte = buffer[i]!;
    if (byte === 0) return 'nullCharacter';
    if (byte < 0x20 || byte >= 0x7f) plain = false;
  }
  if (plain) return null;
  if (!isUtf8(buffer.subarray(start, end))) return 'text';
  return unwanted.test(buffer.toString('utf8', start, end)) ? 'text' : null;
}
