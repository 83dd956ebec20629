import { createHmac, randomBytes } from 'node:crypto';

/** Prefix of a Standard Webhooks secret. */
const prefix = 'whsec_';

export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

/** Returns the Standard Webhooks signatures (`v1`) by each valid secret, so that a receiver may use any of them. */
export const signatures = (
  secrets: readonly string[],
  message: { id: string; seconds: number; body: string },
): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${message.id}.${message.seconds}.${message.body}`).digest('base64')}`;
    })
    .join(' ');
