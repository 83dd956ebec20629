import { defineEntity, p } from '@mikro-orm/postgresql';
import { languages, mailStatuses, type MailTemplate } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';
import { entryPolicy } from '../operation-log/operation-log.entity.ts';

/** A mail to send. Its id is the message's, so that a repeated message is no second mail. */
const MailSchema = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  indexes: [
    { name: 'mail_ended', expression: 'create index mail_ended on mail (ended_at)' },
    {
      name: 'mail_user',
      expression: 'create index mail_user on mail (user_id, created_at desc) where (user_id is not null)',
    },
    {
      name: 'mail_notice',
      expression:
        "create index mail_notice on mail (company_id, next_at) where (status = 'waiting' and template = 'alarms')",
    },
    {
      name: 'mail_account',
      expression: `create index mail_account on mail (next_at) where (status = 'waiting' and template <> 'alarms')`,
    },
    { name: 'mail_due', expression: `create index mail_due on mail (next_at) where (status = 'waiting'::text)` },
  ],
  ...tenant(),
  policies: [{ name: 'organization', type: 'restrictive', using: entryPolicy, check: entryPolicy }],
  properties: {
    ...tenantProperties,
    template: p.string().$type<MailTemplate>().length(32),
    language: p.enum(languages),
    /** Address, links and codes, still sealed; empty once it is sent or given up. */
    sealed: p.text(),
    status: p.enum(mailStatuses),
    tries: p.integer(),
    nextAt: instant(3),
    expiresAt: instant(3),
    createdAt: instant(3),
    endedAt: instant(3).strictNullable(),
    /** Error key of the last attempt. */
    error: p.string().length(64).strictNullable(),
    /** Response of the mail server to the last attempt. */
    reason: p.string().length(200).strictNullable(),
    /** The recipient and their organizations; null when the mail is not about a user. */
    userId: p.uuid().strictNullable(),
    orgIds: p.array().columnType('uuid[]').strictNullable(),
  },
});
export class Mail extends MailSchema.class {}
MailSchema.setClass(Mail);
