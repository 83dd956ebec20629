import { defineEntity, p } from '@mikro-orm/postgresql';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** A place of the company. Places belong to no organization, because several organizations can share a building. */
const SiteSchema = defineEntity({
  name: 'Site',
  tableName: 'site',
  indexes: [
    { name: 'site_parent', expression: 'create index site_parent on site (parent_id)' },
    {
      name: 'site_name',
      expression:
        'create unique index site_name on site (company_id, coalesce(parent_id, company_id), lower((name)::text))',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    parentId: p.uuid().strictNullable(),
    name: p.string().length(64),
    description: p.text(),
    autoAssign: p.boolean(),
    /** In Mbit/s. */
    downloadMbit: p.integer().strictNullable(),
    /** IANA name; null is the zone of the company. */
    timeZone: p.string().length(64).strictNullable(),
    version: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class Site extends SiteSchema.class {}
SiteSchema.setClass(Site);

/** A network of a site in PostgreSQL's own type, which handles prefixes, IPv4 and IPv6. */
const SiteSegmentSchema = defineEntity({
  name: 'SiteSegment',
  tableName: 'site_segment',
  indexes: [
    { name: 'site_segment_site', expression: 'create index site_segment_site on site_segment (site_id)' },
    {
      name: 'site_segment_segment',
      expression: 'create unique index site_segment_segment on site_segment (company_id, segment)',
    },
  ],
  ...tenant(),
  properties: { ...tenantProperties, siteId: p.uuid(), segment: p.string().columnType('cidr') },
});
export class SiteSegment extends SiteSegmentSchema.class {}
SiteSegmentSchema.setClass(SiteSegment);

/** Returns SQL for the segments of the site `alias`, as text and in order. */
export const segmentsSql = (alias: string): string => `
  (
    select coalesce(array_agg(text(g.segment) order by g.segment), '{}')
    from site_segment g
    where g.site_id = ${alias}.id
  )
`;
