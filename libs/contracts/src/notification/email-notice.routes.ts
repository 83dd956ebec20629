import { z } from 'zod';
import { choice, filters, flag, moment, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { alarmLevels, sendTypes } from './message.schemas.ts';

const kind = z.number().int().min(-99).max(999);
const fields = {
  title: z.string(),
  emails: z.array(z.string()),
  /** The recipients: users of these roles, and these users. */
  roleIds: z.array(id),
  userIds: z.array(id),
  sendType: z.enum(sendTypes),
  /** Time of day of a timed notice. */
  time: z.string().nullable(),
  zone: z.string().nullable(),
  /** Empty: all. */
  kinds: z.array(kind),
  /** This level and higher ones. */
  level: z.enum(alarmLevels),
  enabled: z.boolean(),
};

export const emailNoticeRecord = z
  .object({
    id,
    ...fields,
    organization: z.object({ id, name: z.string() }).nullable(),
    /** When it last sent a mail. */
    sentAt: z.string().nullable(),
    updatedAt: z.string(),
  })
  .meta({ id: 'EmailNotice' });

const given = {
  title: z.string().trim().min(1).max(64),
  emails: z.array(z.email().max(254)).max(20),
  roleIds: z.array(id).max(50),
  userIds: z.array(id).max(50),
  sendType: z.enum(sendTypes),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'emailNotice.timeMissing')
    .nullable(),
  zone: z.string().max(64).nullable(),
  kinds: z.array(kind).max(20),
  level: z.enum(alarmLevels),
  enabled: z.boolean(),
};
const whole = <S extends z.ZodObject>(body: S): S =>
  body
    .refine(
      (b) => {
        const { emails, roleIds, userIds } = b as unknown as Record<'emails' | 'roleIds' | 'userIds', string[]>;
        return emails.length + roleIds.length + userIds.length > 0;
      },
      { message: 'emailNotice.nobody', path: ['emails'] },
    )
    .refine(
      (b) => {
        const { sendType, time, zone } = b as unknown as Record<'sendType' | 'time' | 'zone', string | null>;
        return sendType === 'immediate' || (time !== null && zone !== null);
      },
      { message: 'emailNotice.timeMissing', path: ['time'] },
    );
const errors = ['emailNotice.nobody', 'emailNotice.timeMissing', 'emailNotice.zoneUnknown'] as const;

export const listEmailNotices = route({
  method: 'GET',
  path: '/api/f/notification/emailNotice/list',
  summary: 'Email notices, a page at a time',
  permission: 'emailNotice',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      title: text(64),
      sendType: choice(z.enum(sendTypes)),
      level: choice(z.enum(alarmLevels)),
      enabled: flag,
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['title', 'sendType', 'level', 'sentAt', 'updatedAt']),
  }),
  response: listOf(emailNoticeRecord),
  errors: [],
});

export const getEmailNotice = route({
  method: 'GET',
  path: '/api/f/notification/emailNotice/{id}',
  summary: 'One email notice',
  permission: 'emailNotice',
  audit: 'none',
  params: z.object({ id }),
  response: emailNoticeRecord,
  errors: [],
});

/** Adds a notice for one organization, or without one for all that the caller sees. */
export const addEmailNotice = route({
  method: 'POST',
  path: '/api/f/notification/emailNotice',
  summary: 'Add an email notice',
  permission: 'addEmailNotice',
  audit: 'emailNotice.add',
  status: 201,
  body: whole(z.strictObject({ ...given, orgId: id.optional() })),
  response: emailNoticeRecord,
  errors: [...errors, 'emailNotice.tooMany'],
});

export const editEmailNotice = route({
  method: 'PUT',
  path: '/api/f/notification/emailNotice',
  summary: 'Edit an email notice',
  permission: 'editEmailNotice',
  audit: 'emailNotice.edit',
  body: whole(z.strictObject({ id, ...given })),
  response: emailNoticeRecord,
  errors,
});

export const deleteEmailNotice = route({
  method: 'DELETE',
  path: '/api/f/notification/emailNotice',
  summary: 'Delete an email notice',
  permission: 'deleteEmailNotice',
  audit: 'emailNotice.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: [],
});

export const restoreEmailNotices = route({
  method: 'POST',
  path: '/api/f/notification/emailNotice/restore',
  summary: 'Take back a deletion of email notices',
  permission: 'deleteEmailNotice',
  audit: 'emailNotice.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'emailNotice.tooMany'],
});
