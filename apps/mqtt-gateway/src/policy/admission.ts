/** Token bucket for CONNECTs: `perSecond` in the long run, `burst` at once. `now` is in ms of any monotonic clock. */
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
 * A token bucket for each name: `burstMs` of time at once, then as much as time passes. It outlives connections because
 * it is stored by name: one number per name, the time at which the burst is full again, and no entry once it is.
 */
class Allowance {
  private readonly whole = new Map<string, number>();
  private pruned = 0;
  constructor(private readonly burstMs: number) {}
  get size(): number {
    return this.whole.size;
  }
  /** Uses up `costMs`, or nothing when less is left. `now` is in ms of any monotonic clock. */
  take(name: string, costMs: number, now: number): boolean {
    if (now - this.pruned > 30_000) this.prune(now);
    const next = Math.max(now, this.whole.get(name) ?? 0) + costMs;
    if (next - now > this.burstMs) return false;
    this.whole.set(name, next);
    return true;
  }
  private prune(now: number): void {
    this.pruned = now;
    for (const [name, at] of this.whole) if (at <= now) this.whole.delete(name);
  }
}

/**
 * Limits how often one device gets in: `burst` times at once, then `perMinute`. Devices that reboot or take each other
 * over in a loop then cost the others nothing. Only authenticated devices count, so that nobody else can use it up.
 */
export class DeviceRate {
  private readonly allowance: Allowance;
  private readonly intervalMs: number;
  constructor(perMinute: number, burst: number) {
    this.intervalMs = 60_000 / perMinute;
    this.allowance = new Allowance(burst * this.intervalMs);
  }
  get size(): number {
    return this.allowance.size;
  }
  take(mac: string, now: number): boolean {
    return this.allowance.take(mac, this.intervalMs, now);
  }
}

/**
 * Limits what each device, or each company, may store: messages and bytes per second in the long run, and
 * `burstSeconds` of that at once. A message costs its share of messages or of bytes, whichever is larger.
 */
export class Budget {
  private readonly allowance: Allowance;
  private readonly messageMs: number;
  private readonly byteMs: number;
  constructor(messagesPerSecond: number, bytesPerSecond: number, burstSeconds: number) {
    this.messageMs = 1_000 / messagesPerSecond;
    this.byteMs = 1_000 / bytesPerSecond;
    this.allowance = new Allowance(burstSeconds * 1_000);
  }
  take(name: string, bytes: number, now: number): boolean {
    return this.allowance.take(name, Math.max(this.messageMs, bytes * this.byteMs), now);
  }
}
