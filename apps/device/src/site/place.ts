import { columns, computed, preparedSql } from '@carillon/persistence';
import { Device } from '../device/device.entity.ts';
import { publishDevices, viewExtras, viewProperties } from '../device/device.publisher.ts';

/**
 * SQL: the site whose segment has the longest prefix that contains an address of `d`, as one row of site_id, name,
 * auto_assign, segment and ip; the internal address wins a tie (SITE-01). `from` has the segments.
 */
export const winnerSql = (from: string): string => `
  select g.site_id, g.name, g.auto_assign, text(g.segment) as segment, host(a.ip) as ip
  from ${from} g
  join (values (0, device_ip(d.internal_ip)), (1, device_ip(d.public_ip))) a(place, ip) on a.ip <<= g.segment
  order by masklen(g.segment) desc, a.place, g.site_id
  limit 1
`;

/** SQL: all segments of the company. */
export const segmentSql = `
  (
    select s.id as site_id, s.name, s.auto_assign, x.segment
    from site_copy s
    cross join unnest(s.segments) x(segment)
  )
`;

const settled = columns(Device, 'd', viewProperties, { ...viewExtras, moved: computed<boolean>('w.moves') });

/**
 * Places devices at their first contact: once both addresses are known, a device without a site goes to the best site,
 * if that site places devices automatically. Later changes of sites or addresses only make an offer.
 */
export async function placeNew(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await preparedSql().rows(
    settled,
    `
      update device d
      set placed = true, site_id = coalesce(d.site_id, w.site_id),
        version = d.version + case when w.moves then 1 else 0 end
      from (
        select d.id, w.site_id, d.site_id is null and w.site_id is not null as moves
        from device d
        left join lateral (${winnerSql(segmentSql)}) w on w.auto_assign
        where d.id = any($1::uuid[]) and not d.placed and d.internal_ip is not null and d.public_ip is not null
        order by d.id
        for update of d
      ) w
      where d.id = w.id
      returning ${settled}
    `,
    [ids],
  );
  const moved = rows.filter((r) => r.moved).map(({ moved: _, ...view }) => view);
  if (moved.length > 0) await publishDevices(moved);
}
