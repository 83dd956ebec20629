import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';
import { mailStatuses, mailTemplates, type MailTemplate } from './mail.schemas.ts';

/** Returns whether mails can be sent, so that the console promises no link without a mail server. */
export const getMailReady = route({
  method: 'GET',
  path: '/api/f/notification/mail/ready',
  summary: 'Whether the installation has a mail server',
  permission: 'public',
  audit: 'none',
  passive: true,
  response: z.object({ ready: z.boolean() }),
  errors: [],
});

const mailCheckStates = ['untested', 'passed', 'failed'] as const;
export type MailCheckState = (typeof mailCheckStates)[number];

/** Returns how the last test of the installation's mail server ended; null without a server. */
export const getMailCheck = route({
  method: 'GET',
  path: '/api/f/notification/mail/check',
  summary: 'How the last test of the mail server ended',
  permission: 'editConfig',
  audit: 'none',
  response: z.object({ state: z.enum(mailCheckStates).nullable() }),
  errors: [],
});

/**
 * Whether one mail was sent, for the user who waits for it before a login. Its random id is known only to the browser
 * that caused the mail. Null: no mail has this id, or not yet. `retrying`: the mail server did not accept it yet.
 */
export const getMailStatus = route({
  method: 'GET',
  path: '/api/f/notification/mail/status/{id}',
  summary: 'Whether a mail was sent',
  permission: 'public',
  audit: 'none',
  passive: true,
  params: z.object({ id }),
  response: z.object({ status: z.enum(mailStatuses), retrying: z.boolean() }).nullable(),
  errors: [],
});

/**
 * The last mail to a user: `sent` when the mail server accepted it. `error` is the error key of the last attempt, and
 * `reason` the response of the mail server. Null: no mail in the last 30 days.
 */
const mailState = z
  .object({
    id,
    template: z.enum(Object.keys(mailTemplates) as [MailTemplate, ...MailTemplate[]]),
    status: z.enum(mailStatuses),
    error: z.string().nullable(),
    reason: z.string().nullable(),
    createdAt: z.string(),
    endedAt: z.string().nullable(),
    /** Time of the next attempt of a waiting mail. */
    nextAt: z.string(),
  })
  .meta({ id: 'MailState' })
  .nullable();

export const getUserMail = route({
  method: 'GET',
  path: '/api/f/notification/mail/user/{id}',
  summary: 'What became of the last mail to a user',
  permission: 'user',
  audit: 'none',
  passive: true,
  params: z.object({ id }),
  response: mailState,
  errors: [],
});

export const getOwnMail = route({
  method: 'GET',
  path: '/api/f/notification/mail/own',
  summary: 'What became of the last mail to oneself',
  permission: 'session',
  audit: 'none',
  passive: true,
  response: mailState,
  errors: [],
});

export const getCompanyMail = route({
  method: 'GET',
  path: '/api/f/notification/mail/company/{id}/{userId}',
  summary: 'What became of the last mail to a user of a company',
  permission: 'company',
  audit: 'none',
  passive: true,
  ownTransaction: true,
  params: z.object({ id, userId: id }),
  response: mailState,
  errors: [],
});
