import { rootCertificates } from 'node:tls';
import type { MailTemplate } from '@carillon/contracts';
import { currentEntities } from '@carillon/persistence';
import { mailServerPurpose, unseal } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { CompanyMailServer } from '../mail-server/company-mail-server.entity.ts';
import { MailServer, type StoredMailServer } from './mail-server.entity.ts';
import { ofTheInstallation } from './mail.queries.ts';

export interface MailSettings {
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
  user: string | undefined;
  password: string | undefined;
  from: string;
  ca: string | string[] | undefined;
  /** Set in the console, so only allowed targets are reached; the process's own settings come from its operator. */
  stored: boolean;
}

/** Returns the operator's stored server; undefined without one or after a tombstone. Requires a transaction. */
export async function storedServer(): Promise<StoredMailServer | undefined> {
  return (await currentEntities().findAll(MailServer, { limit: 1 }))[0]?.server;
}

/** Returns the purpose for which the password of a company's mail server is sealed. */
export const passwordPurpose = (companyId: string): string => `${mailServerPurpose} of ${companyId}`;

/**
 * Returns the server for a mail of the session's company: the company's own if it is enabled, otherwise the
 * installation's. A failing own server is not replaced: the company's mails stay with it (NOTE-03).
 */
export async function settingsFor(
  config: NotificationConfig,
  template: MailTemplate,
): Promise<MailSettings | undefined> {
  const installation = mailSettings(config, await storedServer());
  if (ofTheInstallation.includes(template)) return installation;
  const [own] = await currentEntities().findAll(CompanyMailServer, { where: { enabled: true }, limit: 1 });
  return own ? companySettings(config, own, installation) : installation;
}

/** Returns a company's settings. Its certificate may be signed by authorities that the operator trusts. */
export const companySettings = (
  config: NotificationConfig,
  { companyId, host, port, security, userName, sender, sealed }: CompanyMailServer,
  installation: MailSettings | undefined,
): MailSettings => ({
  host,
  port,
  security,
  user: userName ?? undefined,
  password: (sealed && unseal<string>(config.mailKey, passwordPurpose(companyId), sealed)) || undefined,
  from: sender,
  ca: installation?.ca,
  stored: true,
});

/**
 * Returns the installation's mail server: the system configuration, otherwise the settings of the process; undefined
 * when neither exists.
 */
export function mailSettings(
  config: NotificationConfig,
  stored: StoredMailServer | undefined,
): MailSettings | undefined {
  if (stored) {
    return {
      ...stored,
      stored: true,
      user: stored.user ?? undefined,
      password: (stored.sealed && unseal<string>(config.mailKey, mailServerPurpose, stored.sealed)) || undefined,
      ca: stored.authorities.length > 0 ? [...rootCertificates, ...stored.authorities] : undefined,
    };
  }
  if (!config.smtpHost) return undefined;
  return {
    host: config.smtpHost,
    port: config.smtpPort,
    security: config.smtpSecurity,
    user: config.smtpUser,
    password: config.smtpPassword,
    from: config.smtpFrom,
    ca: config.smtpCa,
    stored: false,
  };
}
