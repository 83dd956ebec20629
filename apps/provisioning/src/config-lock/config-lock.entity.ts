import { defineEntity, p } from '@mikro-orm/postgresql';
import type { TemplateKey, TemplateValue } from '@carillon/contracts';
import { tenant, tenantProperties } from '@carillon/persistence';

/**
 * A setting that a company above locks for the devices of this one. Of the company above it has the name and nothing
 * else.
 */
export const ConfigLock = defineEntity({
  name: 'ConfigLock',
  tableName: 'config_lock',
  indexes: [
    {
      name: 'config_lock_key',
      expression: 'create unique index config_lock_key on config_lock (company_id, key)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    key: p.string().$type<TemplateKey>().length(128),
    value: p.json<TemplateValue>(),
    /** Name of the company that locks it. */
    company: p.string().length(128),
  },
});
