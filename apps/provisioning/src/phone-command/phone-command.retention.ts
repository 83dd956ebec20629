import { Injectable } from '@nestjs/common';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';

const hour = 3_600_000;
const atOnce = 5_000;

/** Forgets commands a day after they expired: no task repeats one of them then. */
@Injectable()
export class PhoneCommandRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'commands for phones that expired a day ago',
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
        return rowCount;
      },
    });
  }
}
