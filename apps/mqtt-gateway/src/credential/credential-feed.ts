import { hash, timingSafeEqual } from 'node:crypto';
import { deviceCredential } from '@carillon/contracts';
import type { Bus, BusBatch, BusRecord, FanoutConsumer } from '@carillon/messaging';
import type { Log } from '../log.ts';
import { CredentialTable } from './credential-table.ts';
import type { Given } from './credential-table.ts';

/** Who a secret proved to be. `proof` names the hash that matched, to see later whether it still counts. */
export interface Identity {
  deviceId: string;
  companyId: string;
  orgId: string;
  ownerEpoch: number;
  proof: number;
  /** Hash of the new secret, in base64url, when it came with that one while an old one works too; else null. */
  renewed: string | null;
}

const nothing = Buffer.alloc(32);
const schema = deviceCredential.events.credential;

/** The copy of every device's credential, kept by reading `device.credential.v1` from its start. */
export class CredentialFeed {
  readonly table = new CredentialTable();
  private consumer: FanoutConsumer | null = null;

  constructor(
    private readonly bus: Bus,
    private readonly log: Log,
    private readonly changed: (mac: string) => void,
  ) {}

  /** Resolves when all that was stored has been read: before it, a device that exists would be refused. */
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

  /** Epoch ms at which the copy was last known to be complete. */
  confirmedAt(): number {
    return this.consumer?.confirmedAt() ?? 0;
  }

  /**
   * The identity a MAC and its secret prove, or why not. An unknown MAC costs and answers the same as a wrong secret.
   */
  check(mac: string, secret: Buffer): Identity | 'secret' | 'disabled' {
    const given = hash('sha256', secret, 'buffer');
    const slot = this.table.slotOfMac(mac);
    const known = slot === -1 ? null : this.table.read(slot);
    const current = timingSafeEqual(given, known?.secretHash ?? nothing);
    if (known === null || !(current || (known.previousHash !== null && timingSafeEqual(given, known.previousHash))))
      return 'secret';
    if (!known.enabled) return 'disabled';
    return {
      deviceId: known.deviceId,
      companyId: known.companyId,
      orgId: known.orgId,
      ownerEpoch: known.ownerEpoch,
      proof: given.readInt32LE(0),
      renewed: current && known.previousHash !== null ? given.toString('base64url') : null,
    };
  }

  /**
   * The identity of a device whose client certificate was found good: it needs no secret, but to be known and enabled.
   */
  findCertified(mac: string): Identity | 'secret' | 'disabled' {
    const slot = this.table.slotOfMac(mac);
    if (slot === -1) return 'secret';
    const { deviceId, companyId, orgId, ownerEpoch, enabled, secretHash } = this.table.read(slot);
    return enabled
      ? { deviceId, companyId, orgId, ownerEpoch, proof: secretHash.readInt32LE(0), renewed: null }
      : 'disabled';
  }

  /** Whether a connection made with `identity` may go on. */
  stillValid(mac: string, identity: Identity): boolean {
    const slot = this.table.slotOfMac(mac);
    if (slot === -1) return false;
    const now = this.table.read(slot);
    return (
      now.enabled &&
      now.deviceId === identity.deviceId &&
      now.companyId === identity.companyId &&
      now.ownerEpoch === identity.ownerEpoch &&
      (now.secretHash.readInt32LE(0) === identity.proof || now.previousHash?.readInt32LE(0) === identity.proof)
    );
  }

  private take(batch: BusBatch): void {
    for (const record of batch.records) {
      if (record.value === null) {
        const mac = this.table.remove(record.key);
        if (mac !== null) this.changed(mac);
        continue;
      }
      const credential = read(record);
      if (typeof credential === 'string') {
        this.log.error({ topic: record.topic, key: record.key, offset: String(record.offset) }, credential);
        continue;
      }
      for (const mac of this.table.put(credential)) this.changed(mac);
    }
  }
}

/** `device.credential.v1` as the device service writes it for a device with one secret: the fields in this order. */
const plain =
  /^\{"deviceId":"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}","mac":"[0-9a-f]{12}","orgId":"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}","ownerEpoch":\d{1,9},"secretHash":"[A-Za-z0-9_-]{43}","previousHash":null,"enabled":(?:true|false)\}$/;
/** Where its values begin, and how far the later ones lie behind the end of the only one whose length differs. */
const deviceAt = '{"deviceId":"'.length,
  macAt = deviceAt + 36 + '","mac":"'.length,
  orgAt = macAt + 12 + '","orgId":"'.length,
  ownerAt = orgAt + 36 + '","ownerEpoch":'.length;
const hashBehind = ',"secretHash":"'.length,
  enabledBehind = hashBehind + 43 + '","previousHash":null,"enabled":'.length;

/**
 * A message as a credential, or why not. One that looks as the device service writes it is cut at the places of its
 * fields: a gateway is not ready before it has read hundreds of thousands, and the contract's own check takes longer
 * than all else. What looks otherwise is judged by the contract.
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
