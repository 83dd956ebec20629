import { createHmac } from 'node:crypto';
import { mailRequest, mailTemplates, type Language, type MailData, type MailTemplate } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { context } from '@carillon/tenancy';
import { seal, unseal } from './seal.ts';

export interface MailOrder<K extends MailTemplate> {
  template: K;
  /** One address, already checked. */
  to: string;
  language: Language;
  data: MailData<K>;
  /** Whose mail it is; the running context's company when absent. A public call names it. */
  companyId?: string;
  /** Whom it is to: what became of it is shown to them and to those who see all of these organizations. */
  about: { userId: string; orgIds: readonly string[] } | null;
  /** How long what it says stays true, seconds; a day when absent. */
  validSeconds?: number;
}

export interface MailBody {
  to: string;
  data: Record<string, unknown>;
}

const purpose = (template: MailTemplate): string => `mail ${template}`;

/**
 * Asks for a mail with the running transaction: what is rolled back is never sent. Notification sends it, tries again,
 * and tells when it could not. `mailKey` is the installation's (the setting of that name), the same for all services.
 */
export async function requestMail<K extends MailTemplate>(
  mailKey: Buffer,
  { template, to, language, data, companyId, about, validSeconds = 86_400 }: MailOrder<K>,
): Promise<void> {
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
    { companyId: companyId ?? context().companyId },
  );
}

/** What the mail server's password is sealed for, from who keeps it to who sends mails. */
export const mailServerPurpose = 'mail server';

/** For notification alone, which sends it. */
export function openMail(mailKey: Buffer, template: MailTemplate, sealed: string): MailBody | undefined {
  return unseal<MailBody>(mailKey, purpose(template), sealed);
}
