import type { RetryClass } from '@carillon/contracts';
import type { ActionDefinition } from './define.ts';

/**
 * What devices answer, and the platform finds, that another try may mend (docs/device-link.md). Whatever stands nowhere
 * here is final: a refusal, a wrong checksum, signature or version, a setting that it does not know.
 */
export const retryCodes: Readonly<Record<RetryClass, readonly string[]>> = {
  busy: ['busy'],
  interrupted: ['download', 'unknown'],
  timeout: ['noAnswer', 'notDone', 'notBack'],
};

/** The class of a reason, or null of one that is final. */
export const retryClassOf = (code: string | null): RetryClass | null =>
  (Object.keys(retryCodes) as RetryClass[]).find((kind) => code !== null && retryCodes[kind].includes(code)) ?? null;

/** What happens at its moment or not at all is never told again, nor what loses something each time. */
export const mayRetry = ({
  isMomentary,
  isDestructive,
}: Pick<ActionDefinition, 'isMomentary' | 'isDestructive'>): boolean => !isMomentary && !isDestructive;
