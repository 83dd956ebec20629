import { Inject, Injectable } from '@nestjs/common';
import { currentSql, Database } from '@carillon/persistence';
import { CONFIG, Retention } from '@carillon/service';
import type { DeviceConfig } from '../config.ts';

const atOnce = 10_000;

/** Deletes entries after the configured number of days. */
@Injectable()
export class DeviceLogRetention extends Retention {
  constructor(database: Database, @Inject(CONFIG) config: DeviceConfig) {
    super(database, {
      reason: 'forget what happened to devices after its days',
      everyMs: 3_600_000,
      atOnce,
      forget: async () =>
        (
          await currentSql().query(
            `
              delete from device_log
              where id in (select id from device_log where at < now() - make_interval(days => $1) limit $2)
            `,
            [config.deviceLogDays, atOnce],
          )
        ).rowCount,
    });
  }
}
