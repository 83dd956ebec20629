import { columns, computed, currentSql } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { Device } from '../device/device.entity.ts';
import { publishDevices, viewExtras, viewProperties } from '../device/device.publisher.ts';

const judged = columns(Device, 'd', viewProperties, {
  ...viewExtras,
  isChanged: computed<boolean>('(old.config_drifted_at is null) <> (new.config_drifted_at is null)'),
});

/**
 * Stores whether devices have drifted from the configuration that they are to have, and publishes those for which that
 * changed. A device drifts when it had this configuration and reports another one, or none. It has drifted until it
 * reports the wanted one, also when another one is wanted meanwhile. Run it after each change of either version.
 */
export async function judgeDrift(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await currentSql().rows(
    judged,
    `
      with compared as (
        select x.id,
          -- A device that replaces another one has the version of that one until it reports its own.
          case when x.configured and x.config_version = w.wanted then w.wanted else x.config_had end as had,
          case when w.wanted is null or x.config_version = w.wanted then null
            else coalesce(x.config_drifted_at, case when x.config_had = w.wanted then now() end) end as drifted_at
        from (select * from device y where y.id = any($1::uuid[]) order by y.id for update) x
        left join device_config_copy w on w.id = x.id
      )
      update device d
      set config_had = m.had, config_drifted_at = m.drifted_at,
        version = d.version + case when (d.config_drifted_at is null) = (m.drifted_at is null) then 0 else 1 end
      from compared m
      where d.id = m.id and (d.config_had, d.config_drifted_at) is distinct from (m.had, m.drifted_at)
      returning ${judged}
    `,
    [ids],
  );
  await publishDrift(rows.flatMap(({ isChanged, ...row }) => (isChanged ? [row] : [])));
}

/** Publishes devices that have drifted or have no longer. */
export async function publishDrift(rows: Parameters<typeof publishDevices>[0]): Promise<void> {
  if (rows.length === 0) return;
  await publishDevices(rows);
  await emitLive(
    rows[0]!.companyId,
    'device',
    rows.map(({ id }) => id),
    rows.map(({ orgId }) => orgId),
  );
}
