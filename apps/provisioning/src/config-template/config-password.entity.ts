import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdInstant, tenant, tenantProperties } from '@carillon/persistence';

/** A password of templates, sealed. The values of a template have its id. */
export const ConfigPassword = defineEntity({
  name: 'ConfigPassword',
  tableName: 'config_password',
  indexes: [
    {
      name: 'config_password_made',
      expression: 'create index config_password_made on config_password (created_at)',
    },
  ],
  ...tenant(),
  properties: { ...tenantProperties, sealed: p.text(), createdAt: createdInstant() },
});
