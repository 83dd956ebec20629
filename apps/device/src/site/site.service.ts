import { Injectable } from '@nestjs/common';
import {
  segmentsOf,
  type DeviceRecord,
  type listSiteNames,
  type placeDevices,
  type previewSite,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { alphabetic, column, columns, computed, currentSql, nilUuid } from '@carillon/persistence';
import { auditNote, emitLive, failAt, found } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { Device } from '../device/device.entity.ts';
import { deviceView, publishDevices } from '../device/device.publisher.ts';
import { segmentSql, winnerSql } from './place.ts';
import { SiteCopy } from './site.projection.ts';

const shown = 50;

/** SQL: the devices that would move to the site $1 with the segments $2, while the other sites keep theirs. */
const comingSql = `
  with wanted as (select distinct network(x::inet) as segment from unnest($2::text[]) x),
  segment as (
    select *
    from ${segmentSql} s
    where s.site_id <> $1
    union all select $1::uuid, '', false, w.segment
    from wanted w
  ),
  coming as (
    select d.id, d.name, d.mac, d.site_id as was, w.segment, w.ip
    from device d
    join lateral (${winnerSql('segment')}) w on w.site_id = $1
    where d.site_id is distinct from $1
      and exists (
        select 1
        from wanted
        where device_ip(d.internal_ip) <<= wanted.segment or device_ip(d.public_ip) <<= wanted.segment
      )
  )
`;

/** The columns of `winnerSql` and `segmentSql` for a site. */
const offered = columns(SiteCopy, 'w', ['name'], {
  id: computed<string>('w.site_id'),
  segment: computed<string>('w.segment'),
  ip: computed<string>('w.ip'),
});
const overlap = columns(SiteCopy, 'o', [], {
  segment: computed<string>('text(network(w::inet))'),
  siteId: computed<string>('o.site_id'),
  site: column(SiteCopy, 'o', 'name'),
  other: computed<string>('text(o.segment)'),
});
/** Columns of the rows from `comingSql`, with the site that the device comes from. */
const coming = columns(Device, 'c', ['id', 'name', 'mac'], {
  ip: computed<string>('c.ip'),
  segment: computed<string>('c.segment'),
  from: computed<string | null>('s.name'),
  total: computed<number>('count(*) over ()::int'),
});
const placed = columns(SiteCopy, 't', ['id', 'name'], { path: computed<string[]>('t.path') });
const named = columns(SiteCopy, 's', ['name']);
/** The former sites of devices that move. */
const origin = columns(Device, 'd', [], {
  siteId: computed<string | null>('was'),
  ids: computed<string[]>('array_agg(id)'),
});

function wantedOf(text: string): string[] {
  const { segments, wrong } = segmentsOf(text);
  const values = { segment: wrong?.slice(0, 64) };
  if (wrong !== undefined) failAt('segments', 'site.segmentFormat', values);
  return segments;
}

/** Returns the site whose segments contain the device's address, when the device is not in it: the offer (SITE-01). */
export async function offeredSite(id: string): Promise<DeviceRecord['offeredSite']> {
  const [site] = await currentSql().rows(
    offered,
    `
      select ${offered}
      from device d
      join lateral (${winnerSql(segmentSql)}) w on true
      where d.id = $1 and w.site_id is distinct from d.site_id
    `,
    [id],
  );
  return site ?? null;
}

@Injectable()
export class SiteService {
  listNames(): Promise<RouteReturn<typeof listSiteNames>> {
    return currentSql().rows(
      placed,
      `
        with recursive tree as (
          select s.id, s.name, array[s.name::text] as path, array[${alphabetic('s.name::text')}, s.id::text] as place
          from site_copy s
          where s.parent_id is null or not exists (select 1 from site_copy p where p.id = s.parent_id)
          union all select s.id, s.name, t.path || s.name::text, t.place || array[${alphabetic('s.name::text')}, s.id::text]
          from site_copy s
          join tree t on s.parent_id = t.id
        )
        select ${placed}
        from tree t
        order by t.place
      `,
    );
  }

  async preview(siteId: string | undefined, text: string): Promise<RouteReturn<typeof previewSite>> {
    const values = [siteId ?? nilUuid, wantedOf(text)];
    const rows = await currentSql().rows(
      coming,
      `
        ${comingSql}
        select ${coming}
        from coming c
        left join site_copy s on s.id = c.was
        order by ${alphabetic('c.name')}, c.id
        limit ${shown}
      `,
      values,
    );
    const overlaps = await currentSql().rows(
      overlap,
      `
        select distinct ${overlap}
        from unnest($2::text[]) w
        join ${segmentSql} o on o.segment && network(w::inet) and o.site_id <> $1
        order by 1, 4
        limit ${shown}
      `,
      values,
    );
    return {
      total: rows[0]?.total ?? 0,
      devices: rows.map(({ total: _, ...device }) => device),
      overlaps,
    };
  }

  async place(body: RouteInput<typeof placeDevices>['body']): Promise<RouteReturn<typeof placeDevices>> {
    const { siteId } = body;
    const site =
      siteId === null
        ? null
        : found((await currentSql().rows(named, `select ${named} from site_copy s where s.id = $1`, [siteId]))[0]);
    const from = await currentSql().rows(
      origin,
      `
        ${'ids' in body ? '' : comingSql}
        select ${origin}
        from ${
          'ids' in body
            ? '(select id, site_id as was from device where id = any($2::uuid[]) and site_id is distinct from $1 for update) d'
            : 'coming'
        }
        group by was
      `,
      [siteId, 'ids' in body ? body.ids : wantedOf(body.segments)],
    );
    const moved =
      'ids' in body
        ? await currentSql().rows(
            deviceView,
            `
              update device d
              set site_id = $1, left_site_id = null, placed = true, version = version + 1
              where id = any($2::uuid[]) and site_id is distinct from $1
              returning ${deviceView}
            `,
            [siteId, body.ids],
          )
        : await currentSql().rows(
            deviceView,
            `
              ${comingSql}
              update device d
              set site_id = $1, left_site_id = null, placed = true, version = version + 1
              from coming
              where d.id = coming.id
              returning ${deviceView}
            `,
            [siteId, wantedOf(body.segments)],
          );
    // Also for a device that has no site and keeps none.
    if ('ids' in body)
      await currentSql().query(
        'update device set left_site_id = null where id = any($1::uuid[]) and left_site_id is not null',
        [body.ids],
      );
    if ('ids' in body && moved.length === 0)
      found((await currentSql().query('select 1 from device where id = any($1::uuid[]) limit 1', [body.ids])).rows[0]);
    if (moved.length > 0) {
      await publishDevices(moved);
      await emitLive(
        context().companyId,
        'device',
        moved.map((r) => r.id),
        moved.map((r) => r.orgId),
      );
    }
    const one = moved.length === 1 ? { objectId: moved[0]!.id, objectName: moved[0]!.name } : {};
    auditNote({
      ...one,
      orgIds: moved.map((r) => r.orgId),
      detail: {
        site: site?.name ?? null,
        count: moved.length,
        devices: moved.slice(0, 100).map((r) => ({ id: r.id, mac: r.mac, name: r.name })),
      },
    });
    return { placed: moved.length, from };
  }
}
