import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { currentSql, Database, platform } from '@carillon/persistence';
import { CONFIG } from '@carillon/service';
import type { DeviceConfig } from '../config.ts';

const log = createLogger('device-log');
const tickMs = 3_600_000;
/** So many in one transaction, that nobody waits for it. */
const atOnce = 10_000;

/** Forgets entries after the days that the installation keeps them, at the start and each hour. */
@Injectable()
export class DeviceLogRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly database: Database, @Inject(CONFIG) private readonly config: DeviceConfig) {}

  onApplicationBootstrap(): void {
    const run = (): void => { this.forget().catch((err: unknown) => log.warn({ err }, 'old entries were not forgotten')); };
    this.timer = setInterval(run, tickMs).unref();
    run();
  }

  onApplicationShutdown(): void {
    this.closed = true;
    clearInterval(this.timer);
  }

  async forget(): Promise<void> {
    for (let gone = atOnce; gone === atOnce && !this.closed;) {
      gone = await platform(this.database, 'forget what happened to devices after its days', async () => (await currentSql().query(
        `delete from device_log where id in (select id from device_log where at < now() - make_interval(days => $1) limit $2)`, [this.config.deviceLogDays, atOnce])).rowCount ?? 0);
    }
  }
}
