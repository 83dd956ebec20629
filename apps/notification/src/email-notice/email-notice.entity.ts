import { defineEntity, p } from '@mikro-orm/postgresql';
import { alarmLevels, languages, sendTypes } from '@carillon/contracts';
import { changedInstant, instant, tenant, tenantProperties } from '@carillon/persistence';

/** Who is told of alarms by mail (NOTE-03). Without an organization it tells of all, and is seen by who sees all. */
const EmailNoticeSchema = defineEntity({
  name: 'EmailNotice',
  tableName: 'email_notice',
  indexes: [
    {
      name: 'email_notice_due',
      expression: 'create index email_notice_due on email_notice (next_at) where (next_at is not null)',
    },
  ],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid().strictNullable(),
    title: p.string().length(64),
    emails: p.array().columnType('text[]'),
    roleIds: p.array().columnType('uuid[]'),
    userIds: p.array().columnType('uuid[]'),
    sendType: p.enum(sendTypes),
    time: p.string().length(5).strictNullable(),
    zone: p.string().length(64).strictNullable(),
    kinds: p.array().columnType('int[]').$type<number[]>(),
    level: p.enum(alarmLevels),
    enabled: p.boolean(),
    /** Of mails to addresses: that of whoever wrote the notice. */
    language: p.enum(languages),
    /** What happened before is not told. */
    since: instant(3),
    sentAt: instant(3).strictNullable(),
    nextAt: instant(3).strictNullable(),
    updatedAt: changedInstant(3),
  },
});
export class EmailNotice extends EmailNoticeSchema.class {}
EmailNoticeSchema.setClass(EmailNotice);

/** What a notice has told, and when: a storm that goes on is no second mail. */
const EmailNoticeToldSchema = defineEntity({
  name: 'EmailNoticeTold',
  tableName: 'email_notice_told',
  ...tenant(),
  properties: {
    noticeId: p.uuid().primary(),
    /** A line of alarms, or a message. */
    itemId: p.uuid().primary(),
    companyId: p.uuid(),
    at: instant(3),
  },
});
export class EmailNoticeTold extends EmailNoticeToldSchema.class {}
EmailNoticeToldSchema.setClass(EmailNoticeTold);
