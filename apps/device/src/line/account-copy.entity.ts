import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** SIP accounts for lines. Their passwords stay in provisioning. */
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
    /** Closed accounts cannot be assigned to a line (ACC-03); a line that has one keeps it. */
    closed: p.boolean().default(false),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
