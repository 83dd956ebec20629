import { linkTopic } from '@carillon/contracts/link';
import { secretOf } from '../testing/rig.ts';

/** A packet that breaks a rule, with its timing, the violated clause and the required answer. */
export interface BadPacket {
  /** What is wrong, written to follow "a". */
  name: string;
  /** `first`: instead of CONNECT. `connected`: after CONNECT and hello. */
  when: 'first' | 'connected';
  /** Clause of MQTT 3.1.1; `link` is docs/device-link.md, which allows less. */
  clause: string;
  /** `mac` is the device's own. */
  bytes: (mac: string) => Buffer;
  /** Closed silently; closed after this CONNACK; answered by this SUBACK and kept open; or ignored and kept open. */
  answer: 'close' | 'ignored' | { connack: number } | { suback: number[] };
}

export const u16 = (n: number): Buffer => Buffer.from([n >> 8, n & 255]);
/** Returns text or bytes with a length prefix (MQTT 3.1.1, 1.5.3). */
export const field = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([u16(bytes.length), bytes]);
};
export const remaining = (length: number): Buffer => {
  const out: number[] = [];
  for (let rest = length; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...out, rest]);
    out.push((rest & 127) | 128);
  }
};
export const packet = (first: number, ...body: (Buffer | string)[]): Buffer => {
  const all = Buffer.concat(body.map((b) => Buffer.from(b as string)));
  return Buffer.concat([Buffer.from([first]), remaining(all.length), all]);
};

export interface ConnectParts {
  first?: number;
  name?: Buffer;
  level?: number;
  flags?: number;
  /** Raw fields after the variable header. */
  fields?: Buffer[];
}
/** Returns a CONNECT that is valid except for the given parts. */
export const connect = (mac: string, parts: ConnectParts = {}): Buffer =>
  packet(
    parts.first ?? 0x10,
    parts.name ?? field('MQTT'),
    Buffer.from([parts.level ?? 4, parts.flags ?? 0xc2]),
    u16(120),
    ...(parts.fields ?? [field(mac), field(mac), field(secretOf(mac))]),
  );
export const publish = (first: number, topic: Buffer, id: number | null, payload = '{"at":1}'): Buffer =>
  packet(first, topic, ...(id === null ? [] : [u16(id)]), payload);
export const subscribe = (filter: Buffer, qos: number, id = 9, first = 0x82): Buffer =>
  packet(first, u16(id), filter, Buffer.from([qos]));
export const unsubscribe = (filter: Buffer, id = 9, first = 0xa2): Buffer => packet(first, u16(id), filter);
export const own = (mac: string): Buffer => field(linkTopic.command(mac));

/** Invalid UTF-8 texts, by their bytes in hex. */
export const illFormed: Record<string, string> = {
  'lone continuation byte': '6180',
  'last continuation byte': '61bf',
  'two-byte letter cut short': '61c3',
  'three-byte letter cut short': '61e282',
  'four-byte letter cut short': '61f09f98',
  'overlong slash in two bytes': '61c0af',
  'overlong null': '61c080',
  'overlong letter': '61c1bf',
  'overlong three bytes': '61e08080',
  'overlong three-byte limit': '61e09fbf',
  'overlong four bytes': '61f0808080',
  'overlong four-byte limit': '61f08fbfbf',
  'first high surrogate': '61eda080',
  'last high surrogate': '61edafbf',
  'first low surrogate': '61edb080',
  'last low surrogate': '61edbfbf',
  'surrogate pair': '61eda080edb080',
  'code point above U+10FFFF': '61f4908080',
  'five-byte form': '61f888808080',
  'six-byte form': '61fc8480808080',
  'byte FE': '61fe',
  'byte FF': '61ff',
  'continuation missing in the middle': '61e28261',
};
/** Characters for which section 1.5.3 lets a server close. */
export const unwanted: Record<string, string> = {
  'U+0001': '01',
  'U+001F': '1f',
  'U+007F': '7f',
  'U+0080': 'c280',
  'U+009F': 'c29f',
  'U+FDD0': 'efb790',
  'U+FDEF': 'efb7af',
  'U+FFFE': 'efbfbe',
  'U+FFFF': 'efbfbf',
  'U+1FFFF': 'f09fbfbf',
  'U+10FFFE': 'f48fbfbe',
};
