import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { languages } from '../define/language.ts';
import { mailTemplates, type MailTemplate } from './mail.schemas.ts';

/**
 * A mail to send. Address, links and codes are sealed with a key of the installation, so that neither the outbox nor
 * the bus holds a secret in clear. The message key is a keyed hash of the recipient.
 */
export const mailRequest = topic({
  name: 'mail.request.v1',
  writers: ['auth', 'notification'],
  readers: ['notification'],
  key: 'recipient hash',
  partitions: 3,
  cleanup: 'delete',
  retentionMs: 3_600_000,
  events: {
    request: z.object({
      template: z.enum(Object.keys(mailTemplates) as [MailTemplate, ...MailTemplate[]]),
      language: z.enum(languages),
      /** The mail is not sent after this instant (Unix time in milliseconds), because its content would be outdated. */
      expiresAt: z.number(),
      /** `{ to, data }`, encrypted with AES-256-GCM. */
      sealed: z.base64url(),
      /** The recipient and their organizations; absent when the mail is not about a user. */
      about: z.object({ userId: z.string(), orgIds: z.array(z.string()) }).optional(),
    }),
  },
});

/**
 * A mail to users of a company, whose addresses auth knows: users of the roles and named users, if they may log in and
 * see the organization; without an organization, those who see all.
 */
export const mailGroup = topic({
  name: 'mail.group.v1',
  writers: ['notification'],
  readers: ['auth'],
  key: 'company id',
  partitions: 3,
  cleanup: 'delete',
  retentionMs: 3_600_000,
  events: {
    alarms: z.object({
      roleIds: z.array(z.string()),
      userIds: z.array(z.string()),
      orgId: z.string().nullable(),
      data: mailTemplates.alarms.omit({ name: true }),
    }),
  },
});
