import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Auth's copy of a company from `org.company.v1`. The row's id is the company's. */
const CompanyCopySchema = defineEntity({
  name: 'CompanyCopy',
  tableName: 'company_copy',
  indexes: [
    {
      name: 'company_copy_name',
      expression: 'create unique index company_copy_name on company_copy (lower((name)::text))',
    },
    { name: 'company_copy_parent', expression: 'create index company_copy_parent on company_copy (parent_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(128),
    type: p.string().length(32).default('enterprise'),
    status: p.string().length(32),
    /** Null for the installation's own company. */
    parentId: p.uuid().strictNullable(),
    /**
     * The account that the company was created with, the only one that the parent company knows. Set by auth, not by
     * org.
     */
    accountId: p.uuid().strictNullable(),
    createSubLimit: p.integer().default(0),
    /** Limit of the company and its whole subtree. */
    fcsLimit: p.integer().default(0),
    /** Used by the company itself. */
    fcsUsed: p.integer().default(0),
    licenseGranting: p.boolean().default(false),
    fcsEnabled: p.boolean().default(false),
    localSync: p.boolean().default(false),
    version: p.integer(),
  },
});
export class CompanyCopy extends CompanyCopySchema.class {}
CompanyCopySchema.setClass(CompanyCopy);
