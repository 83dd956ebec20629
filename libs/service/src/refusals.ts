const everyMs = 60_000;
const mostKept = 10_000;

/**
 * Limits refused calls in the operation log: one entry a minute per user and call, with the number since the last one.
 * The log keeps entries forever, and a refused user can call fifty times a second.
 */
export class Refusals {
  private readonly last = new Map<string, { at: number; since: number }>();

  /** Returns how many refusals an entry stands for now; undefined when none is to be written. */
  times(userId: string, call: string, now = performance.now()): number | undefined {
    const key = `${userId} ${call}`;
    const before = this.last.get(key);
    if (before && now - before.at < everyMs) {
      before.since++;
      return undefined;
    }
    this.last.delete(key);
    this.last.set(key, { at: now, since: 0 });
    // Evicts the oldest: memory stays bounded.
    if (this.last.size > mostKept) this.last.delete(this.last.keys().next().value!);
    return 1 + (before?.since ?? 0);
  }
}
