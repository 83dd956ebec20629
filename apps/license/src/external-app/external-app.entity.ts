import { defineEntity, p } from '@mikro-orm/postgresql';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** A page of another site in the menu of a company (SYS-10). */
const ExternalAppSchema = defineEntity({
  name: 'ExternalApp',
  tableName: 'external_app',
  indexes: [
    { name: 'external_app_company', expression: 'create index external_app_company on external_app (company_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    address: p.string().length(512),
    icon: p.string().length(64),
    roleIds: p.array().columnType('uuid[]').strictNullable(),
    version: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class ExternalApp extends ExternalAppSchema.class {}
ExternalAppSchema.setClass(ExternalApp);
