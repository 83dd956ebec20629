import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, ownOrganizationsSql, ownUserSql, seesAllSql, tenant, tenantProperties } from '@carillon/persistence';

/** Visible to users who see all organizations of its objects, and to its author. */
export const entryPolicy = `("org_ids" is null or ${seesAllSql} or "user_id" = ${ownUserSql} or "org_ids" <@ ${ownOrganizationsSql})`;

/**
 * Who did what, on which object, from where, when, with which result (SYS-04). The id is the message's, so that a
 * repeat is no second entry.
 */
const OperationLogSchema = defineEntity({
  name: 'OperationLog',
  tableName: 'operation_log',
  indexes: [
    {
      name: 'operation_log_seq',
      expression: 'create unique index operation_log_seq on operation_log (company_id, seq) where (seq > 0)',
    },
    { name: 'operation_log_request', expression: 'create index operation_log_request on operation_log (request_id)' },
    {
      name: 'operation_log_company_at',
      expression: 'create index operation_log_company_at on operation_log (company_id, at desc, id desc)',
    },
  ],
  ...tenant(),
  policies: [{ name: 'organization', type: 'restrictive', using: entryPolicy, check: entryPolicy }],
  properties: {
    ...tenantProperties,
    at: instant(3),
    userId: p.uuid().strictNullable(),
    username: p.string().length(128),
    action: p.string().length(64),
    objectId: p.text().strictNullable(),
    objectName: p.text().strictNullable(),
    address: p.string().length(64).strictNullable(),
    result: p.string().length(64),
    requestId: p.string().length(64).strictNullable(),
    detail: p.json<Record<string, unknown>>(),
    /** Organizations of its object; null without any. */
    orgIds: p.array().columnType('uuid[]').strictNullable(),
    /** Position in the company's chain; 0 for entries from before the chain. */
    seq: p.bigint('number').defaultRaw('0'),
    hash: p.string().length(64).strictNullable(),
  },
});
export class OperationLog extends OperationLogSchema.class {}
OperationLogSchema.setClass(OperationLog);

/** The end of a company's chain: without it the last entries could be removed unnoticed. */
const OperationLogHeadSchema = defineEntity({
  name: 'OperationLogHead',
  tableName: 'operation_log_head',
  uniques: [{ name: 'operation_log_head_company_id_key', properties: ['companyId'] }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    seq: p.bigint('number'),
    hash: p.string().length(64),
  },
});
export class OperationLogHead extends OperationLogHeadSchema.class {}
OperationLogHeadSchema.setClass(OperationLogHead);
