/** What a process wants of a limit until it asks again. */
export interface Wanted {
  /** Whose limit it is. */
  key: string;
  /** The limit, bytes a millisecond. */
  perMs: number;
  /** Downloads that would take it. */
  downloads: number;
  bytes: number;
}

/** Where the bytes come from that limits let out: this process's own clock, or what all processes share. */
export interface Bytes {
  /** How often to ask. */
  readonly everyMs: number;
  /** How many of the bytes that are wanted may go out now, of each in its place. Never fails. */
  lease(wanted: readonly Wanted[]): Promise<number[]>;
  close(): Promise<void>;
}

/** Who stood still does not get all of it at once afterwards. */
export const longestMs = 250;

/** The limits of a process that is alone. */
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
