import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { languages } from '../define/language.ts';
import { mailTemplates, type MailTemplate } from './mail.schemas.ts';

/**
 * A mail that somebody is to get. Address, links and codes are sealed with a key of the installation, so that neither
 * the outbox nor the bus holds a secret in clear. The key is a keyed hash of the recipient.
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
      /** Not sent after this instant (epoch ms): what it says would no longer be true. */
      expiresAt: z.number(),
      /** `{ to, data }` by AES-256-GCM. */
      sealed: z.base64url(),
      /** Whom it is to, with the organizations of that user; absent when it is about no user. */
      about: z.object({ userId: z.string(), orgIds: z.array(z.string()) }).optional(),
    }),
  },
});

/**
 * A mail to users of a company, whom auth knows by their addresses: those of the roles and those who are named, as far
 * as they may log in and see the organization, or all where there is none.
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
