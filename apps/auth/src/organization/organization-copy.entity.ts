import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/**
 * Auth's copy of an organization from `org.organization.v1`: its name for lists, and its id for users who see all
 * organizations.
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
