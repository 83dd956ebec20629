import { defineEntity, p } from '@mikro-orm/postgresql';
import { changedInstant, organizationPolicy, tenant, tenantProperties } from '@carillon/persistence';

/** Limits users to their own organizations: the common policy, applied to this table's own id. */
export const ownOrganizationPolicy = organizationPolicy.replaceAll('org_id = any', 'id = any');

/** A part of a company (ORG-01). */
const OrganizationSchema = defineEntity({
  name: 'Organization',
  tableName: 'organization',
  indexes: [
    {
      name: 'organization_name',
      expression: 'create unique index organization_name on organization (company_id, lower((name)::text))',
    },
  ],
  ...tenant(),
  policies: [{ name: 'organization', type: 'restrictive', using: ownOrganizationPolicy, check: ownOrganizationPolicy }],
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    description: p.text(),
    version: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class Organization extends OrganizationSchema.class {}
OrganizationSchema.setClass(Organization);
