const everyMs = 60_000;
const mostKept = 10_000;

/**
 * Which refused calls are told to the operation log: of one person and one call one in a minute, with how many there
 * were since the last one. The log keeps what it has for ever, and who is refused can ask fifty times a second.
 */
export class Refusals {
  private readonly last = new Map<string, { at: number; since: number }>();

  /** How many refusals an entry of now stands for; undefined: none is written now. */
  times(userId: string, call: string, now = performance.now()): number | undefined {
    const key = `${userId} ${call}`;
    const before = this.last.get(key);
    if (before && now - before.at < everyMs) {
      before.since++;
      return undefined;
    }
    this.last.delete(key);
    this.last.set(key, { at: now, since: 0 });
    // The oldest goes first: memory stays bounded whoever asks.
    if (this.last.size > mostKept) this.last.delete(this.last.keys().next().value!);
    return 1 + (before?.since ?? 0);
  }
}
