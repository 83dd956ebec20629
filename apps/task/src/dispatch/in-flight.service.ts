import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { meanings, sampled } from '@carillon/observability';
import { columns, computed, currentSql, Database, platform } from '@carillon/persistence';
import { TaskDevice } from '../task/task.entity.ts';
import { inFlightSql } from './due.ts';

const count = columns(TaskDevice, 'td', [], { n: computed<number>('count(*)::int') });
const countSql = `select ${count} from task_device td where td.status in ${inFlightSql}`;

/**
 * Measures how many devices have a command without a final answer, over all companies, for the metrics of this process.
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
    const [row] = await platform(this.database, 'metrics', () => currentSql().rows(count, countSql));
    return row!.n;
  }
}
