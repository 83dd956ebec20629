import { Injectable } from '@nestjs/common';
import { configPeriodDays } from '@carillon/contracts/constants';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';

const atOnce = 5_000;

/** Deletes the records of configurations that devices had long ago; their contents follow. */
@Injectable()
export class ConfigPeriodRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'configurations that devices had long ago',
      everyMs: 3_600_000,
      atOnce,
      forget: async () => {
        const { rowCount } = await currentSql().query(
          `
            delete from config_period p
            where p.id in (
              select o.id from config_period o where o.until_at < now() - $1 * interval '1 day' limit ${atOnce}
            )
          `,
          [configPeriodDays],
        );
        return rowCount;
      },
    });
  }
}
