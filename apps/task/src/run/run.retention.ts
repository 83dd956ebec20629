import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { currentSql, Database } from '@carillon/persistence';
import { CONFIG, Retention } from '@carillon/service';
import type { taskConfig } from '../config.ts';

const atOnce = 5_000;

/**
 * Deletes the device rows of old runs that later ones follow; the runs and their sums stay. A task that runs on 50,000
 * devices every night would keep eighteen million rows a year.
 */
@Injectable()
export class RunRetention extends Retention {
  constructor(database: Database, @Inject(CONFIG) { taskRunDays, taskRetentionMs }: z.output<typeof taskConfig>) {
    super(database, {
      reason: 'forget the devices of runs that ended long ago',
      everyMs: taskRetentionMs,
      atOnce,
      forget: async () =>
        (
          await currentSql().query(
            `
              delete from task_device
              where ctid = any(
                array(
                  select d.ctid
                  from task_run r
                  join task t on t.id = r.task_id
                  join task_device d on d.task_id = r.task_id and d.run = r.run
                  where r.run < t.runs and r.ended_at < now() - make_interval(days => $1) and d.ended_at is not null
                  limit ${atOnce}
                )
              )
            `,
            [taskRunDays],
          )
        ).rowCount,
    });
  }
}
