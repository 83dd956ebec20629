import { linkGateway } from '@carillon/contracts';
import { linkLimits } from '@carillon/contracts/link';
import type { Bus } from '@carillon/messaging';
import { redisScript, type Redis } from '@carillon/service/cache';
import { toRecord } from '../uplink/envelope.ts';
import type { Log } from '../log.ts';

/** Signs of life in a lease's time. */
const signsPerLease = 4;
const dayMs = 86_400_000;

/** Prolongs the own lease and answers all: names and the time, by Redis' clock, until which each stands. */
const signScript = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${dayMs})
return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')`);

/** The gateway whose life is told. */
export interface Leased {
  /** `name#instance`. */
  readonly id: string;
  /**
   * This process was silent so long that others may have told its devices offline: it lets go of them before it writes
   * anything.
   */
  handleLapse(why: string): void;
}

/**
 * A gateway process shows that it lives, and sees which others do (GW-03): every quarter of a lease in Redis, or, while
 * Redis is away, on the bus. One of which nothing was seen for a whole lease is told gone, by whoever notices first and
 * perhaps by several; that changes nothing the second time. Nobody judges who has not himself been well for a whole
 * lease: after an outage that met all, each has the time to be heard again. Times are taken from the monotonic clock.
 */
export class Lease {
  private readonly peers = new Map<string, { until: string; heard: number }>();
  private readonly leaseMs: number;
  private readonly beatMs: number;
  private timer: NodeJS.Timeout | null = null;
  private showing = false;
  /** When the loop last ran, when the last sign that came through was given, and since when every one has. */
  private beat = 0;
  private shown = -Infinity;
  private wellSince = Infinity;
  /** How far the own clock was behind that of Redis at the last sign, ms. */
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
    await this.tell('gone', this.gateway.id).catch(() => {});
  }

  /**
   * False once this process was held up so long that others may take it for dead. Asked before anything is written to a
   * device.
   */
  isRunning(): boolean {
    return this.timer === null || performance.now() - this.beat < this.leaseMs - this.beatMs;
  }

  /**
   * Whether others can have seen within a lease that this process lives, and its clock is not behind theirs: what it
   * takes for this moment may be over (docs/device-link.md, Down).
   */
  confirmed(): boolean {
    return performance.now() - this.shown < this.leaseMs && this.behindMs <= linkLimits.clockToleranceMs;
  }

  /** A gateway was heard of on the bus. */
  hear(id: string): void {
    if (id === this.gateway.id) return;
    const peer = this.peers.get(id);
    if (peer) peer.heard = performance.now();
    else this.peers.set(id, { until: '', heard: performance.now() });
  }

  /** It was told that a gateway is gone. */
  handleGone(id: string): void {
    if (id === this.gateway.id) this.lapse('another process told that this one is gone');
    else this.forget(id);
  }

  /** A gateway that starts has no older instance any more. */
  handleStarted(name: string, id: string): void {
    for (const peer of this.peers.keys()) if (peer !== id && peer.startsWith(`${name}#`)) this.forget(peer);
    this.hear(id);
  }

  lapse(why: string): void {
    this.beat = performance.now();
    // The others are judged anew from here: their signs could not be seen meanwhile.
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
    // The last sign still waits for the bus: nobody is well.
    if (this.showing) {
      this.wellSince = Infinity;
      return;
    }
    this.showing = true;
    const at = performance.now();
    try {
      await this.showRedis().catch(() => this.tell('alive', this.gateway.id));
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
      // Its own lease began at the time of Redis, which was before now.
      if (peer === id) this.behindMs = Number(until) - this.leaseMs - this.clock.now();
      if (peer === id || this.peers.get(peer)?.until === until) continue;
      // What this process was before: its `started` has told it dead.
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
        await this.tell('gone', id);
      } catch {
        return; // the bus is away: at the next turn
      }
      this.log.warn(
        { gateway: id, silentMs: Math.round(now - heard) },
        'a gateway process is gone: its devices are offline until they come back',
      );
      this.forget(id);
    }
  }

  private tell(type: 'alive' | 'gone', id: string): Promise<void> {
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
