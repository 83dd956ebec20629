import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** The tree of sites: a freeze of a site includes the sites below it, and a task may run by the local time of each. */
export const SiteCopy = defineEntity({
  name: 'SiteCopy',
  tableName: 'site_copy',
  indexes: [{ name: 'site_copy_parent', expression: 'create index site_copy_parent on site_copy (parent_id)' }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    parentId: p.uuid().strictNullable(),
    name: p.string().length(64),
    /** Null: that of the task. */
    timeZone: p.string().length(64).strictNullable(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
