import { Inject, Injectable } from '@nestjs/common';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '../retention.ts';

/** Deletes exported files after a day. */
@Injectable()
export class ExportRetention extends Retention {
  constructor(@Inject(Database) database: Database) {
    super(database, {
      reason: 'forget files of lists after a day',
      everyMs: 3_600_000,
      forget: async () =>
        (await currentSql().query(`delete from list_export where created_at < now() - interval '24 hours'`)).rowCount,
    });
  }
}
