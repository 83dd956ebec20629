import type { RouteInput, countDevices } from '@carillon/contracts';
import { currentSql, parameters } from '@carillon/persistence';
import { whereSql } from './device-filter.ts';

export async function countOfDevices(filter: RouteInput<typeof countDevices>['query']) {
  const { values, add } = parameters();
  const where = whereSql(filter, add);
  const lines = filter.withLines === 'true';
  const { rows } = await currentSql().query<{ kind: string; value: string | null; count: number; name: string | null }>(
    `
      with d as materialized (
        select state, model, firmware, site_id${lines ? ', lines' : ''}
        from device d
        where ${where}
      )
      select 'state' as kind, state as value, count(*)::int as count, null as name
      from d
      group by state
      union all (select 'model', model, count(*)::int, null from d group by model order by 3 desc limit 100)
      union all
      (
        select 'firmware', firmware, count(*)::int, null
        from d
        where firmware is not null
        group by firmware
        order by 3 desc
        limit 100
      )
      union all select 'site', site_id::text, count, (select s.name from site_copy s where s.id = site_id)
      from (
        select site_id, count(*)::int as count
        from d
        group by site_id
        order by 2 desc
        limit 200
      ) places
        ${
          lines
            ? `
          union all select 'line', l ->> 'status', count(*)::int, null
          from d, jsonb_array_elements(d.lines) l
          group by 2
        `
            : ''
        }
    `,
    values,
  );
  const rowsOf = (kind: string) => rows.filter((r) => r.kind === kind);
  return {
    total: rowsOf('state').reduce((sum, r) => sum + r.count, 0),
    state: Object.fromEntries(rowsOf('state').map((r) => [r.value!, r.count])),
    ...(lines ? { lines: Object.fromEntries(rowsOf('line').map((r) => [r.value!, r.count])) } : {}),
    models: rowsOf('model').map((r) => ({ model: r.value!, count: r.count })),
    firmwares: rowsOf('firmware').map((r) => ({ firmware: r.value!, count: r.count })),
    sites: rowsOf('site').map((r) => ({ id: r.value, name: r.name ?? '', count: r.count })),
  };
}
