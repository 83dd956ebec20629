import { Injectable } from '@nestjs/common';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';
import { isOfEndedSql, isOpenSql } from './phone-file.queries.ts';

const hour = 3_600_000;
const atOnce = 5_000;

/** Forgets commands a day after they expired, and ended tasks after a day: no task repeats one of them then. */
@Injectable()
export class PhoneCommandRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'commands for phones that expired a day ago, and tasks that ended a day ago',
      everyMs: hour,
      atOnce,
      forget: async () => {
        const { rowCount } = await currentSql().query(
          `
            delete from phone_command c
            where c.id in (
                select o.id from phone_command o where o.expires_at < now() - interval '1 day' limit ${atOnce}
              )
          `,
        );
        const tasks = await currentSql().query(
          `
            delete from ended_task e
            where e.id in (
                select e.id
                from ended_task e
                where e.ended_at < now() - interval '1 day' and not exists (
                    select 1 from phone_command c where ${isOfEndedSql} and ${isOpenSql}
                  )
                limit ${atOnce}
              )
          `,
        );
        return Math.max(rowCount, tasks.rowCount);
      },
    });
  }
}
