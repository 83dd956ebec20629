import { defineEntity, p } from '@mikro-orm/postgresql';
import { supportAccessLevels } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A company's permission for its parent company to enter it, for a limited time (CHN-07). */
const SupportAccessSchema = defineEntity({
  name: 'SupportAccess',
  tableName: 'support_access',
  indexes: [
    {
      name: 'support_access_company',
      expression: 'create index support_access_company on support_access (company_id, created_at desc)',
    },
    {
      name: 'support_access_open',
      expression: 'create unique index support_access_open on support_access (company_id) where (ended_at is null)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** The parent company at that time. */
    superiorId: p.uuid(),
    superior: p.string().length(128),
    level: p.enum(supportAccessLevels),
    reason: p.string().length(256),
    /** The user who granted it: their permissions and organizations limit those of the visitor. */
    userId: p.uuid(),
    createdBy: p.string().length(128),
    createdAt: instant(3),
    until: instant(3),
    endedAt: instant(3).strictNullable(),
    endedBy: p.string().length(128).strictNullable(),
    visits: p.integer().default(0),
    visitedAt: instant(3).strictNullable(),
  },
});
export class SupportAccess extends SupportAccessSchema.class {}
SupportAccessSchema.setClass(SupportAccess);

/**
 * The parent company's copy of the access, a row of its own so that no policy has to be widened. Has the access's id.
 */
const CustomerAccessSchema = defineEntity({
  name: 'CustomerAccess',
  tableName: 'customer_access',
  indexes: [
    {
      name: 'customer_access_customer',
      expression: 'create index customer_access_customer on customer_access (company_id, customer_id)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    customerId: p.uuid(),
    customer: p.string().length(128),
    level: p.enum(supportAccessLevels),
    reason: p.string().length(256),
    allowedById: p.uuid(),
    allowedBy: p.string().length(128),
    until: instant(3),
    endedAt: instant(3).strictNullable(),
  },
});
export class CustomerAccess extends CustomerAccessSchema.class {}
CustomerAccessSchema.setClass(CustomerAccess);

/** A visit of a session to a customer's company, stored in the company that the session belongs to. */
const VisitSchema = defineEntity({
  name: 'Visit',
  tableName: 'visit',
  indexes: [
    {
      name: 'visit_session',
      expression: 'create unique index visit_session on visit (session_id) where (ended_at is null)',
    },
    { name: 'visit_access', expression: 'create index visit_access on visit (access_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    sessionId: p.uuid(),
    userId: p.uuid(),
    accessId: p.uuid(),
    customerId: p.uuid(),
    startedAt: instant(3),
    endedAt: instant(3).strictNullable(),
  },
});
export class Visit extends VisitSchema.class {}
VisitSchema.setClass(Visit);
