import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** A menu entry for a page of another site, copied from `license.app.v1`. */
const ExternalAppCopySchema = defineEntity({
  name: 'ExternalAppCopy',
  tableName: 'external_app_copy',
  indexes: [
    {
      name: 'external_app_copy_company',
      expression: 'create index external_app_copy_company on external_app_copy (company_id)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    address: p.string().length(512),
    icon: p.string().length(64),
    roleIds: p.array().columnType('uuid[]').strictNullable(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
export class ExternalAppCopy extends ExternalAppCopySchema.class {}
ExternalAppCopySchema.setClass(ExternalAppCopy);
