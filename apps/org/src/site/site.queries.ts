import { isIP } from 'node:net';
import type { listSites, RouteInput, RouteReturn } from '@carillon/contracts';
import { alphabetic, anyContains, columnNames, columns, computed, currentSql, filterBy } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { treeSql } from '../tree.queries.ts';
import { Site, segmentsSql } from './site.entity.ts';

const sites = treeSql('site');

export type SiteRecord = RouteReturn<typeof listSites>['records'][number];

/** Columns of the table `t` from `sites`: a site with its path. */
const record = columns(
  Site,
  't',
  ['id', 'parentId', 'name', 'description', 'autoAssign', 'downloadMbit', 'timeZone', 'updatedAt'],
  {
    path: computed<string[]>('t.path'),
    segments: computed<string[]>(segmentsSql('t')),
    overlaps: computed<SiteRecord['overlaps']>(`
    (
      select coalesce(
        jsonb_agg(
          jsonb_build_object('segment', text(g.segment), 'siteId', s.id, 'site', s.name, 'other', text(o.segment))
          order by g.segment, o.segment
        ),
        '[]'
      )
      from site_segment g
      join site_segment o on o.segment && g.segment and o.site_id <> g.site_id
      join site s on s.id = o.site_id
      where g.site_id = t.id
    )
  `),
  },
);
const site = columnNames(Site, 't');
const filterColumns = {
  name: filterBy.text(site.name),
  description: filterBy.text(site.description),
  parentId: filterBy.id(site.parentId),
  autoAssign: filterBy.flag(site.autoAssign),
  timeZone: filterBy.text(site.timeZone),
  updatedAt: filterBy.moment(site.updatedAt),
};

const sorts = {
  name: alphabetic('t.name'),
  autoAssign: 't.auto_assign',
  timeZone: 't.time_zone',
  description: alphabetic('t.description'),
  updatedAt: 't.updated_at',
};

export async function pageOfSites(
  query: RouteInput<typeof listSites>['query'],
): Promise<RouteReturn<typeof listSites>> {
  // An address finds the sites whose segments contain it.
  const isAddress = query.search !== undefined && isIP(query.search) !== 0 && !query.search.includes('%');
  return readPage({
    query,
    record,
    with: sites,
    from: 'tree t',
    values: query.search ? [isAddress ? query.search : null] : [],
    searched: (like) => `
      ${anyContains(['t.name', 't.description'], like)} or exists (
        select 1
        from site_segment g
        where g.site_id = t.id and (text(g.segment) ilike ${like} or $1::inet <<= g.segment)
      )
    `,
    filters: filterColumns,
    sorts,
    order: 't.place',
  });
}

export async function siteById(id: string): Promise<SiteRecord | undefined> {
  return (await currentSql().rows(record, `${sites} select ${record} from tree t where t.id = $1`, [id]))[0];
}
