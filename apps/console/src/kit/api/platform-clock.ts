/**
 * The platform's time as known to this page: the largest difference between a response's date and the page's monotonic
 * clock. Never later than the real one.
 */
export class PlatformClock {
  private offset = -Infinity;

  /** Records the date of a response. A delayed one does not set the clock back. */
  hear(date: string | null, at = performance.now()): void {
    const offset = Date.parse(date ?? '') - at;
    // Without a date this is NaN, which is never larger.
    if (offset > this.offset) this.offset = offset;
  }

  /** Returns Unix time in milliseconds; undefined before the first response. */
  now(at = performance.now()): number | undefined {
    return this.offset > 0 ? Math.floor(at + this.offset) : undefined;
  }
}

export const platformClock = new PlatformClock();
