import { Injectable } from '@nestjs/common';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';

const hour = 3_600_000;
const atOnce = 5_000;
/** A command lives a day at most, and its download may go on until then. */
const keptDays = 3;

/** Deletes contents that no device is to have any more, when no command can name them either. */
@Injectable()
export class ConfigContentRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'contents of configurations that no device is to have any more',
      everyMs: hour,
      atOnce,
      forget: async () => {
        const { rowCount } = await currentSql().query(
          `
            delete from config_content x
            where x.id in (
              select o.id
              from config_content o
              where o.made_at < now() - interval '${keptDays} days'
                and not exists (select 1 from device_config c where c.content_id = o.id)
              limit ${atOnce}
            )
          `,
        );
        return rowCount;
      },
    });
  }
}
