import { randomBytes } from 'node:crypto';
import {
  deviceCredential,
  linkCommand,
  linkGateway,
  linkHandover,
  linkReport,
  linkResult,
  linkSession,
} from '@carillon/contracts';
import type { TopicDefinition } from '@carillon/contracts';
import type { Bus, OutRecord } from '@carillon/messaging';
import type { Redis } from '@carillon/service/cache';
import { Broker } from './connection/broker.ts';
import type { ClaimStore } from './claim/claim-store.ts';
import { Lease } from './claim/lease.ts';
import { LinkFeed } from './downlink/link-feed.ts';
import { MemoryClaimStore } from './claim/memory-claim-store.ts';
import { RedisClaimStore } from './claim/redis-claim-store.ts';
import { Commands } from './downlink/commands.ts';
import type { MqttGatewayConfig } from './config.ts';
import { Connection } from './connection/connection.ts';
import { Connections } from './connection/connections.ts';
import { Counters, increment } from './counters.ts';
import { CredentialFeed } from './credential/credential-feed.ts';
import { toRecord } from './uplink/envelope.ts';
import { listenersOf } from './listener/listeners.ts';
import type { LinkSocket, Listener } from './listener/listener.ts';
import type { Log } from './log.ts';
import { Policy } from './policy/policy.ts';
import { Presence } from './connection/presence.ts';
import { DiskGuard } from './uplink/disk-guard.ts';
import { Uplink } from './uplink/uplink.ts';

export interface MqttGatewayOptions {
  bus: Bus;
  config: MqttGatewayConfig;
  log: Log;
  /** Returns Unix time in milliseconds. */
  clock?: { now(): number };
  /** For several processes that share claims and leases; without it this process is the only one. */
  redis?: Redis | null;
  /** Replaces the claim store that follows from `redis`. */
  claims?: ClaimStore;
  /** Replaces the configured listeners. */
  listeners?: Listener[];
}

const topics: readonly TopicDefinition[] = [
  deviceCredential,
  linkCommand,
  linkGateway,
  linkReport,
  linkHandover,
  linkResult,
  linkSession,
];

/** One gateway process: devices on one side, the bus on the other, and no storage in between. */
export class MqttGateway {
  private readonly self: { id: string };
  readonly listeners: readonly Listener[];
  private readonly clock: { now(): number };
  private readonly counters = new Counters();
  private readonly disks: DiskGuard;
  private readonly uplink: Uplink;
  private readonly claims: ClaimStore;
  private readonly connections: Connections;
  private readonly credentials: CredentialFeed;
  private readonly commands: Commands;
  private readonly policy: Policy;
  private readonly broker: Broker;
  private readonly lease: Lease | null = null;
  private readonly feed: LinkFeed | null = null;
  private state: 'new' | 'starting' | 'ready' | 'draining' | 'stopped' = 'new';

  constructor(private readonly options: MqttGatewayOptions) {
    const { bus, config, log } = options;
    this.clock = options.clock ?? Date;
    this.self = { id: this.newId() };
    this.listeners = options.listeners ?? listenersOf(config, log);
    if (options.redis) this.lease = new Lease(options.redis, bus, this.clock, config, log, this);
    const { lease } = this;
    this.claims =
      options.claims ??
      (options.redis
        ? new RedisClaimStore(options.redis, { clock: this.clock, confirmed: () => lease!.confirmed() })
        : new MemoryClaimStore(this.clock));
    this.disks = new DiskGuard(bus, config, log);
    this.uplink = new Uplink(bus, config, this.clock, log, this.disks);
    const presence = new Presence(this.uplink, this.clock, this.self, config.era, this.claims);
    this.connections = new Connections(config, this.self, log, this.counters, this.uplink, this.claims, presence);
    this.credentials = new CredentialFeed(bus, log, (mac) => this.recheck(mac));
    this.commands = new Commands(bus, this.clock, this.connections, this.claims);
    this.policy = new Policy(this.connections, this.commands, this.credentials, this.claims, this.uplink, this.clock);
    this.broker = new Broker(this.policy.hooks(), (stream) => this.take(stream as unknown as LinkSocket, ''));
    this.connections.broker = this.broker;
    this.connections.lease = lease;
    if (lease) this.feed = new LinkFeed(bus, this.connections, lease);
  }

  /** `name#instance`: the instance is new at each start, so that no process is mistaken for a former one. */
  get id(): string {
    return this.self.id;
  }

  private newId(): string {
    return `${this.options.config.name}#${this.clock.now().toString(36)}${randomBytes(4).toString('hex')}`;
  }

  private startedRecord(): OutRecord {
    const at = this.clock.now();
    const { name, era } = this.options.config;
    return toRecord(linkGateway.name, 'started', name, JSON.stringify({ name, gateway: this.id, at }), at, era, null);
  }

  /**
   * Publishes that older instances of this name are dead, reads every credential, then listens. Rejects when the port
   * is in use or the bus is away.
   */
  async start(): Promise<void> {
    this.state = 'starting';
    const { bus, log } = this.options;
    await bus.ensureTopics(
      topics.map(({ name, partitions, cleanup, retentionMs }) => ({
        name,
        partitions,
        cleanup,
        ...(retentionMs === undefined ? {} : { retentionMs }),
      })),
    );
    await this.disks.start();
    await bus.publish([this.startedRecord()]);
    await this.claims.join(this.id, this.connections);
    await this.feed?.start();
    await this.lease?.start();
    await this.broker.listen();
    await this.credentials.start();
    await this.commands.start();
    this.connections.start();
    for (const listener of this.listeners)
      await listener.open({ take: (socket, address) => this.take(socket, address), refuse: () => this.refuseSocket() });
    this.state = 'ready';
    log.info(
      {
        gateway: this.id,
        devices: this.credentials.table.size,
        listeners: this.listeners.map((l) => ({ kind: l.kind, ...l.address })),
      },
      'MQTT gateway listens',
    );
  }

  /** Takes a new socket. */
  private take(socket: LinkSocket, address: string): Connection {
    const connection = new Connection(socket, this.connections, address);
    this.connections.add(connection);
    socket.reader = connection;
    return connection;
  }

  private refuseSocket(): boolean {
    const why = this.connections.reasonToRefuse();
    if (why !== null) increment(this.counters.refused, why);
    return why !== null;
  }

  /** Closes a connection that a changed credential no longer allows. */
  private recheck(mac: string): void {
    const connection = this.connections.find(mac);
    if (connection?.identity && !this.credentials.stillValid(mac, connection.identity)) connection.end('refused');
  }

  /**
   * The devices may have been declared offline, and be connected elsewhere by now. Closes them and continues as a new
   * instance, whose sessions no late event about the old one can affect.
   */
  handleLapse(why: string): void {
    if (this.state !== 'ready') return;
    this.options.log.error(
      { gateway: this.id, devices: this.broker.connectedClients, why },
      'the lease has lapsed: all connections are closed',
    );
    for (const connection of this.connections.list.slice()) connection.end('lost');
    void this.claims.leave(this.id);
    this.self.id = this.newId();
    void this.claims.join(this.id, this.connections);
    this.uplink.add(this.startedRecord(), null);
  }

  /**
   * Shuts down in order: accepts no connection, stores and acknowledges every message, then closes devices at
   * `drainPerSecond`. Resolves after `drainSeconds` at the latest.
   */
  async drain(): Promise<void> {
    if (this.state !== 'ready') return;
    this.state = 'draining';
    this.policy.draining = true;
    const deadline = this.connections.elapsed() + this.options.config.drainSeconds * 1_000;
    const late = new Promise<void>((resolve) => setTimeout(resolve, this.options.config.drainSeconds * 1_000).unref());
    for (const listener of this.listeners) void listener.close();
    const step = Math.max(1, Math.ceil(this.options.config.drainPerSecond / 20));
    while (this.connections.list.length > 0 && this.connections.elapsed() < deadline) {
      const some = this.connections.list.slice(-step);
      for (const connection of some) connection.pause();
      await Promise.race([this.uplink.whenStored(), late]);
      for (const connection of some) connection.end('drain');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await Promise.race([this.uplink.whenStored(), late]);
    await this.stop();
  }

  /** Closes at once. Messages that are not stored are not acknowledged, so devices send them again. */
  async stop(): Promise<void> {
    if (this.state === 'stopped') return;
    const opened = this.state === 'ready';
    this.state = 'stopped';
    this.policy.draining = true;
    if (opened) for (const listener of this.listeners) void listener.close();
    for (const connection of this.connections.list.slice()) connection.end('drain');
    this.disks.stop();
    this.uplink.stop();
    this.connections.stop();
    await Promise.all([this.commands.stop(), this.credentials.stop(), this.feed?.stop(), this.claims.leave(this.id)]);
    await this.lease?.stop();
    await new Promise<void>((resolve) => this.broker.close(() => resolve()));
  }

  /** Returns figures for metrics and health. */
  stats() {
    return {
      gateway: this.id,
      state: this.state,
      ready: this.state === 'ready',
      connections: this.connections.list.length,
      devices: this.broker.connectedClients,
      halfOpen: this.connections.halfOpenCount,
      credentials: this.credentials.table.size,
      credentialBytes: this.credentials.table.bytes,
      credentialsConfirmedAt: this.credentials.confirmedAt(),
      storing: {
        messages: this.uplink.size,
        bytes: this.uplink.bytes,
        held: this.connections.heldBytes,
        failures: this.uplink.failures,
        failingSince: this.uplink.failingSince,
      },
      fullDisk: this.disks.full?.name ?? null,
      disks: this.disks.disks.map((disk) => ({ ...disk, reserveBytes: this.disks.reserveOf(disk) })),
      ...this.counters,
    };
  }
}
