import { defineEntity, p } from '@mikro-orm/postgresql';
import type { RouteReturn, listCompanies } from '@carillon/contracts';
import { changedInstant, createdInstant, tenant, tenantProperties } from '@carillon/persistence';

type CompanyRecord = RouteReturn<typeof listCompanies>['records'][number];

/** A tenant. Its row belongs to itself, so `company_id` is its id. */
const CompanySchema = defineEntity({
  name: 'Company',
  tableName: 'company',
  indexes: [
    { name: 'company_name', expression: 'create unique index company_name on company (lower((name)::text))' },
    { name: 'company_parent', expression: 'create index company_parent on company (parent_id)' },
  ],
  checks: [{ name: 'company_check', expression: 'id = company_id' }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(128),
    /** Null for the installation's own company. */
    parentId: p.uuid().strictNullable(),
    /** Ids from the installation's own company down to this one, for the channel tree: `/a/b/`. */
    path: p.text(),
    type: p.string().$type<CompanyRecord['type']>().length(32),
    status: p.string().$type<CompanyRecord['status']>().length(32),
    /** The company whose user closed it. Only that company or an ancestor of it can open it again. */
    closedBy: p.uuid().strictNullable(),
    remarks: p.text().default(''),
    /** Limit of companies below it at any depth; `subGiven` of them exist or are given to its children. */
    createSubLimit: p.integer().default(0),
    subGiven: p.integer().default(0),
    /** Limit of FCS accounts of its subtree; `fcsGiven` of them are given to its children. */
    fcsLimit: p.integer().default(0),
    fcsGiven: p.integer().default(0),
    /** Used by the company itself, as published by `provisioning`, and the version of that event. */
    fcsUsed: p.integer().default(0),
    fcsUseVersion: p.integer().default(0),
    licenseGranting: p.boolean().default(false),
    fcsEnabled: p.boolean().default(false),
    localSync: p.boolean().default(false),
    fcsUrl: p.string().length(256).default(''),
    fcsDomain: p.string().length(253).default(''),
    version: p.integer(),
    createdAt: createdInstant(3),
    updatedAt: changedInstant(3),
  },
});
export class Company extends CompanySchema.class {}
CompanySchema.setClass(Company);
