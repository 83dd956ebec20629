import { defineEntity, p } from '@mikro-orm/postgresql';
import {
  instant,
  organizationPolicy,
  ownOrganizationsSql,
  seesAllSql,
  tenant,
  tenantProperties,
} from '@carillon/persistence';

/**
 * A message without an organization is for the whole company. A message about a shared object is shown completely to
 * users who see all of its organizations, and to others in parts, one per visible organization.
 */
export const messagePolicy = `(case when "org_ids" is null then "org_id" is null or ${organizationPolicy}
  when "org_id" is null then ${seesAllSql} or "org_ids" <@ ${ownOrganizationsSql}
  else not ${seesAllSql} and "org_id" = any (${ownOrganizationsSql}::uuid[]) and not "org_ids" <@ ${ownOrganizationsSql} end)`;
/** Only the system writes messages, including those that it cannot read afterwards. */
const writtenBy = `(${seesAllSql})`;

/** A message to users (NOTE-02). Its text is built when it is read. */
const MessageSchema = defineEntity({
  name: 'Message',
  tableName: 'message',
  indexes: [
    {
      name: 'message_company_at',
      expression: 'create index message_company_at on message (company_id, created_at desc, id desc)',
    },
  ],
  ...tenant(),
  policies: [{ name: 'organization', type: 'restrictive', using: messagePolicy, check: writtenBy }],
  properties: {
    ...tenantProperties,
    orgId: p.uuid().strictNullable(),
    orgIds: p.array().columnType('uuid[]').strictNullable(),
    type: p.integer(),
    level: p.string().$type<'high' | 'medium' | 'low'>().length(8),
    objectId: p.string().length(128).strictNullable(),
    objectName: p.string().length(256).strictNullable(),
    expiresAt: instant(3).strictNullable(),
    values: p.json<Record<string, string | number>>(),
    createdAt: instant(3),
    /** When what it tells of ended. */
    endedAt: instant(3).strictNullable(),
  },
});
export class Message extends MessageSchema.class {}
MessageSchema.setClass(Message);

/** A user's read mark: messages without one are unread. */
const MessageReadSchema = defineEntity({
  name: 'MessageRead',
  tableName: 'message_read',
  indexes: [
    {
      name: 'message_read_once',
      expression: 'create unique index message_read_once on message_read (user_id, message_id)',
    },
    { name: 'message_read_message', expression: 'create index message_read_message on message_read (message_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    userId: p.uuid(),
    messageId: p.uuid(),
  },
});
export class MessageRead extends MessageReadSchema.class {}
MessageReadSchema.setClass(MessageRead);
