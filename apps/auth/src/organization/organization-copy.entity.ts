import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/**
 * What auth knows of organizations, copied from `org.organization.v1`: names for lists, and all of them for who sees
 * all.
 */
const OrganizationCopySchema = defineEntity({
  name: 'OrganizationCopy',
  tableName: 'organization_copy',
  indexes: [
    {
      name: 'organization_copy_company',
      expression: 'create index organization_copy_company on organization_copy (company_id)',
    },
  ],
  ...tenant(),
  properties: { ...tenantProperties, name: p.string().length(64), version: p.bigint('number'), era: p.integer() },
});
export class OrganizationCopy extends OrganizationCopySchema.class {}
OrganizationCopySchema.setClass(OrganizationCopy);
