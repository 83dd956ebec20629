export interface TurnLimits {
  /** Most pieces of work that run at the same time. */
  atOnce: number;
  /** Most that run or wait, of all and of one owner. */
  most: number;
  mostOfOne: number;
}

/** Runs work of many owners, a few pieces at a time. The owners take turns, so that one with a long queue delays nobody. */
export class Turns {
  private readonly queues = new Map<string, (() => void)[]>();
  private readonly held = new Map<string, number>();
  private total = 0;
  private running = 0;

  constructor(private readonly limits: TurnLimits) {}

  /** Returns the result of the work; undefined, without beginning it, when its owner or all have too much already. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T> | undefined {
    const { atOnce, most, mostOfOne } = this.limits;
    const own = this.held.get(owner) ?? 0;
    if (this.total >= most || own >= mostOfOne) return undefined;
    this.held.set(owner, own + 1);
    this.total++;
    if (this.running < atOnce) {
      this.running++;
      return this.finish(owner, work);
    }
    return new Promise<void>((begin) => {
      const queue = this.queues.get(owner);
      if (queue) queue.push(begin);
      else this.queues.set(owner, [begin]);
    }).then(() => this.finish(owner, work));
  }

  private async finish<T>(owner: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.running--;
      this.total--;
      const left = this.held.get(owner)! - 1;
      if (left > 0) this.held.set(owner, left);
      else this.held.delete(owner);
      this.next();
    }
  }

  private next(): void {
    const [first] = this.queues;
    if (!first) return;
    const [owner, queue] = first;
    this.queues.delete(owner);
    const begin = queue.shift()!;
    // Its owner goes behind all others.
    if (queue.length > 0) this.queues.set(owner, queue);
    this.running++;
    begin();
  }
}
