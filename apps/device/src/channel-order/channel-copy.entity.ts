import { defineEntity, p } from '@mikro-orm/postgresql';
import type { companyStatuses } from '@carillon/contracts';
import { tenant, tenantProperties } from '@carillon/persistence';

/**
 * Companies, stored for their parent companies: the row's id is the company's, its tenant the parent, so that a company
 * reads its own channels without a wider policy. The installation's own company, which has no parent, is its own
 * tenant.
 */
export const ChannelCopy = defineEntity({
  name: 'ChannelCopy',
  tableName: 'channel_copy',
  indexes: [
    {
      name: 'channel_copy_company',
      expression: 'create index channel_copy_company on channel_copy (company_id, lower((name)::text))',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(128),
    status: p.string().$type<(typeof companyStatuses)[number]>().length(32),
    /** The ids of all its ancestors and its own, from the top: `/a/b/`. */
    path: p.text(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
