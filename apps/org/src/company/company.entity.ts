import { defineEntity, p } from '@mikro-orm/postgresql';
import type { RouteReturn, listCompanies } from '@carillon/contracts';
import { changedInstant, createdInstant, tenant, tenantProperties } from '@carillon/persistence';

type CompanyRecord = RouteReturn<typeof listCompanies>['records'][number];

/** A tenant. Its own row is its tenant's, so `company_id` is its id. */
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
    /** Null of the installation's own company. */
    parentId: p.uuid().strictNullable(),
    /** Ids from the installation's own company down to this one, for the channel tree: `/a/b/`. */
    path: p.text(),
    type: p.string().$type<CompanyRecord['type']>().length(32),
    status: p.string().$type<CompanyRecord['status']>().length(32),
    /** The company whose user closed it: opened again by that one or one above. */
    closedBy: p.uuid().strictNullable(),
    remarks: p.text().default(''),
    /** Companies below it at any depth; `subGiven` of them are there or given on to its channels. */
    createSubLimit: p.integer().default(0),
    subGiven: p.integer().default(0),
    /** FCS accounts of it and of all below it; `fcsGiven` of them are its channels'. */
    fcsLimit: p.integer().default(0),
    fcsGiven: p.integer().default(0),
    /** Of its own, as `provisioning` tells them, and the version of that. */
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
