import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** A place of the company. Places belong to nobody's organization: several share a building. */
const SiteSchema = defineEntity({
  name: 'Site',
  tableName: 'site',
  ...tenant(),
  properties: {
    ...tenantProperties,
    parentId: p.uuid().nullable(),
    name: p.string().length(64),
    description: p.text(),
    autoAssign: p.boolean(),
    version: p.integer(),
    updatedAt: p.datetime(3),
  },
});
export class Site extends SiteSchema.class {}
SiteSchema.setClass(Site);

/** A network of a site, as PostgreSQL's own type: it knows prefixes, and IPv4 from IPv6. */
const SiteSegmentSchema = defineEntity({
  name: 'SiteSegment',
  tableName: 'site_segment',
  ...tenant(),
  properties: { ...tenantProperties, siteId: p.uuid(), segment: p.string().columnType('cidr') },
});
export class SiteSegment extends SiteSegmentSchema.class {}
SiteSegmentSchema.setClass(SiteSegment);
