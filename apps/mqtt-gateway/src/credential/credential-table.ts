/** The data of a device that the gateway needs to check its CONNECT, from `device.credential.v1`. */
export interface Credential {
  deviceId: string;
  mac: string;
  companyId: string;
  orgId: string;
  ownerEpoch: number;
  /** SHA-256 of the secret as the device sends it, 32 bytes. */
  secretHash: Buffer;
  previousHash: Buffer | null;
  enabled: boolean;
  /** Whether the device must present a certificate besides its secret. */
  certificateRequired: boolean;
  /** Unix time of the message in milliseconds: when two devices claim one MAC, the later one counts. */
  at: number;
}

/** A credential to store. Its hash may be base64url as in the message, and is then decoded in place. */
export type Given = Omit<Credential, 'secretHash'> & { secretHash: Buffer | string };

/**
 * Layout of one record in 32-bit words: secret hash, device id, time (2), organization, company, owner epoch, MAC, rest
 * of MAC and flags.
 */
const ID = 8,
  AT = 12,
  ORG = 14,
  COMPANY = 15,
  OWNER = 16,
  MAC = 17,
  MAC_FLAGS = 18,
  WORDS = 19;
const RECORD = WORDS * 4;
const ENABLED = 1;
const CERTIFICATE = 2;
const SLAB = 4_096;
const macShape = /^[0-9a-f]{12}$/;

/** Open-addressed index of slots with linear probing, at most 2/3 full: 4 bytes per place and no object per device. */
class SlotIndex {
  private places = new Uint32Array(1_024);
  private count = 0;
  private at = 0;
  constructor(private readonly hashOf: (slot: number) => number) {}

  /**
   * Returns the slots of a hash one after the other: `from` is -1 for the first; returns -1 at the end of the chain.
   */
  next(hash: number, from: number): number {
    const mask = this.places.length - 1;
    this.at = from === -1 ? hash & mask : (this.at + 1) & mask;
    return this.places[this.at]! - 1;
  }

  add(slot: number): void {
    if (++this.count * 3 > this.places.length * 2) this.grow();
    this.place(slot);
  }

  /** Removes a slot and closes the gap, so that no search ends early. */
  remove(slot: number): void {
    const mask = this.places.length - 1;
    let gap = this.hashOf(slot) & mask;
    while (this.places[gap] !== slot + 1) {
      if (this.places[gap] === 0) return;
      gap = (gap + 1) & mask;
    }
    this.count--;
    for (let i = (gap + 1) & mask; this.places[i] !== 0; i = (i + 1) & mask) {
      const home = this.hashOf(this.places[i]! - 1) & mask;
      if (((i - home) & mask) >= ((i - gap) & mask)) {
        this.places[gap] = this.places[i]!;
        gap = i;
      }
    }
    this.places[gap] = 0;
  }

  get bytes(): number {
    return this.places.byteLength;
  }

  private place(slot: number): void {
    const mask = this.places.length - 1;
    let i = this.hashOf(slot) & mask;
    while (this.places[i] !== 0) i = (i + 1) & mask;
    this.places[i] = slot + 1;
  }

  private grow(): void {
    const old = this.places;
    this.places = new Uint32Array(old.length * 2);
    for (const place of old) if (place !== 0) this.place(place - 1);
  }
}

/** Stores each organization and company once, as a word. */
class Words {
  private readonly words: string[] = [];
  private readonly index = new Map<string, number>();
  at(i: number): string {
    return this.words[i]!;
  }
  indexOf(word: string): number {
    const known = this.index.get(word);
    if (known !== undefined) return known;
    this.index.set(word, this.words.length);
    return this.words.push(word) - 1;
  }
}

/** Mixes two words so that neighbours, such as MACs and UUIDv7s, spread over the index. */
const mix = (a: number, b: number): number => {
  let h = Math.imul(a, 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
};

/** Value of a hex digit by its character code; other characters give 0, which callers have excluded. */
const digits = new Uint8Array(128);
for (let i = 0; i < 16; i++)
  digits[i.toString(16).charCodeAt(0)] = digits[i.toString(16).toUpperCase().charCodeAt(0)] = i;
const four = (hex: string, at: number): number =>
  (digits[hex.charCodeAt(at) & 127]! << 12) |
  (digits[hex.charCodeAt(at + 1) & 127]! << 8) |
  (digits[hex.charCodeAt(at + 2) & 127]! << 4) |
  digits[hex.charCodeAt(at + 3) & 127]!;
/**
 * Returns the 32 bits of two groups of four hex digits. Most of the start with half a million devices is spent here.
 */
const word = (hex: string, high: number, low: number): number => ((four(hex, high) << 16) | four(hex, low)) >>> 0;
const hex = (word: number): string => word.toString(16).padStart(8, '0');

/**
 * The credentials of all devices, packed: 76 bytes per device and 2 index places of 4 bytes, filled from one to two
 * thirds, so 88 to 100 bytes (120 are allowed; a Map of objects took 975). The second secret during a renewal is stored
 * separately, because few devices have one.
 */
export class CredentialTable {
  private readonly slabs: { bytes: Buffer; words: Uint32Array }[] = [];
  private readonly free: number[] = [];
  private top = 0;
  private live = 0;
  private readonly words = new Words();
  private readonly previous = new Map<number, Buffer>();
  private readonly byMac = new SlotIndex((slot) =>
    this.macHash(this.word(slot, MAC), this.word(slot, MAC_FLAGS) >>> 16),
  );
  private readonly byId = new SlotIndex((slot) =>
    this.idHash(this.word(slot, ID), this.word(slot, ID + 1), this.word(slot, ID + 2), this.word(slot, ID + 3)),
  );

  get size(): number {
    return this.live;
  }

  /** Bytes held for the records and both indexes. */
  get bytes(): number {
    return this.slabs.length * SLAB * RECORD + this.byMac.bytes + this.byId.bytes;
  }

  /**
   * Returns the slot of a MAC, which must be exactly 12 lower-case hex digits, or -1. It stays the device's until
   * `remove`.
   */
  slotOfMac(mac: string): number {
    return macShape.test(mac) ? this.slotOfMacWords(word(mac, 0, 4), four(mac, 8)) : -1;
  }

  private slotOfMacWords(high: number, low: number): number {
    const hash = this.macHash(high, low);
    let slot = this.byMac.next(hash, -1);
    while (slot !== -1 && (this.word(slot, MAC) !== high || this.word(slot, MAC_FLAGS) >>> 16 !== low))
      slot = this.byMac.next(hash, slot);
    return slot;
  }

  slotOfDevice(deviceId: string): number {
    return this.slotOfIdWords(
      word(deviceId, 0, 4),
      word(deviceId, 9, 14),
      word(deviceId, 19, 24),
      word(deviceId, 28, 32),
    );
  }

  private slotOfIdWords(a: number, b: number, c: number, d: number): number {
    const hash = this.idHash(a, b, c, d);
    let slot = this.byId.next(hash, -1);
    while (
      slot !== -1 &&
      (this.word(slot, ID) !== a ||
        this.word(slot, ID + 1) !== b ||
        this.word(slot, ID + 2) !== c ||
        this.word(slot, ID + 3) !== d)
    )
      slot = this.byId.next(hash, slot);
    return slot;
  }

  read(slot: number): Credential {
    const { bytes } = this.slab(slot);
    const base = (slot % SLAB) * RECORD;
    const id =
      hex(this.word(slot, ID)) +
      hex(this.word(slot, ID + 1)) +
      hex(this.word(slot, ID + 2)) +
      hex(this.word(slot, ID + 3));
    return {
      deviceId: `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`,
      mac: this.macOf(slot),
      orgId: this.words.at(this.word(slot, ORG)),
      companyId: this.words.at(this.word(slot, COMPANY)),
      ownerEpoch: this.word(slot, OWNER) | 0,
      secretHash: bytes.subarray(base, base + 32),
      previousHash: this.previous.get(slot) ?? null,
      enabled: (this.word(slot, MAC_FLAGS) & ENABLED) !== 0,
      certificateRequired: (this.word(slot, MAC_FLAGS) & CERTIFICATE) !== 0,
      at: this.atOf(slot),
    };
  }

  macOf(slot: number): string {
    return hex(this.word(slot, MAC)) + (this.word(slot, MAC_FLAGS) >>> 16).toString(16).padStart(4, '0');
  }

  /**
   * Stores a device's credential. Returns the MACs whose connections must be checked: its own and, if it had another
   * one before, that one; none when a later device has the MAC.
   */
  put(c: Given): string[] {
    const touched = [c.mac];
    const id = c.deviceId;
    const a = word(id, 0, 4),
      b = word(id, 9, 14),
      d = word(id, 19, 24),
      e = word(id, 28, 32);
    const high = word(c.mac, 0, 4),
      low = four(c.mac, 8);
    const holder = this.slotOfMacWords(high, low);
    let slot = this.slotOfIdWords(a, b, d, e);
    if (holder !== -1 && holder !== slot) {
      if (this.atOf(holder) > c.at) return [];
      this.drop(holder);
    }
    const known = slot !== -1;
    const moved = known && holder !== slot;
    if (moved) {
      touched.push(this.macOf(slot));
      this.byMac.remove(slot);
    }
    if (!known) slot = this.take();
    const { bytes, words } = this.slab(slot);
    const base = (slot % SLAB) * WORDS;
    if (typeof c.secretHash === 'string') bytes.write(c.secretHash, base * 4, 32, 'base64url');
    else c.secretHash.copy(bytes, base * 4, 0, 32);
    bytes.writeDoubleLE(c.at, (base + AT) * 4);
    words[base + ID] = a;
    words[base + ID + 1] = b;
    words[base + ID + 2] = d;
    words[base + ID + 3] = e;
    words[base + ORG] = this.words.indexOf(c.orgId);
    words[base + COMPANY] = this.words.indexOf(c.companyId);
    words[base + OWNER] = c.ownerEpoch;
    words[base + MAC] = high;
    words[base + MAC_FLAGS] = (low << 16) | (c.enabled ? ENABLED : 0) | (c.certificateRequired ? CERTIFICATE : 0);
    if (c.previousHash === null) {
      if (this.previous.size > 0) this.previous.delete(slot);
    } else this.previous.set(slot, Buffer.from(c.previousHash));
    if (!known || moved) this.byMac.add(slot);
    if (!known) this.byId.add(slot);
    return touched;
  }

  /** Removes a device. Returns its MAC, or null when it was not known. */
  remove(deviceId: string): string | null {
    const slot = this.slotOfDevice(deviceId);
    if (slot === -1) return null;
    const mac = this.macOf(slot);
    this.drop(slot);
    return mac;
  }

  private drop(slot: number): void {
    this.byMac.remove(slot);
    this.byId.remove(slot);
    this.previous.delete(slot);
    this.free.push(slot);
    this.live--;
  }

  private take(): number {
    this.live++;
    const free = this.free.pop();
    if (free !== undefined) return free;
    if (this.top === this.slabs.length * SLAB) {
      const words = new Uint32Array(SLAB * WORDS);
      this.slabs.push({ words, bytes: Buffer.from(words.buffer) });
    }
    return this.top++;
  }

  private slab(slot: number) {
    return this.slabs[(slot / SLAB) | 0]!;
  }

  private word(slot: number, at: number): number {
    return this.slabs[(slot / SLAB) | 0]!.words[(slot % SLAB) * WORDS + at]!;
  }

  private atOf(slot: number): number {
    return this.slab(slot).bytes.readDoubleLE(((slot % SLAB) * WORDS + AT) * 4);
  }

  private macHash(high: number, low: number): number {
    return mix(high, low);
  }

  private idHash(a: number, b: number, c: number, d: number): number {
    return mix(a ^ Math.imul(c, 0x9e3779b1), b ^ Math.imul(d, 0x27d4eb2f));
  }
}
