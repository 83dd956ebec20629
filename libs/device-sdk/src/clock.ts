import { deviceLimits } from './protocol.ts';

/** A device's time, ms. `wall` may be wrong by hours; `monotonic` only rises, also when `wall` is changed. */
export interface Clock {
  monotonic(): number;
  wall(): number;
  /** Calls once after `ms`; the returned function cancels it. */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * The platform's time on one connection (device-link "Down"): the largest `now − monotonic` seen. The first `now` must
 * arrive within 2 s of the hello, because a delayed one would set this clock back by its delay.
 */
export class PlatformClock {
  private helloAt = 0;
  private hellos = 0;
  private offset: number | null = null;

  /** Records that a hello was written to the socket at the device's monotonic time `at`. */
  helloSent(at: number): void {
    this.helloAt = at;
    this.hellos++;
  }

  /**
   * Records a message with the platform's `now` that arrived at monotonic `at`. Returns false when it was too late to
   * start the clock and the hello must be sent again. After that only a `welcome` starts the clock, because other
   * messages may have left before the hello too.
   */
  heard(now: number, at: number, isWelcome: boolean): boolean {
    if (this.offset !== null) {
      this.offset = Math.max(this.offset, now - at);
      return true;
    }
    if (this.hellos > 1 && !isWelcome) return true;
    if (at - this.helloAt > deviceLimits.clockToleranceMs) return false;
    this.offset = now - at;
    return true;
  }

  /** Returns the platform's Unix time in milliseconds, or null while it is unknown. */
  at(monotonic: number): number | null {
    return this.offset === null ? null : monotonic + this.offset;
  }
}
