import { defineEntity, p } from '@mikro-orm/postgresql';
import type { SipTransport } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * A server that lines register with (ACC-01). Servers belong to the whole company. FCS servers are the
 * installation's; `fcs.queries.ts` stores them for each company that has FCS (ACC-03).
 */
const SipServerSchema = defineEntity({
  name: 'SipServer',
  tableName: 'sip_server',
  indexes: [
    {
      name: 'sip_server_name',
      expression: 'create unique index sip_server_name on sip_server (company_id, lower((name)::text), fcs)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    address: p.string().length(253),
    port: p.integer(),
    transport: p.string().$type<SipTransport>().length(8),
    domain: p.string().length(253),
    proxyAddress: p.string().length(253).strictNullable(),
    proxyPort: p.integer().strictNullable(),
    backupAddress: p.string().length(253).strictNullable(),
    backupPort: p.integer().strictNullable(),
    fcs: p.boolean().default(false),
    /** Set for FCS servers that are off: no account is added to them, and no line gets one of their accounts. */
    closed: p.boolean().default(false),
    version: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class SipServer extends SipServerSchema.class {}
SipServerSchema.setClass(SipServer);
