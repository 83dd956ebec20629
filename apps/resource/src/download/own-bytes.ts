/** A process's request for a part of a limit. */
export interface Wanted {
  /** Key of the limit. */
  key: string;
  /** The limit in bytes per millisecond. */
  perMs: number;
  /** Number of downloads that would use it. */
  downloads: number;
  bytes: number;
}

/** Source of bytes within limits: this process's own clock, or the share of all processes. */
export interface Bytes {
  /** Interval between two requests. */
  readonly everyMs: number;
  /** Returns how many of the requested bytes may be sent now, for each request. Never fails. */
  lease(wanted: readonly Wanted[]): Promise<number[]>;
  close(): Promise<void>;
}

/** Longest time that accumulates, so that a paused process gets no large burst. */
export const longestMs = 250;

/** The limits of a single process. */
export class OwnBytes implements Bytes {
  readonly everyMs = 20;
  private readonly last = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  lease(wanted: readonly Wanted[]): Promise<number[]> {
    const now = this.now();
    const got = wanted.map(({ key, perMs, bytes }) => {
      const ms = Math.min(now - (this.last.get(key) ?? now - this.everyMs), longestMs);
      return Math.min(bytes, ms * perMs);
    });
    for (const [key, at] of this.last) if (now - at > longestMs) this.last.delete(key);
    for (const { key } of wanted) this.last.set(key, now);
    return Promise.resolve(got);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
