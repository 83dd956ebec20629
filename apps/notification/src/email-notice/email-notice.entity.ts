import { defineEntity, p } from '@mikro-orm/postgresql';
import { alarmLevels, languages, sendTypes } from '@carillon/contracts';
import { changedInstant, instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * An email notice: who receives mails about alarms (NOTE-03). Without an organization it covers all, and is visible to
 * users who see all.
 */
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
    /** Language of mails to plain addresses: that of the notice's author. */
    language: p.enum(languages),
    /** Earlier alarms are not mailed. */
    since: instant(3),
    sentAt: instant(3).strictNullable(),
    nextAt: instant(3).strictNullable(),
    updatedAt: changedInstant(3),
  },
});
export class EmailNotice extends EmailNoticeSchema.class {}
EmailNoticeSchema.setClass(EmailNotice);

/** Alarms that a notice has mailed, and when, so that an ongoing storm causes no second mail. */
const EmailNoticeToldSchema = defineEntity({
  name: 'EmailNoticeTold',
  tableName: 'email_notice_told',
  ...tenant(),
  properties: {
    noticeId: p.uuid().primary(),
    /** An alarm group or a message. */
    itemId: p.uuid().primary(),
    companyId: p.uuid(),
    at: instant(3),
  },
});
export class EmailNoticeTold extends EmailNoticeToldSchema.class {}
EmailNoticeToldSchema.setClass(EmailNoticeTold);
