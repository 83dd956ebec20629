import { NIL as nilUuid } from 'uuid';

/** The same text as the pool's own error, so that both count as transient (libs/messaging/src/transient.ts). */
const tooLong = 'timeout exceeded when trying to connect';
/** Length of the windows in which the use of connections is added up, ms. */
const windowMs = 1_000;
/** A company that held connections for this long in a window is heavy, ms. */
const heavyMs = 500;

interface Waiting {
  go: () => void;
  timer: NodeJS.Timeout;
}

/**
 * Shares the connections of a pool between companies. The calls of one company hold all but one at most. While other
 * companies are active, a heavy one holds half of these only, because the others need processor time too.
 */
export class CompanyTurns {
  private readonly most: number;
  private readonly withinMs: number;
  private readonly held = new Map<string, number>();
  private readonly waiting = new Map<string, Waiting[]>();
  /** How long the companies held connections in this window and in the one before, ms. */
  private used = new Map<string, number>();
  private usedBefore = new Map<string, number>();
  private windowEnd = 0;

  /** `most`: connections that one company may hold; `withinMs`: how long a call waits for one. */
  constructor(most: number, withinMs: number) {
    this.most = most;
    this.withinMs = withinMs;
  }

  /**
   * Waits until the company may take a connection. Returns a function that gives the place back. Rejects when the other
   * calls of the company hold their connections for too long.
   */
  async take(companyId: string): Promise<() => void> {
    this.use(companyId, 0);
    const held = this.held.get(companyId) ?? 0;
    if (held < this.limit(companyId)) this.held.set(companyId, held + 1);
    else await this.wait(companyId);
    const began = performance.now();
    return () => {
      this.use(companyId, performance.now() - began);
      this.giveBack(companyId);
    };
  }

  private use(companyId: string, ms: number): void {
    const now = performance.now();
    if (now >= this.windowEnd) {
      this.usedBefore = now < this.windowEnd + windowMs ? this.used : new Map();
      this.used = new Map();
      this.windowEnd = now + windowMs;
    }
    this.used.set(companyId, (this.used.get(companyId) ?? 0) + ms);
  }

  private limit(companyId: string): number {
    const windows = [this.used, this.usedBefore];
    if (windows.every((used) => (used.get(companyId) ?? 0) < heavyMs)) return this.most;
    const isAlone = windows.every((used) => [...used.keys()].every((id) => id === companyId || id === nilUuid));
    return isAlone ? this.most : Math.max(1, Math.floor(this.most / 2));
  }

  private wait(companyId: string): Promise<void> {
    const queue = this.waiting.get(companyId) ?? [];
    this.waiting.set(companyId, queue);
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        go: resolve,
        timer: setTimeout(() => {
          queue.splice(queue.indexOf(one), 1);
          reject(new Error(tooLong));
        }, this.withinMs),
      };
      queue.push(one);
    });
  }

  private giveBack(companyId: string): void {
    const queue = this.waiting.get(companyId) ?? [];
    const limit = this.limit(companyId);
    let held = this.held.get(companyId)! - 1;
    for (; held < limit && queue.length > 0; held++) {
      const next = queue.shift()!;
      clearTimeout(next.timer);
      next.go();
    }
    if (queue.length === 0) this.waiting.delete(companyId);
    if (held > 0) this.held.set(companyId, held);
    else this.held.delete(companyId);
  }
}
