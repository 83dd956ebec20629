import { rootCertificates } from 'node:tls';
import { currentEntities } from '@carillon/persistence';
import { mailServerPurpose, unseal } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { MailServer, type StoredMailServer } from './mail-server.entity.ts';

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

/**
 * The one answer to where mails go: the system configuration, else the settings of the process; undefined: nowhere yet.
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
