import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { platform, type Database } from '@carillon/persistence';

const log = createLogger('retention');

export interface Forgetting {
  /** What the crossing between companies is for. */
  reason: string;
  everyMs: number;
  /** Deletes what nobody needs any more, at most {@link atOnce} rows when that is said; answers how many. */
  forget: () => Promise<number>;
  /** So many in one transaction, that nobody waits for it: it is repeated until there were fewer. */
  atOnce?: number;
}

/** Rows that nobody needs any more go, at the start and every so often. Safe in several processes. */
export abstract class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private closed = false;

  protected constructor(
    private readonly of: Database,
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
    for (let gone = atOnce; gone >= atOnce && !this.closed;) gone = await platform(this.of, reason, forget);
  }

  private turn(): void {
    this.running ??= this.forget()
      .catch((err: unknown) => log.warn({ err, reason: this.what.reason }, 'old rows were not forgotten'))
      .finally(() => {
        this.running = undefined;
      });
  }
}
