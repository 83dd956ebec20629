import { Injectable } from '@nestjs/common';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';

const hour = 3_600_000;
const atOnce = 5_000;
/** A command names what a device is to have when it is sent, and lives a day at most. */
const keptDays = 3;
const isOld = (row: string): string => `${row}.used_at < now() - interval '${keptDays} days'`;

/** Deletes contents that no device is to have any more or is known to have had, when no command can name them either. */
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
                where ${isOld('o')}
                  and not exists (select 1 from device_config c where c.content_id = o.id)
                  and not exists (select 1 from config_period p where p.content_id = o.id)
                limit ${atOnce}
              )
              -- Tested again when the row was used meanwhile.
              and ${isOld('x')}
          `,
        );
        return rowCount;
      },
    });
  }
}
