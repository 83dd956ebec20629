import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { meanings, sampled } from '@carillon/observability';
import { currentSql, Database, platform } from '@carillon/persistence';

/**
 * How many devices have been told and have not answered finally, over all companies: for the metrics of this process.
 */
@Injectable()
export class InFlight implements OnModuleInit, OnApplicationShutdown {
  private stop: (() => void) | undefined;

  constructor(private readonly database: Database) {}

  onModuleInit(): void {
    this.stop = sampled(meanings.inFlight, async () => [[{ service: 'task' }, await this.count()]]);
  }

  onApplicationShutdown(): void {
    this.stop?.();
  }

  private async count(): Promise<number> {
    return platform(
      this.database,
      'metrics',
      async () =>
        (
          await currentSql().query<{ n: number }>(
            `select count(*)::int as n from task_device where status in ('process', 'downloadSuccess')`,
          )
        ).rows[0]!.n,
    );
  }
}
