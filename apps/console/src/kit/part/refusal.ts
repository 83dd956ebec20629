import i18next from 'i18next';
import { isCallError } from '../session/call.ts';

/** Why something was not done, in the user's words, with the request's id where a server said it. */
export interface Refusal {
  text: string;
  requestId?: string | undefined;
}

/**
 * What stands beside a form or a button when its call failed. What was found in the one thing that was sent says more
 * than the sentence over it.
 */
export function refusalOf(e: unknown): Refusal {
  return isCallError(e)
    ? { text: e.fields[0]?.msg ?? (e.message || i18next.t('common.unknownError')), requestId: e.requestId }
    : { text: i18next.t('common.unreachable') };
}
