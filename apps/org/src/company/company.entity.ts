import { defineEntity, p } from '@mikro-orm/postgresql';
import type { RouteReturn, listCompanies } from '@carillon/contracts';
import { changedInstant, createdInstant, tenant, tenantProperties } from '@carillon/persistence';

type CompanyRecord = RouteReturn<typeof listCompanies>['records'][number];

/** A tenant. Its own row is its tenant's, so `company_id` is its id. */
const CompanySchema = defineEntity({
  name: 'Company',
  tableName: 'company',
  indexes: [{ name: 'company_name', expression: 'create unique index company_name on company (lower((name)::text))' }],
  checks: [{ name: 'company_check', expression: 'id = company_id' }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(128),
    /** Ids from the installation's own company down to this one, for the channel tree: `/a/b/`. */
    path: p.text(),
    type: p.string().$type<CompanyRecord['type']>().length(32),
    status: p.string().$type<CompanyRecord['status']>().length(32),
    remarks: p.text().default(''),
    version: p.integer(),
    createdAt: createdInstant(3),
    updatedAt: changedInstant(3),
  },
});
export class Company extends CompanySchema.class {}
CompanySchema.setClass(Company);
