import { linkGateway } from '@carillon/contracts';
import { linkLimits } from '@carillon/contracts/link';
import type { Bus } from '@carillon/messaging';
import { redisScript, type Redis } from '@carillon/service/cache';
import { toRecord } from '../uplink/envelope.ts';
import type { Log } from '../log.ts';

/** Renewals per duration of a lease. */
const signsPerLease = 4;
const dayMs = 86_400_000;

/** Renews the own lease and returns all: names, and the end of each by Redis' clock. */
const signScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${dayMs})
return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')`);

/** The gateway process whose lease this is. */
export interface Leased {
  /** `name#instance`. */
  readonly id: string;
  /**
   * Called when this process was silent so long that others may have declared its devices offline: it must drop them
   * before it writes anything.
   */
  handleLapse(why: string): void;
}

/**
 * Keeps a gateway process alive for the others and watches them (GW-03): it renews its lease in Redis every quarter of
 * its duration, or on the bus while Redis is away. A process that was not seen for a whole lease is declared gone by
 * the first to notice, perhaps by several; repetitions change nothing. A process judges others only after it was
 * healthy itself for a whole lease: after an outage of all, each has time to be seen again. Times come from the
 * monotonic clock.
 */
export class Lease {
  private readonly peers = new Map<string, { until: string; heard: number }>();
  private readonly leaseMs: number;
  private readonly beatMs: number;
  private timer: NodeJS.Timeout | null = null;
  private showing = false;
  /** When the loop last ran, when the last successful renewal was sent, and since when all have succeeded. */
  private beat = 0;
  private shown = -Infinity;
  private wellSince = Infinity;
  /** By how many milliseconds the own clock was behind that of Redis at the last renewal. */
  private behindMs = 0;

  constructor(
    private readonly redis: Redis,
    private readonly bus: Bus,
    private readonly clock: { now(): number },
    private readonly settings: { name: string; era: number; leaseSeconds: number },
    private readonly log: Log,
    private readonly gateway: Leased,
  ) {
    this.leaseMs = settings.leaseSeconds * 1_000;
    this.beatMs = this.leaseMs / signsPerLease;
  }

  async start(): Promise<void> {
    this.beat = performance.now();
    await this.show();
    this.timer = setInterval(() => void this.turn(), this.beatMs);
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.redis.send(['ZREM', this.key, this.gateway.id]).catch(() => {});
    await this.publish('gone', this.gateway.id).catch(() => {});
  }

  /**
   * Returns false when this process was held up so long that others may take it for dead. Checked before anything is
   * written to a device.
   */
  isRunning(): boolean {
    return this.timer === null || performance.now() - this.beat < this.leaseMs - this.beatMs;
  }

  /**
   * Returns whether others can have seen this process within a lease, and its clock is not behind theirs: otherwise an
   * order for the moment may have expired (docs/device-link.md, Down).
   */
  confirmed(): boolean {
    return performance.now() - this.shown < this.leaseMs && this.behindMs <= linkLimits.clockToleranceMs;
  }

  /** Records a sign of life of a gateway on the bus. */
  hear(id: string): void {
    if (id === this.gateway.id) return;
    const peer = this.peers.get(id);
    if (peer) peer.heard = performance.now();
    else this.peers.set(id, { until: '', heard: performance.now() });
  }

  /** Handles the event that a gateway is gone. */
  handleGone(id: string): void {
    if (id === this.gateway.id) this.lapse('another process told that this one is gone');
    else this.forget(id);
  }

  /** Handles the start of a gateway: its older instances are gone. */
  handleStarted(name: string, id: string): void {
    for (const peer of this.peers.keys()) if (peer !== id && peer.startsWith(`${name}#`)) this.forget(peer);
    this.hear(id);
  }

  lapse(why: string): void {
    this.beat = performance.now();
    // The leases of the others start again here, because their renewals could not be seen in the meantime.
    this.wellSince = Infinity;
    this.gateway.handleLapse(why);
  }

  private async turn(): Promise<void> {
    if (!this.isRunning()) this.lapse('this process was held up for longer than its lease');
    this.beat = performance.now();
    await this.show();
    await this.judge();
  }

  private async show(): Promise<void> {
    // The last renewal still waits for the bus, so this process is not healthy and may judge nobody.
    if (this.showing) {
      this.wellSince = Infinity;
      return;
    }
    this.showing = true;
    const at = performance.now();
    try {
      await this.showRedis().catch(() => this.publish('alive', this.gateway.id));
      this.shown = at;
      if (this.wellSince === Infinity) this.wellSince = performance.now();
    } catch {
      this.wellSince = Infinity;
    } finally {
      this.showing = false;
    }
  }

  private async showRedis(): Promise<void> {
    const { id } = this.gateway;
    const all = await this.redis.script<string[]>(signScript, [this.key], [id, this.leaseMs]);
    for (let i = 0; i < all.length; i += 2) {
      const peer = all[i]!,
        until = String(all[i + 1]);
      // The own lease began at Redis' time, which was before now.
      if (peer === id) this.behindMs = Number(until) - this.leaseMs - this.clock.now();
      if (peer === id || this.peers.get(peer)?.until === until) continue;
      // An older instance of this process, which its `started` event has declared dead.
      if (peer.startsWith(`${this.settings.name}#`)) this.forget(peer);
      else this.peers.set(peer, { until, heard: performance.now() });
    }
  }

  private forget(id: string): void {
    this.peers.delete(id);
    void this.redis.send(['ZREM', this.key, id]).catch(() => {});
  }

  private async judge(): Promise<void> {
    const now = performance.now();
    for (const [id, { heard }] of this.peers) {
      if (now - Math.max(heard, this.wellSince) <= this.leaseMs) continue;
      try {
        await this.publish('gone', id);
      } catch {
        return; // the bus is away: retried at the next turn
      }
      this.log.warn(
        { gateway: id, silentMs: Math.round(now - heard) },
        'a gateway process is gone: its devices are offline until they come back',
      );
      this.forget(id);
    }
  }

  private publish(type: 'alive' | 'gone', id: string): Promise<void> {
    const at = this.clock.now();
    const name = id.slice(0, id.lastIndexOf('#'));
    return this.bus.publish([
      toRecord(linkGateway.name, type, name, JSON.stringify({ name, gateway: id, at }), at, this.settings.era, null),
    ]);
  }

  private get key(): string {
    return `${this.redis.prefix}gateways`;
  }
}
