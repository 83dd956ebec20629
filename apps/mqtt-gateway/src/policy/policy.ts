import { isUtf8 } from 'node:buffer';
import { linkHandover, linkReport, linkResult } from '@carillon/contracts';
import { linkTopic, uplinkPayloads } from '@carillon/contracts/link';
import type { HelloPayload, UplinkKind } from '@carillon/contracts/link';
import { SpanKind, pointSpan } from '@carillon/observability';
import { asIs } from './as-is.ts';
import { Budget, DeviceRate, TokenBucket } from './admission.ts';
import { Broken } from '../codec/broken.ts';
import { Refused } from '../connection/hooks.ts';
import type { Hooks as AedesHooks, Publish } from '../connection/hooks.ts';
import type { ClaimStore } from '../claim/claim-store.ts';
import type { Connection } from '../connection/connection.ts';
import type { Connections } from '../connection/connections.ts';
import { increment } from '../counters.ts';
import type { Refusal } from '../counters.ts';
import type { Commands } from '../downlink/commands.ts';
import type { CredentialFeed, Identity, Unknown } from '../credential/credential-feed.ts';
import { toRecord } from '../uplink/envelope.ts';
import type { Uplink } from '../uplink/uplink.ts';

type Hooks = AedesHooks<Connection>;

/** CONNACK code of each refusal. An unknown MAC and a wrong secret look the same (DEV-09). */
const refusals = {
  rate: 3,
  storing: 3,
  credentialFeed: 3,
  draining: 3,
  userName: 4,
  secret: 4,
  disabled: 5,
  certificate: 5,
  deviceRate: 3,
} as const satisfies Partial<Record<Refusal, 3 | 4 | 5>>;
/** Created once, because in a storm of refusals each would cost a stack trace. */
const prepared = Object.fromEntries(
  Object.entries(refusals).map(([why, code]) => [why, new Refused(code, why)]),
) as Record<keyof typeof refusals, Refused>;
const kinds = new Map(Object.keys(uplinkPayloads).map((kind) => [kind, kind as UplinkKind]));
const takenAsIs = Object.fromEntries(
  Object.entries(uplinkPayloads).map(([kind, schema]) => [kind, asIs(schema)]),
) as Record<UplinkKind, (value: unknown) => boolean>;
/** Where the kind begins, after `d/{mac}/`. */
const kindAt = 'd/'.length + 12 + 1;

/** The gateway's decisions in Aedes' hooks: who may connect, as which device, and what it may send and receive. */
export class Policy {
  draining = false;
  private readonly bucket: TokenBucket;
  private readonly deviceRate: DeviceRate | null;
  private readonly deviceBudget: Budget | null;
  private readonly companyBudget: Budget | null;

  constructor(
    private readonly connections: Connections,
    private readonly commands: Commands,
    private readonly credentials: CredentialFeed,
    private readonly claims: ClaimStore,
    private readonly uplink: Uplink,
    private readonly clock: { now(): number },
  ) {
    this.bucket = new TokenBucket(connections.config.connectsPerSecond, connections.config.connectBurst);
    const { deviceConnectsPerMinute, deviceConnectBurst } = connections.config;
    this.deviceRate =
      deviceConnectsPerMinute === 0 ? null : new DeviceRate(deviceConnectsPerMinute, deviceConnectBurst);
    const { deviceMessagesPerSecond, deviceBytesPerSecond, companyMessagesPerSecond, companyBytesPerSecond } =
      connections.config;
    const { budgetBurstSeconds } = connections.config;
    this.deviceBudget =
      deviceMessagesPerSecond === 0
        ? null
        : new Budget(deviceMessagesPerSecond, deviceBytesPerSecond, budgetBurstSeconds);
    this.companyBudget =
      companyMessagesPerSecond === 0
        ? null
        : new Budget(companyMessagesPerSecond, companyBytesPerSecond, budgetBurstSeconds);
  }

  /** Returns the hooks as bound functions, as Aedes stores them. */
  hooks(): Hooks {
    return {
      preConnect: this.preConnect.bind(this),
      authenticate: this.authenticate.bind(this),
      authorizePublish: this.authorizePublish.bind(this),
      authorizeSubscribe: this.authorizeSubscribe.bind(this),
    };
  }

  preConnect(...[, , done]: Parameters<Hooks['preConnect']>): void {
    const config = this.connections.config;
    const why = this.draining
      ? 'draining'
      : this.connections.isOverfull()
        ? 'storing'
        : this.clock.now() - this.credentials.confirmedAt() > config.credentialStaleSeconds * 1_000
          ? 'credentialFeed'
          : this.bucket.take(this.connections.elapsed())
            ? null
            : 'rate';
    if (why === null) done(null, true);
    else done(this.refused(why), false);
  }

  authenticate(...[client, username, password, done]: Parameters<Hooks['authenticate']>): void {
    // A certificate that names a device is valid for no other one, even with that one's secret (device-link.md,
    // "Connecting").
    const { certificateMac } = client;
    if (certificateMac !== null && certificateMac !== client.id) return done(this.refused('certificate'), false);
    if (username !== client.id && !(username === undefined && certificateMac !== null))
      return done(this.refused('userName'), false);
    const identity = this.identify(client, password);
    if (identity !== 'secret') return this.letIn(client, identity, done);
    // The credential of a device that was added a moment ago may still be on its way here. A wrong secret waits as long
    // as an unknown MAC, so that they look the same.
    void this.credentials.nextChange(client.id, this.connections.config.credentialWaitMs).then(() => {
      if (!client.closed) this.letIn(client, this.identify(client, password), done);
    });
  }

  private identify(client: Connection, password: Buffer | undefined): Identity | Unknown {
    if (password !== undefined) return this.credentials.check(client.id, password, client.certificateMac !== null);
    return client.certificateMac === null ? 'secret' : this.credentials.findCertified(client.id);
  }

  private letIn(client: Connection, identity: Identity | Unknown, done: Parameters<Hooks['authenticate']>[3]): void {
    if (typeof identity === 'string') return done(this.refused(identity), false);
    if (identity.resetId !== null) return this.letInToReset(client, identity, done);
    if (this.deviceRate?.take(client.id, this.connections.elapsed()) === false)
      return done(this.refused('deviceRate'), false);
    const claimed = (epoch: number): void => {
      client.epoch = epoch;
      client.identity = identity;
      done(null, true);
    };
    const epoch = this.claims.claim(client.id, this.connections.gateway);
    if (typeof epoch === 'number') return claimed(epoch);
    epoch.then(
      (epoch) => {
        // Checks what changed during the claim: the client left, the secret is no longer valid, or another process
        // claimed the device.
        if (client.closed) return void this.claims.release(client.id, this.connections.gateway, epoch);
        client.epoch = epoch;
        if (!this.credentials.stillValid(client.id, identity)) return done(this.refused('secret'), false);
        if (this.connections.wasTakenSince(client.id, epoch)) return client.end('taken');
        claimed(epoch);
      },
      () => done(this.refused('storing'), false),
    );
  }

  /**
   * Lets a device in that was handed over. It publishes no presence and claims no identity, so that it never disturbs
   * the device of the new company. While that device is connected here, it is refused.
   */
  private letInToReset(client: Connection, identity: Identity, done: Parameters<Hooks['authenticate']>[3]): void {
    if (this.connections.find(client.id)?.identity?.resetId === null) return done(this.refused('secret'), false);
    if (this.deviceRate?.take(client.id, this.connections.elapsed()) === false)
      return done(this.refused('deviceRate'), false);
    client.identity = identity;
    done(null, true);
  }

  authorizeSubscribe(...[client, subscription, done]: Parameters<Hooks['authorizeSubscribe']>): void {
    done(null, subscription.topic === linkTopic.command(client.id) ? subscription : null);
  }

  /**
   * Validates a message and passes it to the bus; `done` is called when it is stored. An invalid payload is dropped,
   * counted and acknowledged, because the device would repeat it for ever otherwise. Only an invalid hello closes,
   * because the device cannot be used without one.
   */
  authorizePublish(...[client, packet, done]: Parameters<Hooks['authorizePublish']>): void {
    const kind = kindOf(client, packet);
    if (kind === undefined) return done(new Broken('foreignTopic'));
    const beyond = this.budgetBroken(client, packet.payload.length);
    if (beyond !== null) return done(new Broken(beyond));
    if (!client.helloed && kind !== 'hello' && ++client.early > mostEarly) return done(new Broken('helloFirst'));
    const payload = read(kind, packet.payload);
    this.connections.counters.received++;
    if (payload === null) {
      this.connections.counters.invalid++;
      if (kind === 'hello') return done(new Broken('badHello'));
      if (!client.complained)
        this.connections.log.warn(
          { mac: client.id, kind, bytes: packet.payload.length },
          'payload is not what the device link says, dropped',
        );
      client.complained = true;
      return this.uplink.add(null, done);
    }
    if (client.identity!.resetId !== null) return this.takeLeaving(client, kind, payload, done);
    if (kind === 'hello' && !client.helloed) this.storeReturn(client, payload);
    this.store(client, kind, payload, done);
    if (kind !== 'hello') return;
    client.helloed = true;
    this.commands.welcome(client, payload.trace);
  }

  /** Resets a device that was handed over. Stores only its hello after the reset and drops its other messages. */
  private takeLeaving(
    client: Connection,
    kind: UplinkKind,
    payload: Payload,
    done: (error?: Error | null) => void,
  ): void {
    const { deviceId, companyId, orgId, ownerEpoch, resetId } = client.identity!;
    if (kind !== 'hello' || (payload.value as HelloPayload).boot !== 'reset') this.uplink.add(null, done);
    else {
      const receivedAt = this.clock.now();
      const json = JSON.stringify({ deviceId, mac: client.id, ownerEpoch, receivedAt });
      const { era } = this.connections.config;
      this.uplink.add(toRecord(linkHandover.name, 'wiped', deviceId, json, receivedAt, era, companyId, orgId), done);
    }
    if (kind !== 'hello' || client.helloed) return;
    client.helloed = true;
    this.commands.welcome(client, payload.trace);
    if ((payload.value as HelloPayload).boot !== 'reset') this.commands.reset(client, resetId!);
  }

  /** Returns which budget the message exceeds: a device must not cost the others time or disk space. */
  private budgetBroken(client: Connection, bytes: number): 'deviceBudget' | 'companyBudget' | null {
    const now = this.connections.elapsed();
    const broken =
      this.deviceBudget?.take(client.id, bytes, now) === false
        ? 'deviceBudget'
        : this.companyBudget?.take(client.identity!.companyId, bytes, now) === false
          ? 'companyBudget'
          : null;
    if (broken !== null)
      this.connections.log.warn(
        { mac: client.id, companyId: client.identity!.companyId, budget: broken },
        'device sends more than it may and is closed',
      );
    return broken;
  }

  private store(client: Connection, kind: UplinkKind, payload: Payload, done: (error?: Error | null) => void): void {
    const { deviceId, companyId, orgId, ownerEpoch } = client.identity!;
    const receivedAt = this.clock.now();
    // Concatenated by hand: the payload is JSON already, and ids, MACs and numbers need no escaping.
    const json = `{"deviceId":"${deviceId}","mac":"${client.id}","ownerEpoch":${ownerEpoch},"epoch":${client.epoch},"receivedAt":${receivedAt},"payload":${payload.json}${kind === 'hello' ? `,"address":${JSON.stringify(client.address)}` : ''}}`;
    // A result continues its command's trace; other messages start one where they are stored.
    const traceparent =
      kind === 'result' ? pointSpan('device result', payload.trace, SpanKind.CONSUMER) : payload.trace;
    const record = toRecord(
      kind === 'result' ? linkResult.name : linkReport.name,
      kind,
      deviceId,
      json,
      receivedAt,
      this.connections.config.era,
      companyId,
      orgId,
      traceparent,
    );
    this.uplink.add(record, done);
  }

  /**
   * Stores a device's restart among its results, in order, so that its effects are known when the results arrive. The
   * hello after it is acknowledged when both are stored. A hello that is repeated on the same connection, for the
   * clock, reports no second start.
   */
  private storeReturn(client: Connection, payload: Payload): void {
    const { boot, firmware, uptime } = payload.value as HelloPayload;
    if (boot === 'reconnect') return;
    const { deviceId, companyId, orgId, ownerEpoch } = client.identity!;
    const receivedAt = this.clock.now();
    const data = { deviceId, mac: client.id, ownerEpoch, epoch: client.epoch, receivedAt, boot, firmware, uptime };
    this.uplink.add(
      toRecord(
        linkResult.name,
        'back',
        deviceId,
        JSON.stringify(data),
        receivedAt,
        this.connections.config.era,
        companyId,
        orgId,
        payload.trace,
      ),
      null,
    );
  }

  private refused(why: keyof typeof refusals): Refused {
    increment(this.connections.counters.refused, why);
    return prepared[why];
  }
}

/**
 * Most messages of a connection before its hello. An MQTT library sends unacknowledged and queued messages before it
 * tells the application that it is connected.
 */
const mostEarly = 256;

/** Returns the last level of an own topic, or undefined for any other topic. */
function kindOf(client: Connection, packet: Publish): UplinkKind | undefined {
  const { topic } = packet;
  if (!topic.startsWith('d/') || !topic.startsWith(client.id, 2) || topic.charCodeAt(kindAt - 1) !== 0x2f)
    return undefined;
  return kinds.get(topic.slice(kindAt));
}

/** A valid payload: as JSON that fits the contract, with its trace and as a value. */
interface Payload {
  json: string;
  trace: string | undefined;
  value: unknown;
}

function read(kind: UplinkKind, bytes: Buffer): Payload | null {
  if (!isUtf8(bytes) || tooDeep(bytes)) return null;
  try {
    const text = bytes.toString('utf8', 0, bytes.length);
    const value: unknown = JSON.parse(text);
    // Only an escape can produce what UTF-8 cannot: NUL, which PostgreSQL refuses, and half a surrogate pair.
    const escaped = text.includes('\\u');
    if (!escaped && takenAsIs[kind](value)) return { json: text, trace: (value as { trace?: string }).trace, value };
    const result = uplinkPayloads[kind].safeParse(value);
    return result.success && !(escaped && unstorable(result.data))
      ? { json: JSON.stringify(result.data), trace: result.data.trace, value: result.data }
      : null;
  } catch {
    return null;
  }
}

/**
 * Limit of nested arrays and objects in a payload; the contract's schemas have four levels. Tens of thousands would
 * overflow the stack of whatever serializes them.
 */
const deepest = 32;

/** Counts the levels of JSON without parsing it. A level takes two bytes, so a short payload cannot be too deep. */
function tooDeep(bytes: Buffer): boolean {
  if (bytes.length <= 2 * deepest) return false;
  let level = 0;
  let quoted = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (quoted) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++level > deepest) return true;
    } else if (byte === 0x5d || byte === 0x7d) level--;
  }
  return false;
}

function unstorable(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => unstorable(key) || unstorable(item));
}
