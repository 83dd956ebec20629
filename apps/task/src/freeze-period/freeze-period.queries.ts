import type { FreezeState, listFreezePeriods, RouteInput, RouteReturn } from '@carillon/contracts';
import {
  alphabetic,
  anyContains,
  column,
  columnNames,
  columns,
  computed,
  currentSql,
  filterBy,
  knowsZone,
} from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { SiteCopy } from '../projections/site-copy.entity.ts';
import { FreezePeriod } from './freeze-period.entity.ts';

export type FreezePeriodRecord = RouteReturn<typeof listFreezePeriods>['records'][number];

const state = `(case when f.ends_at <= now() then 'over' when f.begins_at <= now() then 'inForce' else 'planned' end)`;
const record = columns(FreezePeriod, 'f', ['id', 'name', 'siteIds', 'timeZone', 'beginsAt', 'endsAt', 'updatedAt'], {
  begin: column(FreezePeriod, 'f', 'beginLocal'),
  end: column(FreezePeriod, 'f', 'endLocal'),
  state: computed<FreezeState>(state),
  sites: computed<FreezePeriodRecord['sites']>(
    `
      (
        select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by ${alphabetic('s.name')}, s.id), '[]')
        from site_copy s
        where s.id = any (f.site_ids)
      )
    `,
  ),
});
const count = columns(FreezePeriod, 'f', [], { n: computed<number>('count(*)::int') });
const name = columnNames(FreezePeriod, 'f');
const stateRank = `array_position(array['inForce', 'planned', 'over'], ${state})`;
const sorts = {
  name: alphabetic(name.name),
  state: stateRank,
  beginsAt: name.beginsAt,
  endsAt: name.endsAt,
  updatedAt: name.updatedAt,
};
const filterColumns = {
  name: filterBy.text(name.name),
  state: filterBy.text(state),
  beginsAt: filterBy.moment(name.beginsAt),
  endsAt: filterBy.moment(name.endsAt),
  updatedAt: filterBy.moment(name.updatedAt),
};

export async function pageOfFreezePeriods(
  query: RouteInput<typeof listFreezePeriods>['query'],
): Promise<RouteReturn<typeof listFreezePeriods>> {
  return readPage({
    query,
    record,
    from: 'freeze_period f',
    searched: (like) => `
      ${anyContains([name.name], like)}
      or exists (select 1 from site_copy s where s.id = any (f.site_ids) and ${anyContains(['s.name'], like)})
    `,
    filters: filterColumns,
    sorts,
    order: `${name.endsAt} desc, ${name.id}`,
  });
}

export async function freezePeriodById(id: string): Promise<FreezePeriodRecord | undefined> {
  return (await currentSql().rows(record, `select ${record} from freeze_period f where f.id = $1`, [id]))[0];
}

export async function notOver(): Promise<number> {
  const [row] = await currentSql().rows(count, `select ${count} from freeze_period f where f.ends_at > now()`);
  return row!.n;
}

const siteCount = columns(SiteCopy, 's', [], { n: computed<number>('count(*)::int') });

export async function knowsSites(ids: readonly string[]): Promise<boolean> {
  const sql = `select ${siteCount} from site_copy s where s.id = any($1::uuid[])`;
  return (await currentSql().rows(siteCount, sql, [ids]))[0]!.n === ids.length;
}

const moments = columns(FreezePeriod, 'f', [], {
  beginsAt: computed<string>('z.begins_at', (at: never) => new Date(at).toISOString()),
  endsAt: computed<string>('z.ends_at', (at: never) => new Date(at).toISOString()),
});

/**
 * Returns the instants of two minutes in a time zone; undefined for an unknown zone. For a minute that occurs twice, a
 * freeze begins at the first and ends at the last; a skipped minute moves behind the gap.
 */
export async function momentsOf(
  begin: string,
  end: string,
  timeZone: string,
): Promise<{ beginsAt: string; endsAt: string } | undefined> {
  if (!(await knowsZone(timeZone))) return undefined;
  const edge = (minute: string, which: 'min' | 'max') => `
    (
      select ${which}(c.at)
      from unnest(array['0', '-1 hour', '1 hour', '-30 minutes', '30 minutes']::interval[]) as x(step)
      cross join lateral (select (${minute}::timestamp at time zone $3) + x.step as at) c
      where x.step = '0' or c.at at time zone $3 = ${minute}::timestamp
    )
  `;
  const [row] = await currentSql().rows(
    moments,
    `
      select ${moments}
      from (select ${edge('$1', 'min')} as begins_at, ${edge('$2', 'max')} as ends_at) z
    `,
    [begin, end, timeZone],
  );
  return row;
}
