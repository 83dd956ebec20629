import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** What auth knows of a company, copied from `org.company.v1`. The row's id is the company's. */
const CompanyCopySchema = defineEntity({
  name: 'CompanyCopy',
  tableName: 'company_copy',
  indexes: [
    {
      name: 'company_copy_name',
      expression: 'create unique index company_copy_name on company_copy (lower((name)::text))',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(128),
    status: p.string().length(32),
    version: p.integer(),
  },
});
export class CompanyCopy extends CompanyCopySchema.class {}
CompanyCopySchema.setClass(CompanyCopy);
