import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** SIP accounts that a line can have. Their passwords stay with provisioning. */
export const AccountCopy = defineEntity({
  name: 'AccountCopy',
  tableName: 'account_copy',
  indexes: [
    {
      name: 'account_copy_company',
      expression: 'create index account_copy_company on account_copy (company_id, lower((name)::text))',
    },
  ],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    name: p.string().length(64),
    number: p.string().length(64),
    server: p.string().length(64),
    /** No line is given it any more (ACC-03); one that has it keeps it. */
    closed: p.boolean().default(false),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
