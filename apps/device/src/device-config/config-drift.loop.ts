import { Inject, Injectable } from '@nestjs/common';
import { columns, currentSql, Database, inCompany, type RowOf } from '@carillon/persistence';
import { CONFIG, WorkLoop } from '@carillon/service';
import type { DeviceConfig } from '../config.ts';
import { Device } from '../device/device.entity.ts';
import { deviceView } from '../device/device.publisher.ts';
import { publishDrift } from './config-drift.ts';

const longestTickMs = 300_000;
/** Devices per transaction, which limits how long reports of them wait. */
const chunk = 500;

/** SQL: devices `d` that are online, enabled and without the configuration `w` that they were to have for so long. */
const behindSql = `
  device d
  join device_config_copy w on w.id = d.id
  where d.online and d.enabled and d.config_drifted_at is null and d.config_version is distinct from w.wanted
    and w.since <= now() - $1 * interval '1 millisecond'
`;
/**
 * SQL: for how many milliseconds a device `d` was online since `w` is wanted, by the log of devices. An online entry may
 * be older than the log: the time since it is online counts at least.
 */
const onlineSql = `
  greatest(
    extract(epoch from now() - greatest(d.last_online_at, w.since)),
    (
      select sum(extract(epoch from e.until - e.at))
      from (
        select s.kind, s.at, lead(s.at, 1, now()) over (order by s.at) as until
        from (
          (
            select l.kind, w.since as at
            from device_log l
            where l.device_id = d.id and l.kind in ('online', 'offline') and l.at <= w.since
            order by l.at desc
            limit 1
          )
          union all
          select l.kind, l.at
          from device_log l
          where l.device_id = d.id and l.kind in ('online', 'offline') and l.at > w.since
        ) s
      ) e
      where e.kind = 'online'
    )
  ) * 1000
`;

const company = columns(Device, 'd', ['companyId']);

/** Finds devices that did not load the configuration that they are to have although they were online for long enough. */
@Injectable()
export class ConfigDriftLoop extends WorkLoop<RowOf<typeof company>> {
  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: DeviceConfig,
  ) {
    super(database, {
      reason: 'which companies have devices that do not load their configuration, of all',
      tickMs: Math.min(longestTickMs, config.configDriftMs),
      atOnce: 1,
    });
  }

  protected override claim(): Promise<RowOf<typeof company>[]> {
    return currentSql().rows(
      company,
      `
        select ${company}
        from ${behindSql} and ${onlineSql} >= $1
        group by d.company_id
        order by random()
        limit 1
      `,
      [this.config.configDriftMs],
    );
  }

  protected override async perform({ companyId }: RowOf<typeof company>): Promise<void> {
    await inCompany(this.database, companyId, async () => {
      const rows = await currentSql().rows(
        deviceView,
        `
          with late as (
            select d.id
            from ${behindSql} and ${onlineSql} >= $1
            order by d.id
            limit ${chunk}
            for update of d
          )
          update device d
          set config_drifted_at = now(), version = d.version + 1
          from late
          where d.id = late.id
          returning ${deviceView}
        `,
        [this.config.configDriftMs],
      );
      await publishDrift(rows);
    });
    this.wake();
  }
}
