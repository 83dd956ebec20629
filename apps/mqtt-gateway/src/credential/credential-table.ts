/** What the gateway keeps of a device to check its CONNECT; `device.credential.v1` without the words. */
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
  /** Epoch ms of the message: when two devices claim one MAC, the later stands. */
  at: number;
}

/** Layout of one record: secret hash, device id, time, organization, company, owner epoch, MAC, flags. */
const ID = 32, AT = 48, ORG = 56, COMPANY = 60, OWNER = 64, MAC = 68, FLAGS = 74, RECORD = 76;
const ENABLED = 1;
const SLAB = 4_096;

/** Open-addressed index of slots, linear probing, at most 2/3 full: 4 bytes a place and no object per device. */
class SlotIndex {
  private places = new Uint32Array(1_024);
  private count = 0;
  constructor(private readonly hashOf: (slot: number) => number) {}

  /** The slot among those of this hash for which `same` holds, or -1. */
  find(hash: number, same: (slot: number) => boolean): number {
    const mask = this.places.length - 1;
    for (let i = hash & mask; ; i = (i + 1) & mask) {
      const place = this.places[i]!;
      if (place === 0) return -1;
      if (same(place - 1)) return place - 1;
    }
  }

  add(slot: number): void {
    if (++this.count * 3 > this.places.length * 2) this.grow();
    this.place(slot);
  }

  /** Takes a slot out and closes the gap, so that no search ends early. */
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

/** A word for each organization and company, kept once. */
class Words {
  private readonly words: string[] = [];
  private readonly index = new Map<string, number>();
  at(i: number): string {
    return this.words[i]!;
  }
  of(word: string): number {
    const known = this.index.get(word);
    if (known !== undefined) return known;
    this.index.set(word, this.words.length);
    return this.words.push(word) - 1;
  }
}

const mix = (a: number, b: number): number => {
  const h = Math.imul(a ^ (b >>> 15), 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
  return (h ^ (h >>> 13)) >>> 0;
};

/**
 * The credentials of all devices, packed: 76 bytes a device and 2 index places of 4 bytes, filled from one to two
 * thirds, so 88 to 100 bytes (decisions 5 allows 120; a Map of objects took 975). A second secret during a renewal
 * lies beside, since few devices have one.
 */
export class CredentialTable {
  private readonly slabs: Buffer[] = [];
  private readonly free: number[] = [];
  private top = 0;
  private live = 0;
  private readonly words = new Words();
  private readonly previous = new Map<number, Buffer>();
  private readonly byMac = new SlotIndex((slot) => this.macHash(this.slab(slot), this.base(slot) + MAC));
  private readonly byId = new SlotIndex((slot) => this.idHash(this.slab(slot), this.base(slot) + ID));
  private readonly probe = Buffer.alloc(16);

  get size(): number {
    return this.live;
  }

  /** Bytes held for the records and both indexes. */
  get bytes(): number {
    return this.slabs.length * SLAB * RECORD + this.byMac.bytes + this.byId.bytes;
  }

  /** The slot of a MAC, or -1; it stays the device's until `remove`. */
  slotOfMac(mac: string): number {
    if (this.probe.write(mac, 'hex') !== 6) return -1;
    return this.byMac.find(this.macHash(this.probe, 0), (slot) => this.slab(slot).compare(this.probe, 0, 6, this.base(slot) + MAC, this.base(slot) + MAC + 6) === 0);
  }

  slotOfDevice(deviceId: string): number {
    this.writeId(deviceId, this.probe, 0);
    return this.byId.find(this.idHash(this.probe, 0), (slot) => this.slab(slot).compare(this.probe, 0, 16, this.base(slot) + ID, this.base(slot) + ID + 16) === 0);
  }

  read(slot: number): Credential {
    const slab = this.slab(slot), base = this.base(slot);
    const hex = slab.toString('hex', base + ID, base + ID + 16);
    return {
      deviceId: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
      mac: this.macOf(slot), orgId: this.words.at(slab.readUInt32LE(base + ORG)), companyId: this.words.at(slab.readUInt32LE(base + COMPANY)),
      ownerEpoch: slab.readInt32LE(base + OWNER), secretHash: slab.subarray(base, base + 32), previousHash: this.previous.get(slot) ?? null,
      enabled: (slab[base + FLAGS]! & ENABLED) !== 0, at: slab.readDoubleLE(base + AT),
    };
  }

  macOf(slot: number): string {
    const base = this.base(slot) + MAC;
    return this.slab(slot).toString('hex', base, base + 6);
  }

  /**
   * Stores a device's credential. Answers the MACs whose connections must be looked at anew: its own and, when it had
   * another before, that one; none when a later device holds the MAC.
   */
  put(c: Credential): string[] {
    const touched = [c.mac];
    const holder = this.slotOfMac(c.mac);
    let slot = this.slotOfDevice(c.deviceId);
    if (holder !== -1 && holder !== slot) {
      if (this.slab(holder).readDoubleLE(this.base(holder) + AT) > c.at) return [];
      this.drop(holder);
    }
    if (slot === -1) {
      slot = this.take();
    } else {
      const before = this.macOf(slot);
      if (before !== c.mac) touched.push(before);
      this.byMac.remove(slot);
      this.byId.remove(slot);
    }
    const slab = this.slab(slot), base = this.base(slot);
    c.secretHash.copy(slab, base, 0, 32);
    this.writeId(c.deviceId, slab, base + ID);
    slab.writeDoubleLE(c.at, base + AT);
    slab.writeUInt32LE(this.words.of(c.orgId), base + ORG);
    slab.writeUInt32LE(this.words.of(c.companyId), base + COMPANY);
    slab.writeInt32LE(c.ownerEpoch, base + OWNER);
    slab.write(c.mac, base + MAC, 'hex');
    slab[base + FLAGS] = c.enabled ? ENABLED : 0;
    if (c.previousHash === null) this.previous.delete(slot);
    else this.previous.set(slot, Buffer.from(c.previousHash));
    this.byMac.add(slot);
    this.byId.add(slot);
    return touched;
  }

  /** Forgets a device; answers its MAC, or null when it was not known. */
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
    this.slab(slot)[this.base(slot) + FLAGS] = 0;
    this.previous.delete(slot);
    this.free.push(slot);
    this.live--;
  }

  private take(): number {
    this.live++;
    const free = this.free.pop();
    if (free !== undefined) return free;
    if (this.top === this.slabs.length * SLAB) this.slabs.push(Buffer.alloc(SLAB * RECORD));
    return this.top++;
  }

  private slab(slot: number): Buffer {
    return this.slabs[(slot / SLAB) | 0]!;
  }

  private base(slot: number): number {
    return (slot % SLAB) * RECORD;
  }

  private macHash(b: Buffer, at: number): number {
    return mix(b.readUInt32LE(at), b.readUInt16LE(at + 4));
  }

  private idHash(b: Buffer, at: number): number {
    return mix(b.readUInt32LE(at) ^ b.readUInt32LE(at + 4), b.readUInt32LE(at + 8) ^ b.readUInt32LE(at + 12));
  }

  private writeId(id: string, into: Buffer, at: number): void {
    into.fill(0, at, at + 16);
    into.write(id.replaceAll('-', ''), at, 16, 'hex');
  }
}
