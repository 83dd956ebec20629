import type { RetryClass } from '@carillon/contracts';
import type { ActionDefinition } from './define.ts';

/**
 * Codes of devices and of the platform that a retry may fix (docs/device-link.md). All other codes are final: a
 * refusal, a wrong checksum, signature or version, an unknown setting.
 */
export const retryCodes: Readonly<Record<RetryClass, readonly string[]>> = {
  busy: ['busy'],
  interrupted: ['download', 'unknown'],
  timeout: ['noAnswer', 'notDone', 'notBack', 'phoneUnreached'],
};

/** Returns the class of a reason, or null when it is final. */
export const retryClassOf = (code: string | null): RetryClass | null =>
  (Object.keys(retryCodes) as RetryClass[]).find((kind) => code !== null && retryCodes[kind].includes(code)) ?? null;

/** Returns whether an action may be retried: not a momentary one, and not one that destroys data each time. */
export const mayRetry = ({
  isMomentary,
  isDestructive,
}: Pick<ActionDefinition, 'isMomentary' | 'isDestructive'>): boolean => !isMomentary && !isDestructive;
