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
  /** Named in the console, and reached only where that may lead; the process's own settings are its operator's word. */
  stored: boolean;
}

/** What the operator has stored; undefined: nothing, or a tombstone. Inside a transaction. */
export async function storedServer(): Promise<StoredMailServer | undefined> {
  return (await currentEntities().findAll(MailServer, { limit: 1 }))[0]?.server;
}

/** What the password of a company's mail server is sealed for. */
export const passwordPurpose = (companyId: string): string => `${mailServerPurpose} of ${companyId}`;

/**
 * Where a mail of the session's company goes: by the company's own server where it has one that is enabled, and else by
 * the installation's. One that fails is no reason to take the other: a company's mails stay with it (NOTE-03).
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

/** It may be signed by what the operator trusts. */
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
 * The one answer to where mails of the installation go: the system configuration, else the settings of the process;
 * undefined: nowhere yet.
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
