import { networkOf } from '@carillon/service/network';
import { increment } from '../counters.ts';
import type { Counters, EndReason, Refusal } from '../counters.ts';
import type { Fault } from '../codec/fault.ts';
import type { Broker } from './broker.ts';
import type { ClaimHolder, ClaimStore } from '../claim/claim-store.ts';
import type { Lease } from '../claim/lease.ts';
import type { MqttGatewayConfig } from '../config.ts';
import type { Connection, Host } from './connection.ts';
import type { Log } from '../log.ts';
import type { Presence } from './presence.ts';
import type { Uplink } from '../uplink/uplink.ts';

/** After the process itself stood still this long, no device is judged silent before it was read once. */
const stalledSeconds = 3;
const noticeSeconds = 30;

/** All connections of the process: finds them, flushes what is to be written in this tick, and ends silent ones. */
export class Connections implements ClaimHolder, Host {
  broker!: Broker;
  /** Set when other processes could take this one for dead. */
  lease: Lease | null = null;
  readonly list: Connection[] = [];
  /** Coarse seconds since the start, monotonic. */
  second = 0;
  /** Bytes of publishes that are held above their windows, for all devices together. */
  heldBytes = 0;
  halfOpenCount = 0;
  private readonly started = performance.now();
  private readonly halfOpenByNetwork = new Map<string, number>();
  /** Takeovers by other processes, kept for `noticeSeconds`. */
  private readonly notices = new Map<string, { epoch: number; second: number }>();
  /**
   * Aedes' own registry is an object: looking up a MAC that was just cut from a string costs as much there as the whole
   * write.
   */
  private readonly byMac = new Map<string, Connection>();
  private dirty: Connection[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor(
    readonly config: MqttGatewayConfig,
    private readonly self: { readonly id: string },
    readonly log: Log,
    readonly counters: Counters,
    private readonly uplink: Uplink,
    private readonly claims: ClaimStore,
    private readonly presence: Presence,
  ) {}

  /** `name#instance` of this process. */
  get gateway(): string {
    return this.self.id;
  }

  start(): void {
    this.timer = setInterval(() => this.sweep(), 1_000);
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Milliseconds since the start, monotonic. */
  elapsed(): number {
    return performance.now() - this.started;
  }

  /** Returns the connection of a device that was let in. */
  find(mac: string): Connection | undefined {
    return this.byMac.get(mac);
  }

  /** Returns why no further socket is accepted, or null. */
  reasonToRefuse(): Refusal | null {
    if (this.list.length >= this.config.connections) return 'connections';
    return this.halfOpenCount >= this.config.halfOpen ? 'halfOpen' : null;
  }

  add(connection: Connection): void {
    connection.index = this.list.push(connection) - 1;
    this.halfOpenCount++;
    this.count(connection.address);
  }

  /** Changes the address to that given by a proxy, while the connection is half open. */
  changeAddress(connection: Connection, address: string): void {
    this.uncount(connection.address);
    connection.address = address;
    this.count(address);
  }

  /** Called when the connection has sent a whole CONNECT, or has ended. */
  endHalfOpen(connection: Connection): void {
    this.halfOpenCount--;
    this.uncount(connection.address);
  }

  private count(address: string): void {
    const network = networkOf(address);
    this.halfOpenByNetwork.set(network, (this.halfOpenByNetwork.get(network) ?? 0) + 1);
  }

  private uncount(address: string): void {
    const network = networkOf(address);
    const left = this.halfOpenByNetwork.get(network)! - 1;
    if (left === 0) this.halfOpenByNetwork.delete(network);
    else this.halfOpenByNetwork.set(network, left);
  }

  /** Returns whether more data waits to be stored than the process may hold. */
  isOverfull(): boolean {
    return this.uplink.bytes + this.heldBytes > this.config.uplinkBytes;
  }

  admit(connection: Connection): void {
    this.counters.accepted++;
    this.byMac.set(connection.id, connection);
    // A device that was handed over belongs to no company until it is reset.
    if (connection.identity!.resetId !== null) return;
    connection.announced = true;
    this.presence.publishOnline(connection);
  }

  remove(connection: Connection, reason: EndReason): void {
    increment(this.counters.ended, reason);
    const last = this.list.pop()!;
    if (last !== connection) {
      this.list[connection.index] = last;
      last.index = connection.index;
    }
    if (this.byMac.get(connection.id) === connection) {
      this.byMac.delete(connection.id);
      this.broker.unregisterClient(connection);
    }
    if (connection.epoch > 0) void this.claims.release(connection.id, this.gateway, connection.epoch);
    if (connection.announced && reason !== 'taken') this.presence.publishOffline(connection, reason);
  }

  /**
   * Another process claimed the device at `epoch`: closes an older session here, even one whose own claim is still in
   * progress (without this, 56 of 300 pairs stayed double in tests of takeovers).
   */
  loseDevice(mac: string, epoch: number): void {
    this.notices.set(mac, { epoch, second: this.second });
    const connection = this.find(mac);
    if (connection !== undefined && connection.epoch < epoch) connection.end('taken');
  }

  /**
   * Returns whether a claim with `epoch` is already lost, to another process or to a later connection of this one whose
   * claim was answered first. Letting it in would close the later connection, and its offline would count for nothing.
   */
  wasTakenSince(mac: string, epoch: number): boolean {
    return this.highestEpoch(mac) > epoch;
  }

  /** Returns the highest epoch of the device that was seen here. */
  highestEpoch(mac: string): number {
    return Math.max(this.notices.get(mac)?.epoch ?? 0, this.find(mac)?.epoch ?? 0);
  }

  *heldDevices(): Iterable<{ mac: string; epoch: number }> {
    for (const c of this.list.slice())
      if (c.connected && c.identity?.resetId === null) yield { mac: c.id, epoch: c.epoch };
  }

  /**
   * Another process published the device offline with a later epoch than this session's, below which nobody would see
   * it.
   */
  raiseEpoch(connection: Connection, epoch: number): void {
    if (!connection.announced) return;
    connection.epoch = epoch;
    this.presence.publishOnline(connection);
  }

  countFault(connection: Connection, fault: Fault): void {
    increment(this.counters.faults, fault);
    this.broker.emit(connection.connected ? 'clientError' : 'connectionError', connection, new Error(fault));
  }

  /** An error of ours in a device's data must not end the other devices' connections. */
  closeDefective(connection: Connection, error: unknown): void {
    this.counters.defects++;
    this.log.error({ err: error, mac: connection.id }, 'connection failed inside the gateway and is closed');
    connection.end('refused');
  }

  /** Closes a connection whose device does not read or does not acknowledge. */
  closeFrozen(connection: Connection): void {
    this.counters.frozen++;
    this.log.warn(
      { mac: connection.id, address: connection.address },
      'device takes its messages too slowly and is closed',
    );
    connection.end('refused');
  }

  /** Collects everything for a device in one turn of the event loop into one write. */
  writeLater(connection: Connection): void {
    if (this.dirty.push(connection) === 1) setImmediate(this.flush);
  }

  private readonly flush = (): void => {
    // After a long standstill others have declared the devices offline: nothing older may be sent.
    if (this.lease?.isRunning() === false) this.lease.lapse('this process was held up for longer than its lease');
    const dirty = this.dirty;
    this.dirty = [];
    for (const connection of dirty) connection.flush();
  };

  private sweep(): void {
    const before = this.second;
    this.second = Math.floor(this.elapsed() / 1_000);
    if (this.second - before > stalledSeconds) return;
    for (const [mac, { second }] of this.notices) if (this.second - second > noticeSeconds) this.notices.delete(mac);
    const crowded = new Set<string>();
    for (const [network, count] of this.halfOpenByNetwork)
      if (count > this.config.halfOpenPerAddress) crowded.add(network);
    for (let i = this.list.length - 1; i >= 0; i--) {
      const connection = this.list[i];
      if (connection !== undefined) this.judge(connection, crowded);
    }
  }

  /** Ends a connection that was silent, half open or unread for too long. */
  private judge(c: Connection, crowded: Set<string>): void {
    const silent = this.second - c.seen;
    if (c.halfOpen) {
      if (silent > this.config.connectSeconds) this.timedOut(c, 'connectTimeout');
      else if (silent > 1 && crowded.size > 0) {
        const network = networkOf(c.address);
        if (crowded.has(network) && this.halfOpenByNetwork.get(network)! > this.config.halfOpenPerAddress)
          this.timedOut(c, 'halfOpenPerAddress');
      }
    } else if (c.stoppedAt !== -1) {
      // The pings of an unread connection go unanswered, so it is closed between half and nine tenths of its
      // keep-alive, spread over time.
      if (this.second - c.stoppedAt > c.keepAlive * (0.5 + ((c.epoch * 2_654_435_761) % 1_000) / 2_500))
        c.end('refused');
    } else if (silent > c.keepAlive * 1.5 + 1) {
      this.broker.emit('keepaliveTimeout', c);
      c.end('lost');
    }
  }

  private timedOut(connection: Connection, why: Refusal): void {
    increment(this.counters.refused, why);
    connection.end('refused');
  }
}
