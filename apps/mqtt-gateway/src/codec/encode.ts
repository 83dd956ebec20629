/** CONNACK with session-present 0: every session is a clean one (device-link.md, "Connecting"). */
const connacks = [0, 1, 2, 3, 4, 5].map((code) => Buffer.from([0x20, 2, 0, code]));
export const connack = (code: number): Buffer => connacks[code]!;

export const pingresp = Buffer.from([0xd0, 0]);

/** PUBACK (0x40) or UNSUBACK (0xb0) of a packet id. */
export function acknowledgement(first: 0x40 | 0xb0, messageId: number): Buffer {
  const out = Buffer.allocUnsafe(4);
  out[0] = first;
  out[1] = 2;
  out[2] = messageId >> 8;
  out[3] = messageId & 255;
  return out;
}

export function suback(messageId: number, granted: readonly number[]): Buffer {
  const length = 2 + granted.length;
  const head = headerLength(length);
  const out = Buffer.allocUnsafe(head + length);
  out[0] = 0x90;
  let at = writeLength(out, length);
  out[at++] = messageId >> 8;
  out[at++] = messageId & 255;
  for (const code of granted) out[at++] = code;
  return out;
}

const headerLength = (length: number): number => (length < 128 ? 2 : length < 16_384 ? 3 : length < 2_097_152 ? 4 : 5);

function writeLength(out: Buffer, length: number): number {
  let at = 1;
  let rest = length;
  while (rest > 127) {
    out[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  out[at++] = rest;
  return at;
}

/** A PUBLISH of UTF-8 JSON to an ASCII topic; `messageId` 0 is QoS 0. */
export function publish(topic: string, json: string, messageId: number, payload = Buffer.byteLength(json)): Buffer {
  const length = 2 + topic.length + (messageId === 0 ? 0 : 2) + payload;
  const out = Buffer.allocUnsafe(headerLength(length) + length);
  out[0] = messageId === 0 ? 0x30 : 0x32;
  let at = writeLength(out, length);
  out[at++] = topic.length >> 8;
  out[at++] = topic.length & 255;
  at += out.write(topic, at, 'latin1');
  if (messageId !== 0) {
    out[at++] = messageId >> 8;
    out[at++] = messageId & 255;
  }
  // As many bytes as letters: plain ASCII, which is copied as it is.
  if (payload === json.length) out.write(json, at, 'latin1');
  else out.write(json, at);
  return out;
}
