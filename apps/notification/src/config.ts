import { z } from 'zod';
import { smtpPort } from '@carillon/contracts/constants';
import { defineConfig, outboundConfig, secretKey, secretText, whole } from '@carillon/service';

export const notificationConfig = defineConfig({
  mailKey: secretKey().describe(
    'Key that encrypts the contents of mails until they are sent: 32 random bytes or more in base64url, the same for every service that sends mails. The operation log is protected by a key derived from it.',
  ),
  errorLogPerMinute: whole(200, 1).describe('Most entries of local error logs that one user sends in a minute.'),
  errorLogKept: whole(10_000, 1).describe(
    'Most entries of local error logs kept for a company. The oldest are removed first.',
  ),
  smtpHost: z
    .string()
    .max(255)
    .optional()
    .describe('Mail server. Without one, mails wait, and the operation log says so.'),
  smtpPort: whole(smtpPort, 1, 65_535).describe('Its port.'),
  smtpSecurity: z
    .enum(['tls', 'starttls', 'none'])
    .default('tls')
    .describe('TLS from the first byte, STARTTLS that must succeed, or none (for a server on this machine only).'),
  smtpUser: z.string().max(255).optional().describe('User name at the mail server. Without it there is no login.'),
  smtpPassword: secretText().max(255).optional().describe('Its password.'),
  smtpFrom: z.string().max(320).default('Carillon <carillon@localhost>').describe('Sender, as `Name <address>`.'),
  smtpCa: z
    .string()
    .optional()
    .describe("Certificate of the authority that signed the server's certificate, PEM, if it is not a public one."),
  mailRetryMs: whole(10_000, 1).describe('Pause after the first failed attempt. It triples each time, up to an hour.'),
  mailDeadlineMs: whole(30_000, 1).describe('Longest time that a mail server may take for one mail in total.'),
  ...outboundConfig.shape,
  alarmOfflineGraceMs: whole(60_000, 1).describe('How long a device may be offline before an alarm is raised.'),
  alarmGatewayGraceMs: whole(300_000, 1).describe('The same after its MQTT gateway was stopped, restarted or lost.'),
  alarmEventWaitMs: whole(3_000, 1).describe(
    'How long a reboot or a reset waits for the information that a task ordered it. Then it is no alarm.',
  ),
  alarmDriftGraceMs: whole(5_000, 1).describe(
    'How long a device may report another configuration than it is to have: the new one may just be on its way.',
  ),
  alarmContinueMs: whole(600_000, 1).describe('A condition that returns within this time continues the same alarm.'),
  alarmTickMs: whole(1_000, 10).describe('How often due alarms are raised.'),
  emailNoticeGatherMs: whole(10_000, 1).describe('How long an email notice waits for more events of the same kind.'),
  emailNoticePauseMs: whole(300_000, 1).describe('Shortest time between two mails of one email notice.'),
  emailNoticePostponeMs: whole(300_000, 1).describe(
    'Pause of an email notice after its addresses or its company have had too many mails.',
  ),
  webhookTimeoutMs: whole(10_000, 1).describe(
    'Longest time that the receiver of a webhook may take for its response in total.',
  ),
  webhookTickMs: whole(2_000, 10).describe('How often webhook deliveries whose pause has passed are retried.'),
  mailTickMs: whole(2_000, 10).describe('How often mails whose pause has passed are retried.'),
});
export type NotificationConfig = z.output<typeof notificationConfig>;
