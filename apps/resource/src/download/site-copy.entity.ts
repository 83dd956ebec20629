import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Copy of the tree of sites, with the download limits of their devices. */
const SiteCopySchema = defineEntity({
  name: 'SiteCopy',
  tableName: 'site_copy',
  indexes: [{ name: 'site_copy_parent', expression: 'create index site_copy_parent on site_copy (parent_id)' }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    parentId: p.uuid().strictNullable(),
    /** Mbit/s. */
    downloadMbit: p.integer().strictNullable(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
/**
 * SQL: sites with a limit, as `limited`: each with the site whose limit applies (`at_id`): itself or the nearest
 * ancestor with one.
 */
export const limitedSql = `
  with recursive limited as (
    select s.id, s.company_id, s.id as at_id, s.download_mbit as mbit
    from site_copy s
    where s.download_mbit is not null
    union all select s.id, s.company_id, l.at_id, l.mbit
    from limited l
    join site_copy s on s.parent_id = l.id
    where s.download_mbit is null
  )
`;

export class SiteCopy extends SiteCopySchema.class {}
SiteCopySchema.setClass(SiteCopy);
