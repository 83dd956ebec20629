import { deviceLimits } from './protocol.ts';

/** Time as a device has it, ms. `wall` may be wrong by hours; `monotonic` only rises, also over a change of `wall`. */
export interface Clock {
  monotonic(): number;
  wall(): number;
  /** Calls once after `ms`; the answer takes it back. */
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
 * The platform's time on one connection (device-link "Down"): the largest `now − monotonic` seen. The first `now` has
 * to come within 2 s of the hello, for one that was held up on the way would set this clock back by as long.
 */
export class PlatformClock {
  private helloAt = 0;
  private hellos = 0;
  private offset: number | null = null;

  /** A hello was written to the socket at the device's own monotonic time `at`. */
  helloSent(at: number): void {
    this.helloAt = at;
    this.hellos++;
  }

  /**
   * A message with the platform's `now` came at monotonic `at`. False: it came too late to start the clock, the hello
   * has to be sent again. After that only a `welcome` starts it, since what else arrives may have left before it too.
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

  /** The platform's time in epoch ms, or null while it is not known. */
  at(monotonic: number): number | null {
    return this.offset === null ? null : monotonic + this.offset;
  }
}
