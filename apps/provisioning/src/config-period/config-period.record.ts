import type { deviceState, Message } from '@carillon/contracts';
import { configPeriods } from '@carillon/contracts/constants';
import { columns, currentSql, uuidv7 } from '@carillon/persistence';
import { ConfigPeriod } from './config-period.entity.ts';

const open = columns(ConfigPeriod, 'p', ['deviceId', 'version']);

/** Records which configuration devices report from now on. Most messages report the same one as before. */
export async function recordReported(messages: readonly Message<typeof deviceState>[]): Promise<void> {
  const latest = new Map(
    messages.flatMap(({ key, at, data }) =>
      data?.configVersion === undefined ? [] : [[key, { deviceId: key, version: data.configVersion, at }] as const],
    ),
  );
  const periods = await currentSql().rows(
    open,
    `select ${open} from config_period p where p.device_id = any($1::uuid[]) and p.until_at is null`,
    [[...latest.keys()]],
  );
  const known = new Map(periods.map(({ deviceId, version }) => [deviceId, version]));
  const others = [...latest.values()].filter(({ deviceId, version }) => (known.get(deviceId) ?? null) !== version);
  if (others.length === 0) return;
  await begin(
    messages[0]!.companyId!,
    others.map((one) => ({ id: uuidv7(), ...one })),
  );
}

/**
 * Ends the open periods of devices, and begins new ones for those that report a version. A load over HTTP is the reason
 * when it was just recorded: the device service reports it back.
 */
async function begin(
  companyId: string,
  reported: readonly { id: string; deviceId: string; version: string | null; at: number }[],
): Promise<void> {
  const rows = JSON.stringify(reported);
  const table = `jsonb_to_recordset($1::jsonb) as m(id uuid, "deviceId" uuid, version text, at float8)`;
  await currentSql().query(
    `
      update config_period p
      set until_at = greatest(p.from_at, to_timestamp(m.at / 1000.0))
      from ${table}
      where p.device_id = m."deviceId" and p.until_at is null
    `,
    [rows],
  );
  await currentSql().query(
    `
      insert into config_period (id, company_id, device_id, version, content_id, sources, way, from_at, until_at)
      select m.id, $2, m."deviceId", m.version, coalesce(c.content_id, x.id), coalesce(c.sources, s.sources),
        case when l.loaded_version = m.version and l.loaded_at > to_timestamp(m.at / 1000.0) - interval '10 minutes'
          then 'http' else 'link' end,
        to_timestamp(m.at / 1000.0), null
      from ${table}
      left join device_config l on l.id = m."deviceId"
      left join device_config c on c.id = m."deviceId" and c.content_version = m.version
      left join lateral (
        select o.id from config_content o where o.version = m.version order by o.id limit 1
      ) x on true
      left join lateral (
        select p.sources
        from config_period p
        where p.device_id = m."deviceId" and p.version = m.version
        order by p.from_at desc, p.id desc
        limit 1
      ) s on true
      where m.version is not null
      order by m."deviceId"
    `,
    [rows, companyId],
  );
  await currentSql().query(
    `
      delete from config_period p
      where p.id in (
        select o.id
        from (
          select i.id, row_number() over (partition by i.device_id order by i.from_at desc, i.id desc) as n
          from config_period i
          where i.device_id = any($1::uuid[])
        ) o
        where o.n > ${configPeriods}
      )
    `,
    [reported.map(({ deviceId }) => deviceId)],
  );
}

/** Forgets the former configurations of deleted devices. */
export async function forgetPeriods(deviceIds: readonly string[]): Promise<void> {
  await currentSql().query(
    `
      delete from config_period p
      where p.device_id = any($1::uuid[]) and not exists (select 1 from device_copy d where d.id = p.device_id)
    `,
    [deviceIds],
  );
}
