/**
 * The few packets of MQTT 3.1.1 that a device needs, encoded by hand: one buffer per outgoing packet and no parser
 * object per connection, so that thousands of devices fit into one process.
 */
export type Packet =
  | { type: 'connack'; code: number }
  | { type: 'publish'; topic: string; payload: string; qos: number; id: number }
  | { type: 'puback'; id: number }
  | { type: 'suback'; id: number; granted: number }
  | { type: 'pingresp' };

export interface ConnectFields {
  clientId: string;
  userName: string;
  password?: string;
  keepAliveSeconds: number;
}

/** Longest packet accepted from the platform: a payload of 64 KiB with its topic and header. */
const maxPacket = 72 * 1024;

export const pingreq = Buffer.from([0xc0, 0]);
export const disconnect = Buffer.from([0xe0, 0]);

function packet(first: number, remaining: number): { bytes: Buffer; at: number } {
  const sizeBytes = remaining < 0x80 ? 1 : remaining < 0x4000 ? 2 : 3;
  const bytes = Buffer.allocUnsafe(1 + sizeBytes + remaining);
  let at = bytes.writeUInt8(first, 0);
  for (let left = remaining, i = 0; i < sizeBytes; i++, left >>>= 7)
    at = bytes.writeUInt8((left & 0x7f) | (i < sizeBytes - 1 ? 0x80 : 0), at);
  return { bytes, at };
}

function string(bytes: Buffer, at: number, text: string): number {
  const length = bytes.write(text, at + 2);
  bytes.writeUInt16BE(length, at);
  return at + 2 + length;
}

/** Returns a CONNECT with clean session and no will (device-link "Connecting"). */
export function connect(fields: ConnectFields): Buffer {
  const strings =
    fields.password === undefined
      ? [fields.clientId, fields.userName]
      : [fields.clientId, fields.userName, fields.password];
  const { bytes, at: start } = packet(0x10, 10 + strings.reduce((sum, s) => sum + 2 + Buffer.byteLength(s), 0));
  let at = string(bytes, start, 'MQTT');
  at = bytes.writeUInt8(4, at);
  at = bytes.writeUInt8(0x80 | (fields.password === undefined ? 0 : 0x40) | 0x02, at);
  at = bytes.writeUInt16BE(fields.keepAliveSeconds, at);
  for (const s of strings) at = string(bytes, at, s);
  return bytes;
}

/** Returns a PUBLISH with QoS 1, not retained. */
export function publish(topic: string, payload: string, id: number): Buffer {
  const { bytes, at: start } = packet(0x32, 4 + Buffer.byteLength(topic) + Buffer.byteLength(payload));
  const at = bytes.writeUInt16BE(id, string(bytes, start, topic));
  bytes.write(payload, at);
  return bytes;
}

export function puback(id: number): Buffer {
  return Buffer.from([0x40, 2, id >>> 8, id & 0xff]);
}

/** Returns a SUBSCRIBE with one filter, QoS 1. */
export function subscribe(filter: string, id: number): Buffer {
  const { bytes, at: start } = packet(0x82, 5 + Buffer.byteLength(filter));
  bytes.writeUInt8(1, string(bytes, bytes.writeUInt16BE(id, start), filter));
  return bytes;
}

/**
 * Cuts packets out of a byte stream. `feed` throws on input that MQTT 3.1.1 forbids; the connection is then unusable.
 */
export class PacketReader {
  private rest: Buffer | null = null;

  /** Reads a chunk. The caller may reuse `chunk` after the call. */
  feed(chunk: Buffer, take: (packet: Packet) => void): void {
    let bytes = this.rest === null ? chunk : Buffer.concat([this.rest, chunk]);
    this.rest = null;
    for (;;) {
      const size = sizeOf(bytes);
      if (size === null || bytes.length < size.end) break;
      take(decode(bytes[0]!, bytes.subarray(size.start, size.end)));
      bytes = bytes.subarray(size.end);
    }
    if (bytes.length > 0) this.rest = Buffer.from(bytes);
  }
}

function sizeOf(bytes: Buffer): { start: number; end: number } | null {
  let remaining = 0;
  for (let i = 1; i < bytes.length; i++) {
    remaining += (bytes[i]! & 0x7f) * 2 ** (7 * (i - 1));
    if (remaining > maxPacket) throw new Error(`a packet of ${remaining} bytes is longer than a command can be`);
    if ((bytes[i]! & 0x80) === 0) return { start: i + 1, end: i + 1 + remaining };
    if (i === 4) throw new Error('the remaining length has more than four bytes (MQTT 3.1.1, 2.2.3)');
  }
  return null;
}

function decode(first: number, body: Buffer): Packet {
  const need = (bytes: number) => {
    if (body.length < bytes) throw new Error(`a packet of type ${first >>> 4} is too short`);
  };
  switch (first >>> 4) {
    case 2:
      need(2);
      return { type: 'connack', code: body[1]! };
    case 3: {
      need(2);
      const qos = (first >>> 1) & 3;
      const topicEnd = 2 + body.readUInt16BE(0);
      const start = topicEnd + (qos > 0 ? 2 : 0);
      need(start);
      return {
        type: 'publish',
        topic: body.toString('utf8', 2, topicEnd),
        payload: body.toString('utf8', start),
        qos,
        id: qos > 0 ? body.readUInt16BE(topicEnd) : 0,
      };
    }
    case 4:
      need(2);
      return { type: 'puback', id: body.readUInt16BE(0) };
    case 9:
      need(3);
      return { type: 'suback', id: body.readUInt16BE(0), granted: body[2]! };
    case 13:
      return { type: 'pingresp' };
    default:
      throw new Error(`a packet of type ${first >>> 4} does not come from a server`);
  }
}
