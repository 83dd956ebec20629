import { z } from 'zod';
import { alarmCauses, alarmLevels } from './message.schemas.ts';

/** `sent`: the mail server accepted it. */
export const mailStatuses = ['waiting', 'sent', 'failed'] as const;
export type MailStatus = (typeof mailStatuses)[number];

const link = z.url().max(1024);
const name = z.string().max(128);
const days = z.number().int();

/** Mail templates with their data. The notification service has the texts in four languages. */
export const mailTemplates = {
  /** Spec, section 4: activation link, valid 3 days. */
  activation: z.object({ name, link, days, company: z.string().max(128) }),
  passwordReset: z.object({ name, link, days }),
  /** Sent to the new address. */
  emailChange: z.object({ name, link, days }),
  /** Sent to the old address when the new one is confirmed, to warn the user if it was not them. */
  emailChanged: z.object({ name, email: z.string().max(254) }),
  passwordChanged: z.object({ name }),
  /** Tests whether a mail server accepts mails. */
  test: z.object({ name, host: z.string().max(260) }),
  /** A one-purpose code: for the second step of a login, or to switch it on or off for the company. */
  code: z.object({
    name,
    code: z.string().max(16),
    minutes: z.number().int(),
    purpose: z.enum(['login', 'open', 'close']),
  }),
  /** An email notice: alarms, one line per group of equal ones. */
  alarms: z.object({
    name,
    title: z.string().max(64),
    alarms: z
      .array(
        z.object({
          type: z.number().int(),
          level: z.enum(alarmLevels),
          devices: z.number().int(),
          object: z.string().max(256),
          cause: z.enum(alarmCauses),
          causeName: z.string().max(256).nullable(),
          values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
        }),
      )
      .max(20),
    /** Number of alarms that are not listed. */
    more: z.number().int(),
  }),
} as const;
export type MailTemplate = keyof typeof mailTemplates;
export type MailData<K extends MailTemplate = MailTemplate> = z.output<(typeof mailTemplates)[K]>;
