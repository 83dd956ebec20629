import { Injectable } from '@nestjs/common';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';

/** Files of devices are there for a day. */
@Injectable()
export class ExportRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'forget files of devices after a day',
      everyMs: 3_600_000,
      forget: async () =>
        (await currentSql().query(`delete from device_export where created_at < now() - interval '24 hours'`)).rowCount,
    });
  }
}
