import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { z } from 'zod';
import { afterCommit, columns, computed, currentSql, Database } from '@carillon/persistence';
import { CONFIG, WorkLoop } from '@carillon/service';
import type { taskConfig } from '../config.ts';
import { DispatchService } from '../dispatch/dispatch.service.ts';
import { FreezePeriod } from './freeze-period.entity.ts';

const atOnce = 100;
/** A timer takes 24 days at most. */
const longestMs = 86_400_000;

const ended = columns(FreezePeriod, 'f', ['companyId']);
const next = columns(FreezePeriod, 'f', [], {
  ms: computed<number | null>('ceil(extract(epoch from min(f.ends_at) - clock_timestamp()) * 1000)::float8'),
});

/**
 * Releases commands when a freeze period ends: a timer wakes at that moment; a tick finds ends set by other processes.
 */
@Injectable()
export class Thaw extends WorkLoop<{ companyId: string }> implements OnApplicationShutdown {
  private alarm: NodeJS.Timeout | undefined;

  constructor(
    database: Database,
    @Inject(CONFIG) config: z.output<typeof taskConfig>,
    private readonly dispatch: DispatchService,
  ) {
    super(database, { reason: 'freeze periods that have ended, of all companies', tickMs: config.taskTickMs, atOnce });
  }

  override async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.alarm);
    await super.onApplicationShutdown();
    clearTimeout(this.alarm);
  }

  /** Reacts to a changed freeze period of the company. */
  look(companyId: string): void {
    this.dispatch.sendHeld(companyId);
    this.wake();
  }

  protected override async claim(): Promise<{ companyId: string }[]> {
    const rows = await currentSql().rows(
      ended,
      `
        update freeze_period f
        set thawed = true
        where f.id in (
          select e.id
          from freeze_period e
          where not e.thawed and e.ends_at <= statement_timestamp()
          order by e.ends_at
          limit ${atOnce}
          for update skip locked
        )
        returning ${ended}
      `,
    );
    const [row] = await currentSql().rows(next, `select ${next} from freeze_period f where not f.thawed`);
    // Outside of this transaction, which the timer's work is not part of.
    afterCommit(() => this.wakeIn(row!.ms));
    return rows;
  }

  private wakeIn(ms: number | null): void {
    clearTimeout(this.alarm);
    if (ms !== null && !this.closed)
      this.alarm = setTimeout(() => this.wake(), Math.max(0, Math.min(ms, longestMs))).unref();
  }

  protected override async perform({ companyId }: { companyId: string }): Promise<void> {
    this.dispatch.sendHeld(companyId);
  }
}
