import { z } from 'zod';
import { alarmCauses, alarmLevels } from './message.schemas.ts';

/** `sent`: the mail server took it. */
export const mailStatuses = ['waiting', 'sent', 'failed'] as const;

const link = z.url().max(1024);
const name = z.string().max(128);
const days = z.number().int();

/**
 * What a mail can say: each template with what it needs. Texts in four languages stand with who renders them
 * (notification).
 */
export const mailTemplates = {
  /** Spec, section 4: activation link, valid 3 days. */
  activation: z.object({ name, link, days, company: z.string().max(128) }),
  passwordReset: z.object({ name, link, days }),
  /** To the new address. */
  emailChange: z.object({ name, link, days }),
  /** To the old address once the new one counts: who did not do it hears of it. */
  emailChanged: z.object({ name, email: z.string().max(254) }),
  passwordChanged: z.object({ name }),
  /** Whether a mail server takes mails. */
  test: z.object({ name, host: z.string().max(260) }),
  /** A code for one thing: the second step of a login, or opening and closing it for the company. */
  code: z.object({
    name,
    code: z.string().max(16),
    minutes: z.number().int(),
    purpose: z.enum(['login', 'open', 'close']),
  }),
  /** What an email notice tells: alarms, each line of equal ones once. */
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
    /** How many it does not name. */
    more: z.number().int(),
  }),
} as const;
export type MailTemplate = keyof typeof mailTemplates;
export type MailData<K extends MailTemplate = MailTemplate> = z.output<(typeof mailTemplates)[K]>;
