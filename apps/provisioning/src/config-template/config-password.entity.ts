import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A password of templates, sealed. The values of a template have its id. */
export const ConfigPassword = defineEntity({
  name: 'ConfigPassword',
  tableName: 'config_password',
  indexes: [
    {
      name: 'config_password_used',
      expression: 'create index config_password_used on config_password (used_at)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    sealed: p.text(),
    /** When a template that names it was last stored. */
    usedAt: instant(),
  },
});
