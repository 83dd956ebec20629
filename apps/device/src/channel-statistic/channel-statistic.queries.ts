import type { listChannelStatistics, RouteInput, RouteReturn } from '@carillon/contracts';
import { alphabetic, columnNames, columns, computed, currentSql, filterBy } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { ChannelCopy } from '../channel-order/channel-copy.entity.ts';
import { ChannelStatistic } from './channel-statistic.entity.ts';

const sums = [
  'devices',
  'online',
  'offline',
  'abnormal',
  'notConfigured',
  'below',
  'belowAbnormal',
  'belowOffline',
] as const;
const stored = columnNames(ChannelStatistic);
const names = sums.map((sum) => stored[sum]);
const changed = columns(ChannelStatistic, 't', ['id', 'companyId']);

/**
 * Counts the devices of all companies again, and adds each company's to the channels above it. Returns the channels
 * whose sums changed; none when another process counts at the moment. Run inside of `platform()`.
 */
export async function countChannels() {
  const { rows } = await currentSql().query<{ free: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('channel statistics', 0)) as free`,
  );
  if (!rows[0]!.free) return [];
  await currentSql().query(`
    delete from channel_statistic t
    where not exists (
      select from channel_copy c where c.id = t.id and c.company_id is not distinct from t.company_id
    )
  `);
  return currentSql().rows(
    changed,
    `
      with counted as (
        select d.company_id as id, count(*) as devices,
          count(*) filter (where d.state = 'online') as online,
          count(*) filter (where d.state = 'offline') as offline,
          count(*) filter (where d.state = 'abnormal') as abnormal,
          count(*) filter (where d.state = 'notConfigured') as not_configured
        from device d
        group by d.company_id
      ),
      summed as (
        select above.id, sum(n.devices) filter (where above.id = c.id::text) as devices,
          sum(n.online) filter (where above.id = c.id::text) as online,
          sum(n.offline) filter (where above.id = c.id::text) as offline,
          sum(n.abnormal) filter (where above.id = c.id::text) as abnormal,
          sum(n.not_configured) filter (where above.id = c.id::text) as not_configured,
          sum(n.devices) filter (where above.id <> c.id::text) as below,
          sum(n.abnormal) filter (where above.id <> c.id::text) as below_abnormal,
          sum(n.offline) filter (where above.id <> c.id::text) as below_offline
        from channel_copy c
        join counted n using (id)
        cross join lateral unnest(string_to_array(trim(both '/' from c.path), '/')) as above(id)
        group by above.id
      )
      insert into channel_statistic as t (id, company_id, ${names.join(', ')})
      select c.id, c.company_id, ${names.map((name) => `coalesce(s.${name}, 0)`).join(', ')}
      from channel_copy c
      left join summed s on s.id = c.id::text
      where c.id <> c.company_id
      on conflict (id) do update
        set (company_id, ${names.join(', ')}) = (excluded.company_id, ${names.map((n) => `excluded.${n}`).join(', ')})
        where (t.company_id, ${names.map((name) => `t.${name}`).join(', ')})
          is distinct from (excluded.company_id, ${names.map((name) => `excluded.${name}`).join(', ')})
      returning ${changed}
    `,
  );
}

const sumOf = (name: (typeof sums)[number]): string => `coalesce(s.${stored[name]}, 0)`;
const sum = (name: (typeof sums)[number]) => computed<number>(sumOf(name));
const record = columns(ChannelCopy, 'c', ['id', 'name', 'status'], {
  devices: sum('devices'),
  online: sum('online'),
  offline: sum('offline'),
  abnormal: sum('abnormal'),
  notConfigured: sum('notConfigured'),
  below: sum('below'),
  belowAbnormal: sum('belowAbnormal'),
  belowOffline: sum('belowOffline'),
});
const channel = columnNames(ChannelCopy, 'c');
const sumFilters = Object.fromEntries(sums.map((name) => [name, filterBy.number(sumOf(name))])) as Record<
  (typeof sums)[number],
  ReturnType<typeof filterBy.number>
>;
const filterColumns = {
  ...sumFilters,
  name: filterBy.text(channel.name),
  status: filterBy.text(channel.status),
};
const sorts = {
  ...(Object.fromEntries(sums.map((name) => [name, sumOf(name)])) as Record<(typeof sums)[number], string>),
  name: alphabetic(channel.name),
  status: channel.status,
};
const from = 'channel_copy c left join channel_statistic s on s.id = c.id';

/** Lists the channels, those with the most trouble first. */
export async function pageOfStatistics(
  query: RouteInput<typeof listChannelStatistics>['query'],
): Promise<RouteReturn<typeof listChannelStatistics>> {
  const worst = (['abnormal', 'belowAbnormal', 'offline', 'belowOffline'] as const)
    .map((name) => `${sumOf(name)} desc`)
    .join(', ');
  return readPage({
    query,
    record,
    from,
    searched: [channel.name],
    filters: filterColumns,
    where: () => ['c.id <> c.company_id'],
    sorts,
    order: `${worst}, ${alphabetic(channel.name)}, ${channel.id}`,
  });
}
