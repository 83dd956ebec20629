/** No further work is taken: too much waits already. */
export class LaneFull extends Error {}

/** Work that is done one after the other. */
export class Lane {
  private turn: Promise<unknown> = Promise.resolve();
  private count = 0;

  /** Work that waits or is being done. */
  get length(): number {
    return this.count;
  }

  add<T>(work: () => Promise<T>): Promise<T> {
    this.count++;
    const done = this.turn.then(work).finally(() => this.count--);
    this.turn = done.catch(() => undefined);
    return done;
  }
}
