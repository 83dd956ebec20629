/**
 * Token bucket for CONNECTs: `perSecond` in the long run, `burst` at once. `now` in ms of any clock that only rises.
 */
export class TokenBucket {
  private tokens: number;
  private last = 0;
  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
  ) {
    this.tokens = burst;
  }
  take(now: number): boolean {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.last) * this.perSecond) / 1_000);
    this.last = now;
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }
}

/**
 * How often one device is let in: `burst` times at once, then `perMinute`. A device that reboots for ever, or two that
 * share one secret and take each other over without end, cost the others nothing. Only who proved to be the device
 * counts, so that nobody else can use it up. One number a device, the time at which it has its whole burst again, and
 * none for one that has it.
 */
export class DeviceRate {
  private readonly whole = new Map<string, number>();
  private pruned = 0;
  private readonly intervalMs: number;
  constructor(
    perMinute: number,
    private readonly burst: number,
  ) {
    this.intervalMs = 60_000 / perMinute;
  }
  get size(): number {
    return this.whole.size;
  }
  /** `now` in ms of any clock that only rises. */
  take(mac: string, now: number): boolean {
    if (now - this.pruned > 30_000) this.prune(now);
    const next = Math.max(now, this.whole.get(mac) ?? 0) + this.intervalMs;
    if (next - now > this.burst * this.intervalMs) return false;
    this.whole.set(mac, next);
    return true;
  }
  private prune(now: number): void {
    this.pruned = now;
    for (const [mac, at] of this.whole) if (at <= now) this.whole.delete(mac);
  }
}
