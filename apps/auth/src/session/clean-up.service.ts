import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { Database, platform } from '@carillon/persistence';
import { CONFIG } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { forgetOldFailures } from '../login/login.queries.ts';
import { deleteOld } from './session.queries.ts';

const everyMs = 3_600_000;
const log = createLogger('auth');

/** Once an hour, what no token and no lock needs any more goes. Safe to run in several processes. */
@Injectable()
export class CleanUp implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database, @Inject(CONFIG) private readonly config: AuthConfig) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => { this.run(new Date()).catch((err: unknown) => { log.warn({ err }, 'old sessions were not cleaned up'); }); }, everyMs);
    this.timer.unref();
  }

  async run(now: Date): Promise<void> {
    await platform(this.database, 'delete tokens and sessions that have long ended', async () => {
      await deleteOld(now, new Date(now.getTime() - this.config.sessionSeconds * 1000));
      await forgetOldFailures(new Date(now.getTime() - 86_400_000));
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
