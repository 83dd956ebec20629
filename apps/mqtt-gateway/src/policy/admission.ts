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
 * What each of many may use up: `burstMs` of time at once, then as much as time goes by. It stays in force when a device
 * connects anew, because it is kept by name: one number for each, the time at which it has its whole burst again, and
 * none for one that has it.
 */
class Allowance {
  private readonly whole = new Map<string, number>();
  private pruned = 0;
  constructor(private readonly burstMs: number) {}
  get size(): number {
    return this.whole.size;
  }
  /** Uses up `costMs`, or nothing when that is more than is left. `now` in ms of any clock that only rises. */
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
 * How often one device is let in: `burst` times at once, then `perMinute`. A device that reboots for ever, or two that
 * share one secret and take each other over without end, cost the others nothing. Only who proved to be the device
 * counts, so that nobody else can use it up.
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
 * How much each device, or each company, may have stored: so many messages and bytes a second in the long run, and what
 * `burstSeconds` of that are at once. A message costs its share of the one or the other, whichever is more.
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
