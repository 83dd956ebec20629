import { defineEntity, p } from '@mikro-orm/postgresql';
import { organizationPolicy, tenant, tenantProperties } from '@carillon/persistence';

/** What belongs to no organization is told to the whole company. */
export const companyWidePolicy = `("org_id" is null or ${organizationPolicy})`;

/** Something that people have to know (spec, section 3: Notice, Message, Alarm). Its words are made when it is read. */
const MessageSchema = defineEntity({
  name: 'Message', tableName: 'message', ...tenant(),
  policies: [{ name: 'organization', type: 'restrictive', using: companyWidePolicy, check: companyWidePolicy }],
  properties: {
    ...tenantProperties,
    orgId: p.uuid().nullable(),
    type: p.integer(),
    level: p.string().length(8),
    objectId: p.string().length(128).nullable(),
    objectName: p.string().length(256).nullable(),
    expiresAt: p.datetime(3).nullable(),
    values: p.json<Record<string, string | number>>(),
    createdAt: p.datetime(3),
  },
});
export class Message extends MessageSchema.class {}
MessageSchema.setClass(Message);

/** That a user has read a message: unread is what has no such row. */
const MessageReadSchema = defineEntity({ name: 'MessageRead', tableName: 'message_read', ...tenant(), properties: { ...tenantProperties, userId: p.uuid(), messageId: p.uuid() } });
export class MessageRead extends MessageReadSchema.class {}
MessageReadSchema.setClass(MessageRead);
