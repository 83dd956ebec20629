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
 * What belongs to no organization is told to the whole company. What several share is told whole to who sees them all,
 * and to who does not, for each that he sees, the part of it.
 */
export const messagePolicy = `(case when "org_ids" is null then "org_id" is null or ${organizationPolicy}
  when "org_id" is null then ${seesAllSql} or "org_ids" <@ ${ownOrganizationsSql}
  else not ${seesAllSql} and "org_id" = any (${ownOrganizationsSql}::uuid[]) and not "org_ids" <@ ${ownOrganizationsSql} end)`;
/** They are written by the system, also what it then does not read. */
const writtenBy = `(${seesAllSql})`;

/** Something that people have to know (spec, section 3: Notice, Message, Alarm). Its words are made when it is read. */
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
  },
});
export class Message extends MessageSchema.class {}
MessageSchema.setClass(Message);

/** That a user has read a message: unread is what has no such row. */
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
