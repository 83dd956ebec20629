import { createHmac } from 'node:crypto';
import { mailRequest, mailTemplates, type Language, type MailData, type MailTemplate } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { seal, unseal } from './seal.ts';

export interface MailOrder<K extends MailTemplate> {
  template: K;
  /** One address, already checked. */
  to: string;
  language: Language;
  data: MailData<K>;
  /** The mail's company; by default the running context's. A public call must set it. */
  companyId?: string;
  /** The recipient: the delivery state is visible to them and to users who see all of these organizations. */
  about: { userId: string; orgIds: readonly string[] } | null;
  /** How long the content stays valid, seconds; a day when absent. */
  validSeconds?: number;
}

export interface MailBody {
  to: string;
  data: Record<string, unknown>;
}

const purpose = (template: MailTemplate): string => `mail ${template}`;

/**
 * Requests a mail in the running transaction: a rollback cancels it. Notification sends it, retries, and reports a
 * failure. `mailKey` is the installation's (the setting of that name), the same for all services. Returns the mail's id,
 * by which `getMailStatus` answers.
 */
export async function requestMail<K extends MailTemplate>(
  mailKey: Buffer,
  { template, to, language, data, companyId, about, validSeconds = 86_400 }: MailOrder<K>,
): Promise<string> {
  const id = uuidv7();
  const body: MailBody = { to, data: mailTemplates[template].parse(data) as Record<string, unknown> };
  const key = createHmac('sha256', mailKey).update(to.toLowerCase()).digest('base64url').slice(0, 22);
  await emit(
    mailRequest,
    'request',
    key,
    {
      template,
      language,
      expiresAt: Date.now() + validSeconds * 1000,
      sealed: seal(mailKey, purpose(template), body),
      ...(about ? { about: { userId: about.userId, orgIds: [...about.orgIds] } } : {}),
    },
    { id, companyId: companyId ?? context().companyId },
  );
  return id;
}

/**
 * Purpose of the seal of the mail server's password, between the service that keeps it and the one that sends mails.
 */
export const mailServerPurpose = 'mail server';

/** Opens a mail; for notification only, which sends it. */
export function openMail(mailKey: Buffer, template: MailTemplate, sealed: string): MailBody | undefined {
  return unseal<MailBody>(mailKey, purpose(template), sealed);
}
