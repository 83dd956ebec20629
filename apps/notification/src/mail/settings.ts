import type { NotificationConfig } from '../config.ts';

export interface MailSettings {
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
  user: string | undefined;
  password: string | undefined;
  from: string;
  ca: string | undefined;
}

/** The one answer to where mails go; undefined: nowhere yet. */
export function mailSettings(config: NotificationConfig): MailSettings | undefined {
  if (!config.smtpHost) return undefined;
  return { host: config.smtpHost, port: config.smtpPort, security: config.smtpSecurity, user: config.smtpUser, password: config.smtpPassword, from: config.smtpFrom, ca: config.smtpCa };
}
