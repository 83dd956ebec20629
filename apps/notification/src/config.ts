import { z } from 'zod';
import { smtpPort } from '@carillon/contracts/constants';
import { defineConfig, outboundConfig, secretKey, secretText, whole } from '@carillon/service';

export const notificationConfig = defineConfig({
  mailKey: secretKey().describe(
    'Key that seals what mails say on their way here: 32 random bytes or more in base64url, the same for every service that asks for mails. The operation log is sealed with a key made of it.',
  ),
  errorLogPerMinute: whole(200, 1).describe('Entries of local error logs that one user hands in within a minute.'),
  errorLogKept: whole(10_000, 1).describe('Entries of local error logs kept for a company; the oldest go first.'),
  smtpHost: z
    .string()
    .max(255)
    .optional()
    .describe('Mail server. Mails wait, and the operation log says so, while there is none.'),
  smtpPort: whole(smtpPort, 1, 65_535).describe('Its port.'),
  smtpSecurity: z
    .enum(['tls', 'starttls', 'none'])
    .default('tls')
    .describe('TLS from the first byte, STARTTLS that must succeed, or none (for a server on this machine only).'),
  smtpUser: z.string().max(255).optional().describe('Name to log in with; no login when absent.'),
  smtpPassword: secretText().max(255).optional().describe('Its password.'),
  smtpFrom: z.string().max(320).default('Carillon <carillon@localhost>').describe('Sender, as `Name <address>`.'),
  smtpCa: z
    .string()
    .optional()
    .describe("Certificate in PEM that the server's is signed by, when no public authority did."),
  mailRetryMs: whole(10_000, 1).describe('Pause after the first failed try; it triples up to an hour.'),
  mailDeadlineMs: whole(30_000, 1).describe('How long a mail server may take for one mail, all in all.'),
  ...outboundConfig.shape,
  alarmOfflineGraceMs: whole(60_000, 1).describe('How long a device may be offline before that is an alarm.'),
  alarmGatewayGraceMs: whole(300_000, 1).describe(
    'The same after the MQTT gateway that it was connected to stopped, began anew or was lost.',
  ),
  alarmEventWaitMs: whole(3_000, 1).describe(
    'How long a reboot or a reset waits for the news that a task has ordered it, which makes it no alarm.',
  ),
  alarmContinueMs: whole(600_000, 1).describe(
    'What comes back within this time is the same alarm still, which happened once more.',
  ),
  alarmTickMs: whole(1_000, 10).describe('How often alarms are looked for whose time has come.'),
  emailNoticeGatherMs: whole(10_000, 1).describe('How long an email notice waits for more of the same.'),
  emailNoticePauseMs: whole(300_000, 1).describe('The least time between two mails of one email notice.'),
  webhookTimeoutMs: whole(10_000, 1).describe(
    'How long the receiver of a webhook may take for its answer, all in all.',
  ),
  webhookTickMs: whole(2_000, 10).describe('How often deliveries of webhooks are looked for whose pause has passed.'),
  mailTickMs: whole(2_000, 10).describe('How often mails are looked for whose pause has passed.'),
});
export type NotificationConfig = z.output<typeof notificationConfig>;
