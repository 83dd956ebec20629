/** How often an allowance forgets the names whose burst is full again. */
const pruneMs = 30_000;

/**
 * A token bucket for each name: `burstMs` of time at once, then as much as time passes. It outlives connections because
 * it is stored by name: one number per name, the time at which the burst is full again, and no entry once it is. Above
 * `mostNames` the oldest name is forgotten.
 */
export class Allowance {
  private readonly whole = new Map<string, number>();
  private pruned = 0;
  constructor(
    private readonly burstMs: number,
    private readonly mostNames = Infinity,
  ) {}
  get size(): number {
    return this.whole.size;
  }
  /** Uses up `costMs`, or nothing when less is left. `now` is in ms of any monotonic clock. */
  take(name: string, costMs: number, now: number): boolean {
    if (now - this.pruned > pruneMs) this.prune(now);
    const next = Math.max(now, this.whole.get(name) ?? 0) + costMs;
    if (next - now > this.burstMs) return false;
    this.whole.set(name, next);
    if (this.whole.size > this.mostNames) this.whole.delete(this.whole.keys().next().value!);
    return true;
  }
  private prune(now: number): void {
    this.pruned = now;
    for (const [name, at] of this.whole) if (at <= now) this.whole.delete(name);
  }
}

/**
 * Allows each name `perMinute` of something at once, and then as many per minute on average; 0 is no limit. Knows
 * `mostNames` names at most.
 */
export class MinuteLimit {
  private readonly allowance: Allowance;
  constructor(
    private readonly perMinute: number,
    mostNames: number,
  ) {
    this.allowance = new Allowance(60_000, mostNames);
  }
  take(name: string, now = performance.now()): boolean {
    return this.perMinute === 0 || this.allowance.take(name, 60_000 / this.perMinute, now);
  }
}
