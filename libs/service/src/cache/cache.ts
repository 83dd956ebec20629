/**
 * Small values that all processes of a service share for a short time: counters of limits, one-time codes, answers that
 * were dear. In standalone in this process, in the cluster in Redis; both pass `libs/testing/src/cache.suite.ts`.
 *
 * An emptied store or one that is away costs speed, never truth. So no call rejects because the store is
 * away, and none waits longer than a quarter of a second for it: meanwhile each process answers from its own memory,
 * and what it touched there is dropped from the store before the store is used again. Whoever calls must be able to
 * live with this, said at each call below. What must not be lost belongs in a service's own database.
 *
 * Keys begin with the caller's noun (`captcha:…`, `limit:login:…`); the driver puts the installation's name before
 * them.
 */
export interface Cache {
  /** The value, or null. Live with: any key may be gone at any time, long before its end. */
  get(key: string): Promise<string | null>;
  /**
   * Live with: another process may still read the value before until its own time is over, if the store was away now.
   */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /**
   * Sets what is absent; whether it did. Live with: true for two callers when the store was emptied or went away
   * between them. Good to spare double work, no lock over something that must not happen twice.
   */
  add(key: string, value: string, ttlMs: number): Promise<boolean>;
  /**
   * Reads and deletes in one step: of all callers at most one gets a value, also when the store goes away or comes back
   * between them. Live with: null for a value that is there, and the value is gone then (a person gets a new code).
   */
  take(key: string): Promise<string | null>;
  /**
   * Adds one and answers the sum; the first sets when the sum ends, later ones do not move that. Live with: a sum that
   * begins anew when the store was emptied, and one for each process while it is away (a limit is then that much
   * wider).
   */
  increment(key: string, ttlMs: number): Promise<number>;
  /** Live with: another process may still read the value until its time is over, if the store was away now. */
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}

export const CACHE = Symbol('cache');

/** Every value ends; one that lasts for weeks belongs in a database. */
export function checkTtl(ttlMs: number): void {
  if (!Number.isInteger(ttlMs) || ttlMs < 1 || ttlMs > 7 * 86_400_000)
    throw new RangeError(`a value in the cache lives between 1 ms and a week, not ${ttlMs}`);
}
