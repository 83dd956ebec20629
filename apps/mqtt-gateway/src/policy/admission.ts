import { Allowance } from '@carillon/service/allowance';

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
