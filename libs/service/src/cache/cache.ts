/**
 * Small values that all processes of a service share for a short time: rate-limit counters, one-time codes, results
 * that are expensive to compute. Standalone uses memory, the cluster uses Redis; both pass
 * `libs/testing/src/cache.suite.ts`.
 *
 * An empty or unavailable store costs speed, never correctness. No call rejects because the store is unavailable, and
 * none waits longer than a quarter of a second for it: meanwhile each process uses its own memory, and the keys that it
 * touched are deleted from the store before the store is used again. Each method below states which effects its callers
 * must accept. Data that must not be lost belongs in a service's own database.
 *
 * Keys begin with the caller's noun (`captcha:…`, `limit:login:…`); the driver adds the installation's name as a
 * prefix.
 */
export interface Cache {
  /** Returns the value, or null. Accept: any key may disappear at any time, long before it expires. */
  get(key: string): Promise<string | null>;
  /**
   * Sets a value. Accept: if the store is unavailable, another process may read the previous value until that one
   * expires.
   */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /**
   * Sets a value if the key is absent, and returns whether it did. Accept: true for two callers when the store was
   * emptied or lost between them. Suitable to avoid duplicate work, not as a lock for something that must not happen
   * twice.
   */
  add(key: string, value: string, ttlMs: number): Promise<boolean>;
  /**
   * Reads and deletes atomically: at most one caller gets a value, even when the store fails or returns between the
   * calls. Accept: null for a present value, which is then lost (a user requests a new code).
   */
  take(key: string): Promise<string | null>;
  /**
   * Adds one and returns the sum; the first call sets the expiry, later ones do not extend it. Accept: the sum restarts
   * when the store was emptied, and each process counts alone while the store is unavailable (which widens a limit
   * accordingly).
   */
  increment(key: string, ttlMs: number): Promise<number>;
  /** Deletes a value. Accept: if the store is unavailable, another process may read the value until it expires. */
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}

export const CACHE = Symbol('cache');

/** Checks an expiry: every value must have one; a value that lasts for weeks belongs in a database. */
export function checkTtl(ttlMs: number): void {
  if (!Number.isInteger(ttlMs) || ttlMs < 1 || ttlMs > 7 * 86_400_000)
    throw new RangeError(`a value in the cache lives between 1 ms and a week, not ${ttlMs}`);
}
