import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { platform, type Database } from '@carillon/persistence';

const log = createLogger('retention');

export interface Forgetting {
  /** Why this crosses companies. */
  reason: string;
  everyMs: number;
  /** Deletes or refreshes rows, at most {@link atOnce} when that is set; returns their number. */
  forget: () => Promise<number>;
  /** Most rows per transaction, to keep locks short: repeated until fewer were deleted. */
  atOnce?: number;
}

/** Deletes obsolete rows, or refreshes derived ones, at the start and at intervals. Safe in several processes. */
export abstract class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private closed = false;

  protected constructor(
    private readonly db: Database,
    private readonly what: Forgetting,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.turn(), this.what.everyMs).unref();
    this.turn();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await this.running;
  }

  async forget(): Promise<void> {
    const { reason, forget, atOnce = Infinity } = this.what;
    for (let gone = atOnce; gone >= atOnce && !this.closed;) gone = await platform(this.db, reason, forget);
  }

  private turn(): void {
    this.running ??= this.forget()
      .catch((err: unknown) => log.warn({ err, reason: this.what.reason }, 'periodic work failed'))
      .finally(() => {
        this.running = undefined;
      });
  }
}
