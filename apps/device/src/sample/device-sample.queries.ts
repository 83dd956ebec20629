import type { deviceHistory, RouteInput, RouteReturn } from '@carillon/contracts';
import { columnNames, columns, computed, currentSql } from '@carillon/persistence';
import { DeviceSample, noSite } from './device-sample.entity.ts';

/** A range and the distance of its points: fewer than a hundred, which a chart can show. */
const ranges = {
  '24h': { hours: 24, minutes: 15 },
  '7d': { hours: 168, minutes: 120 },
  '30d': { hours: 720, minutes: 480 },
};

const sample = columnNames(DeviceSample, 'd');
const sum = (column: 'online' | 'offline' | 'abnormal' | 'notConfigured' | 'registered' | 'failed') =>
  computed<number>(`sum(${sample[column]})::int`);
const point = columns(DeviceSample, 'd', ['at'], {
  online: sum('online'),
  offline: sum('offline'),
  abnormal: sum('abnormal'),
  notConfigured: sum('notConfigured'),
  registered: sum('registered'),
  failed: sum('failed'),
});

const quarter = `date_bin('15 minutes', now(), 'epoch')`;

/** Counts the current state once per quarter of an hour, in whichever process comes first. */
export async function takeSample(): Promise<void> {
  // A separate query: in one statement with the count, every device would be read each minute.
  const taken = await currentSql().query(`select 1 from device_sample where at = ${quarter} limit 1`);
  if (taken.rowCount > 0) return;
  await currentSql().query(
    `
      insert into device_sample (
        company_id, org_id, site_id, at, online, offline, abnormal, not_configured, registered, failed
      )
      select d.company_id, d.org_id, coalesce(d.site_id, $1), ${quarter},
        count(*) filter (where d.state = 'online'), count(*) filter (where d.state = 'offline'),
        count(*) filter (where d.state = 'abnormal'), count(*) filter (where d.state = 'notConfigured'),
        coalesce(sum(l.registered), 0), coalesce(sum(l.failed), 0)
      from device d
      cross join lateral (
        select count(*) filter (where x ->> 'status' in ('registered', 'calling')) as registered,
          count(*) filter (where x ->> 'status' = 'failed') as failed
        from jsonb_array_elements(d.lines) x
      ) l
      group by 1, 2, 3, 4
      on conflict do nothing
    `,
    [noSite],
  );
}

export async function forgetSamples(days: number): Promise<number> {
  return (await currentSql().query('delete from device_sample where at < now() - make_interval(days => $1)', [days]))
    .rowCount;
}

/** Returns the last sample of each step that the caller may see. Reads at most a hundred samples for any range. */
export async function samplesOf({
  range,
  site,
}: RouteInput<typeof deviceHistory>['query']): Promise<RouteReturn<typeof deviceHistory>> {
  const { hours, minutes } = ranges[range];
  const points = await currentSql().rows(
    point,
    `
      with picked as (
        select last.at
        from generate_series(
          date_bin(make_interval(mins => $2), now() - make_interval(hours => $1), 'epoch'), now(),
          make_interval(mins => $2)
        ) step
        cross join lateral (
          select s.at
          from device_sample s
          where s.at >= step and s.at < step + make_interval(mins => $2)
            and s.at > now() - make_interval(hours => $1) and ($3::uuid[] is null or s.site_id = any ($3))
          order by s.at desc
          limit 1
        ) last
      )
      select ${point}
      from picked
      join device_sample d on d.at = picked.at
      where $3::uuid[] is null or d.site_id = any ($3)
      group by d.at
      order by d.at
    `,
    [hours, minutes, site?.map((id) => (id === 'none' ? noSite : id)) ?? null],
  );
  return { minutes, points };
}
