import type { Cache } from '@carillon/service';

/** So many calls in a minute; 0 is no limit. */
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
 * A process tells the others of its calls in so many parts of a limit: all know of nearly all, for a fiftieth of the
 * calls.
 */
const parts = 50;
const mostKept = 20_000;

interface Counted {
  window: number;
  /** Calls that the others were told of, and those since. */
  shared: number;
  own: number;
  over: boolean;
}

/**
 * How many calls somebody made in this minute, counted over all API gateways in the cache. Minutes begin with the
 * clock's, so that every process means the same one. A process counts by itself and shares its count a part at a time:
 * of a limit up to fifty each call, above that a fiftieth of it at once. Who is over it is refused from memory until
 * the minute ends. With the cache away each process counts alone, and the limit is that much wider.
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
      // The oldest goes first: memory stays bounded whoever knocks.
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
