import { hash, timingSafeEqual } from 'node:crypto';
import { deviceCredential } from '@carillon/contracts';
import type { Bus, BusBatch, BusRecord, FanoutConsumer } from '@carillon/messaging';
import type { Log } from '../log.ts';
import { CredentialTable } from './credential-table.ts';
import type { Given } from './credential-table.ts';

/**
 * The device that a secret belongs to. `proof` names the hash that matched, to check later whether it is still valid.
 */
export interface Identity {
  deviceId: string;
  companyId: string;
  orgId: string;
  ownerEpoch: number;
  proof: number;
  /** Hash of the new secret, in base64url, when the device used it while an old one is valid too; otherwise null. */
  renewed: string | null;
  /** Whether it proved itself with a certificate, besides a secret or instead of one. */
  certified: boolean;
  /** Id of the command that resets it, when another company has the device now; nothing else passes then. */
  resetId: string | null;
}

/** Why a device is not let in. */
export type Unknown = 'secret' | 'disabled' | 'certificate';

const nothing = Buffer.alloc(32);
/** Limit of connections that wait for a credential; the others are answered at once. */
const mostWaiting = 1_000;
const { credential: schema, leaving: leavingSchema } = deviceCredential.events;

/** A device that was handed over and has not been reset. There are few of them. */
interface Leaving extends Omit<Identity, 'proof' | 'renewed' | 'certified'> {
  resetId: string;
  secretHash: Buffer;
  previousHash: Buffer | null;
}

/** A copy of every device's credential, from reading `device.credential.v1` from its start. */
export class CredentialFeed {
  readonly table = new CredentialTable();
  /** By MAC, and the MACs by device. */
  private readonly leaving = new Map<string, Leaving>();
  private readonly leavingMacs = new Map<string, string>();
  private consumer: FanoutConsumer | null = null;
  /** What waits for the credential of a MAC. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private waitingCount = 0;

  constructor(
    private readonly bus: Bus,
    private readonly log: Log,
    private readonly changed: (mac: string) => void,
  ) {}

  /** Resolves when everything stored has been read; earlier, an existing device would be refused. */
  async start(): Promise<void> {
    this.consumer = await this.bus.fanout({
      topics: [deviceCredential.name],
      from: 'start',
      handle: (batch) => this.take(batch),
    });
    await this.consumer.caughtUp;
  }

  async stop(): Promise<void> {
    await this.consumer?.close();
    this.consumer = null;
  }

  /** Returns the Unix time in milliseconds at which the copy was last known to be complete. */
  confirmedAt(): number {
    return this.consumer?.confirmedAt() ?? 0;
  }

  /**
   * Returns the identity for a MAC and a secret, or the reason for a refusal. An unknown MAC has the same cost and
   * answer as a wrong secret, and only a device with the right one learns that it needs a certificate.
   */
  check(mac: string, secret: Buffer, certified: boolean): Identity | Unknown {
    const given = hash('sha256', secret, 'buffer');
    const slot = this.table.slotOfMac(mac);
    const known = slot === -1 ? null : this.table.read(slot);
    const current = timingSafeEqual(given, known?.secretHash ?? nothing);
    const left = this.leaving.get(mac);
    if (left !== undefined && [left.secretHash, left.previousHash].some((hash) => hash && timingSafeEqual(given, hash)))
      return identityOf(left, certified);
    if (known === null || !(current || (known.previousHash !== null && timingSafeEqual(given, known.previousHash))))
      return 'secret';
    if (!known.enabled) return 'disabled';
    if (known.certificateRequired && !certified) return 'certificate';
    return {
      deviceId: known.deviceId,
      companyId: known.companyId,
      orgId: known.orgId,
      ownerEpoch: known.ownerEpoch,
      proof: given.readInt32LE(0),
      renewed: current && known.previousHash !== null ? given.toString('base64url') : null,
      certified,
      resetId: null,
    };
  }

  /**
   * Returns the identity of a device with a verified client certificate: it needs no secret, but must be known and
   * enabled, or be one to reset.
   */
  findCertified(mac: string): Identity | Unknown {
    const slot = this.table.slotOfMac(mac);
    const left = this.leaving.get(mac);
    if (slot === -1) return left === undefined ? 'secret' : identityOf(left, true);
    const { deviceId, companyId, orgId, ownerEpoch, enabled, secretHash } = this.table.read(slot);
    if (!enabled) return 'disabled';
    const proof = secretHash.readInt32LE(0);
    return { deviceId, companyId, orgId, ownerEpoch, proof, renewed: null, certified: true, resetId: null };
  }

  /** Resolves when the device's credential changes, after `withinMs` at the latest. */
  async nextChange(mac: string, withinMs: number): Promise<void> {
    if (this.waitingCount >= mostWaiting) return;
    this.waitingCount++;
    await new Promise<void>((resolve) => {
      const others = this.waiting.get(mac) ?? [];
      this.waiting.set(mac, others);
      const timer = setTimeout(() => {
        others.splice(others.indexOf(changed), 1);
        if (others.length === 0 && this.waiting.get(mac) === others) this.waiting.delete(mac);
        resolve();
      }, withinMs).unref();
      const changed = (): void => {
        clearTimeout(timer);
        resolve();
      };
      others.push(changed);
    });
    this.waitingCount--;
  }

  /** Returns whether a connection with `identity` may stay. */
  stillValid(mac: string, identity: Identity): boolean {
    if (identity.resetId !== null) return this.leaving.get(mac)?.resetId === identity.resetId;
    const slot = this.table.slotOfMac(mac);
    if (slot === -1) return false;
    const now = this.table.read(slot);
    return (
      now.enabled &&
      (!now.certificateRequired || identity.certified) &&
      now.deviceId === identity.deviceId &&
      now.companyId === identity.companyId &&
      now.ownerEpoch === identity.ownerEpoch &&
      (now.secretHash.readInt32LE(0) === identity.proof || now.previousHash?.readInt32LE(0) === identity.proof)
    );
  }

  private take(batch: BusBatch): void {
    for (const record of batch.records) {
      if (record.value === null || record.headers.type === 'leaving') {
        this.remove(record.key);
        if (record.value !== null) this.putLeaving(record, record.value);
        continue;
      }
      const credential = read(record);
      if (typeof credential === 'string') {
        this.log.error({ topic: record.topic, key: record.key, offset: String(record.offset) }, credential);
        continue;
      }
      for (const mac of this.table.put(credential)) this.announce(mac);
    }
  }

  private remove(deviceId: string): void {
    const left = this.leavingMacs.get(deviceId);
    if (left !== undefined) {
      this.leavingMacs.delete(deviceId);
      this.leaving.delete(left);
      this.announce(left);
    }
    const mac = this.table.remove(deviceId);
    if (mac !== null) this.announce(mac);
  }

  /** Stores a device to reset. It takes the place of one with the same MAC that an earlier company gave away. */
  private putLeaving(record: BusRecord, text: string): void {
    const { data } = leavingSchema.safeParse(parse(text));
    const { companyId } = record.headers;
    const secretHash = Buffer.from(data?.secretHash ?? '', 'base64url');
    const previousHash = data?.previousHash ? Buffer.from(data.previousHash, 'base64url') : null;
    const areHashes = [secretHash, previousHash ?? secretHash].every((hash) => hash.length === 32);
    if (data === undefined || companyId === undefined || !areHashes) {
      const { topic, key, offset } = record;
      return this.log.error({ topic, key, offset: String(offset) }, 'leaving message not understood');
    }
    const { deviceId, mac, orgId, ownerEpoch, resetId } = data;
    const before = this.leaving.get(mac);
    if (before !== undefined) this.leavingMacs.delete(before.deviceId);
    this.leaving.set(mac, { deviceId, companyId, orgId, ownerEpoch, resetId, secretHash, previousHash });
    this.leavingMacs.set(deviceId, mac);
    this.announce(mac);
  }

  private announce(mac: string): void {
    this.changed(mac);
    const waiting = this.waiting.get(mac);
    if (waiting === undefined) return;
    this.waiting.delete(mac);
    for (const changed of waiting) changed();
  }
}

const identityOf = ({ secretHash, previousHash: _, ...device }: Leaving, certified: boolean): Identity => ({
  ...device,
  certified,
  proof: secretHash.readInt32LE(0),
  renewed: null,
});

/**
 * `device.credential.v1` as the device service writes it for a device with one secret, with the fields in this order.
 */
const plain =
  /^\{"deviceId":"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}","mac":"[0-9a-f]{12}","orgId":"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}","ownerEpoch":\d{1,9},"secretHash":"[A-Za-z0-9_-]{43}","previousHash":null,"enabled":(?:true|false)\}$/;
/** Where its values begin, and how far the later ones are behind the end of the only one with a variable length. */
const deviceAt = '{"deviceId":"'.length,
  macAt = deviceAt + 36 + '","mac":"'.length,
  orgAt = macAt + 12 + '","orgId":"'.length,
  ownerAt = orgAt + 36 + '","ownerEpoch":'.length;
const hashBehind = ',"secretHash":"'.length,
  enabledBehind = hashBehind + 43 + '","previousHash":null,"enabled":'.length;

/**
 * Returns a message as a credential, or the reason why it is invalid. A message in the device service's usual form is
 * cut at the positions of its fields: a gateway must read hundreds of thousands before it is ready, and validation
 * against the contract takes longer than everything else. Other forms are validated.
 */
function read({ value: text, headers: { companyId, at }, timestamp }: BusRecord): Given | string {
  if (companyId === undefined) return 'credential message not understood';
  if (plain.test(text!)) {
    const ownerEnd = text!.indexOf(',', ownerAt);
    return {
      deviceId: text!.slice(deviceAt, deviceAt + 36),
      mac: text!.slice(macAt, macAt + 12),
      orgId: text!.slice(orgAt, orgAt + 36),
      companyId,
      ownerEpoch: Number(text!.slice(ownerAt, ownerEnd)),
      enabled: text!.charCodeAt(ownerEnd + enabledBehind) === 0x74,
      certificateRequired: false,
      at: Number(at ?? timestamp),
      secretHash: text!.slice(ownerEnd + hashBehind, ownerEnd + hashBehind + 43),
      previousHash: null,
    };
  }
  const { data } = schema.safeParse(parse(text!));
  if (data === undefined) return 'credential message not understood';
  const secretHash = Buffer.from(data.secretHash, 'base64url');
  const previousHash = data.previousHash === null ? null : Buffer.from(data.previousHash, 'base64url');
  if (secretHash.length !== 32 || (previousHash !== null && previousHash.length !== 32))
    return 'credential hash is not a SHA-256';
  const { deviceId, mac, orgId, ownerEpoch, enabled } = data;
  return {
    deviceId,
    mac,
    orgId,
    companyId,
    ownerEpoch,
    enabled,
    certificateRequired: data.certificateRequired === true,
    at: Number(at ?? timestamp),
    secretHash,
    previousHash,
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
