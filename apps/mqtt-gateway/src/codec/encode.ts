/**
 * This module encodes packets as strings with one byte per character (latin1): Node copies a short string from its
 * stack into the kernel, whereas each Buffer is an object that must be collected.
 */
const two = (n: number): string => String.fromCharCode(n >> 8) + String.fromCharCode(n & 255);

/** CONNACK with session-present 0, because every session is clean (device-link.md, "Connecting"). */
const connacks = [0, 1, 2, 3, 4, 5].map((code) => `\x20\x02\0${String.fromCharCode(code)}`);
export const connack = (code: number): string => connacks[code]!;

export const pingresp = '\xd0\0';

/** Returns the PUBACK (0x40) or UNSUBACK (0xb0) of a packet id. */
export const acknowledgement = (first: 0x40 | 0xb0, messageId: number): string =>
  (first === 0x40 ? '\x40\x02' : '\xb0\x02') + two(messageId);

export const suback = (messageId: number, granted: readonly number[]): string =>
  `\x90${lengthOf(2 + granted.length)}${two(messageId)}${String.fromCharCode(...granted)}`;

/** Encodes the remaining length (MQTT 3.1.1, 2.2.3). */
function lengthOf(length: number): string {
  if (length < 128) return String.fromCharCode(length);
  return String.fromCharCode((length & 127) | 128) + lengthOf(length >>> 7);
}

/**
 * Returns a PUBLISH of UTF-8 JSON to an ASCII topic; `messageId` 0 means QoS 0, `bytes` is the JSON's length in UTF-8.
 */
export function publish(topic: string, json: string, messageId: number, bytes = Buffer.byteLength(json)): string {
  // As many bytes as characters means plain ASCII, which is the same in latin1.
  const payload = bytes === json.length ? json : Buffer.from(json).toString('latin1');
  if (messageId === 0) return `\x30${lengthOf(2 + topic.length + bytes)}${two(topic.length)}${topic}${payload}`;
  return `\x32${lengthOf(4 + topic.length + bytes)}${two(topic.length)}${topic}${two(messageId)}${payload}`;
}
