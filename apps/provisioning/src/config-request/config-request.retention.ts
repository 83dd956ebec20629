import { Injectable } from '@nestjs/common';
import { deviceLogDays } from '@carillon/contracts/constants';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';

const atOnce = 5_000;

/** Deletes requests that were not repeated for as long as entries of a device's log are kept. */
@Injectable()
export class ConfigRequestRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'requests for configurations that were long ago',
      everyMs: 3_600_000,
      atOnce,
      forget: async () => {
        const { rowCount } = await currentSql().query(
          `
            delete from config_request r
            where r.id in (
                select o.id from config_request o where o.last_at < now() - $1 * interval '1 day' limit ${atOnce}
              )
              and r.last_at < now() - $1 * interval '1 day'
          `,
          [deviceLogDays],
        );
        return rowCount;
      },
    });
  }
}
