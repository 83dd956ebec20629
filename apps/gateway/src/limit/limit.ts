import type { Cache } from '@carillon/service';

/** Calls per minute; 0 means no limit. */
export interface Rule {
  name: string;
  perMinute: number;
}

export interface Verdict {
  allowed: boolean;
  rule: Rule;
  remaining: number;
  resetSeconds: number;
}

const windowMs = 60_000;
/**
 * The number of parts in which a process shares its count: every process knows nearly all calls at the cost of a
 * fiftieth of them.
 */
const parts = 50;
const mostKept = 20_000;

interface Counted {
  window: number;
  /** Calls that are shared with the other processes, and calls since then. */
  shared: number;
  own: number;
  over: boolean;
}

/**
 * Counts a caller's calls per minute over all API gateways in the cache. Minutes follow the clock, so that every
 * process means the same one. A process counts locally and shares its count in parts: up to a limit of fifty every
 * call, above that a fiftieth of the limit at once. A caller above the limit is refused from memory until the minute
 * ends. Without the cache each process counts alone, so the limit is wider by that.
 */
export class Limit {
  private readonly counts = new Map<string, Counted>();

  constructor(
    private readonly cache: Cache,
    private readonly now: () => number = Date.now,
  ) {}

  take(rule: Rule, who: string): Verdict | Promise<Verdict> {
    const at = this.now();
    const window = Math.floor(at / windowMs);
    const key = `${rule.name}:${who}`;
    let count = this.counts.get(key);
    if (count?.window !== window) {
      this.counts.delete(key);
      this.counts.set(key, (count = { window, shared: 0, own: 0, over: false }));
      // Evicts the oldest entry, so that memory stays bounded.
      if (this.counts.size > mostKept) this.counts.delete(this.counts.keys().next().value!);
    }
    const part = Math.max(1, Math.floor(rule.perMinute / parts));
    if (count.over || ++count.own < part) return this.judge(rule, count, at);
    count.own = 0;
    return this.cache.increment(`limit:${key}:${window}`, 2 * windowMs).then((sum) => {
      count.shared = Math.max(count.shared, sum * part);
      return this.judge(rule, count, at);
    });
  }

  private judge(rule: Rule, count: Counted, at: number): Verdict {
    const made = count.shared + count.own;
    count.over ||= made > rule.perMinute;
    return {
      allowed: !count.over,
      rule,
      remaining: count.over ? 0 : Math.max(0, rule.perMinute - made),
      resetSeconds: Math.max(1, Math.ceil(((count.window + 1) * windowMs - at) / 1_000)),
    };
  }
}
