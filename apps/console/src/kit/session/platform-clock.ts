/**
 * The platform's time as this page knows it: by the largest difference seen between an answer's date and the page's own
 * clock, which nobody sets. Never later than it is there.
 */
export class PlatformClock {
  private offset = -Infinity;

  /** An answer came, with the time at which the platform gave it. One that was long on its way sets nothing back. */
  hear(date: string | null, at = performance.now()): void {
    const offset = Date.parse(date ?? '') - at;
    // Without a date it is NaN, which is never larger.
    if (offset > this.offset) this.offset = offset;
  }

  /** Epoch ms; undefined before the first answer. */
  now(at = performance.now()): number | undefined {
    return this.offset > 0 ? Math.floor(at + this.offset) : undefined;
  }
}

export const platformClock = new PlatformClock();
