import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { platform, type Database } from '@carillon/persistence';

const log = createLogger('work');

export interface WorkOptions {
  /** Why this crosses companies. */
  reason: string;
  /** How often it looks for work without a wake-up: left by a crash, or whose pause has passed. */
  tickMs: number;
  /** Most items that one `claim` returns; they are performed in parallel. */
  atOnce: number;
}

/**
 * Claims work that waits in a table, and performs it until none is left. A commit that adds work calls `wake`; the tick
 * finds the rest. Safe in several processes if `claim` gives each item to one of them.
 */
export abstract class WorkLoop<Item> implements OnApplicationBootstrap, OnApplicationShutdown {
  protected closed = false;
  private running: Promise<void> | undefined;
  private again = false;
  private timer: NodeJS.Timeout | undefined;

  protected constructor(
    protected readonly database: Database,
    private readonly work: WorkOptions,
  ) {}

  /** Claims at most `atOnce` items for a limited time, in a transaction that sees all companies. */
  protected abstract claim(): Promise<readonly Item[]>;

  /** Performs one item, and stores that it is done. An exception ends this pass; the claim expires. */
  protected abstract perform(item: Item): Promise<void>;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.wake(), this.work.tickMs).unref();
    this.wake();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Signals that there may be work. */
  wake(): void {
    this.again = true;
    if (this.closed || this.running) return;
    this.running = this.run()
      .catch((err: unknown) =>
        log.warn({ err, reason: this.work.reason }, 'work could not be claimed or done; it waits'),
      )
      .finally(() => {
        this.running = undefined;
        // Woken between its last look and here.
        if (this.again) this.wake();
      });
  }

  private async run(): Promise<void> {
    const { reason, atOnce } = this.work;
    while (this.again && !this.closed) {
      this.again = false;
      for (let found = atOnce; found === atOnce && !this.closed;) {
        const items = await platform(this.database, reason, () => this.claim());
        // A failure of one item must not abandon the others: a pass ends when all of its items have ended.
        const results = await Promise.allSettled(items.map((item) => this.perform(item)));
        const failure = results.find((result) => result.status === 'rejected');
        if (failure) throw failure.reason;
        found = items.length;
      }
    }
  }
}
