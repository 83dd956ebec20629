import type { deviceHistory, RouteInput, RouteReturn } from '@carillon/contracts';
import { currentSql, iso } from '@carillon/persistence';
import { noSite } from './device-sample.entity.ts';

/** A range, and how far its points are apart: under a hundred of them, which is what a chart can show. */
const ranges = {
  '24h': { hours: 24, minutes: 15 },
  '7d': { hours: 168, minutes: 120 },
  '30d': { hours: 720, minutes: 480 },
};

/** Counts what there is now, once for each quarter of an hour, whichever process comes first. */
export async function takeSample(): Promise<void> {
  await currentSql().query(
    `
      insert into device_sample (
        company_id, org_id, site_id, at, online, offline, abnormal, not_configured, registered, failed
      )
      select d.company_id, d.org_id, coalesce(d.site_id, $1), quarter.at,
        count(*) filter (where d.state = 'online'), count(*) filter (where d.state = 'offline'),
        count(*) filter (where d.state = 'abnormal'), count(*) filter (where d.state = 'notConfigured'),
        coalesce(sum(l.registered), 0), coalesce(sum(l.failed), 0)
      from device d
      cross join (select date_bin('15 minutes', now(), 'epoch') as at) quarter
      cross join lateral (
        select count(*) filter (where x ->> 'status' in ('registered', 'calling')) as registered,
          count(*) filter (where x ->> 'status' = 'failed') as failed
        from jsonb_array_elements(d.lines) x
      ) l
      where not exists (select 1 from device_sample s where s.at = quarter.at)
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

/** The last sample of each step, of what the reader sees. */
export async function samplesOf({
  range,
  site,
}: RouteInput<typeof deviceHistory>['query']): Promise<RouteReturn<typeof deviceHistory>> {
  const { hours, minutes } = ranges[range];
  const { rows } = await currentSql().query<RouteReturn<typeof deviceHistory>['points'][number]>(
    `
      with s as (
        select at, sum(online)::int as online, sum(offline)::int as offline, sum(abnormal)::int as abnormal,
          sum(not_configured)::int as "notConfigured", sum(registered)::int as registered, sum(failed)::int as failed,
          date_bin(make_interval(mins => $2), at, 'epoch') as step
        from device_sample
        where at > now() - make_interval(hours => $1) and ($3::uuid[] is null or site_id = any ($3))
        group by at
      )
      select distinct on (step) at, online, offline, abnormal, "notConfigured", registered, failed
      from s
      order by step, at desc
    `,
    [hours, minutes, site?.map((id) => (id === 'none' ? noSite : id)) ?? null],
  );
  return { minutes, points: rows.map((row) => ({ ...row, at: iso(row.at) })) };
}
