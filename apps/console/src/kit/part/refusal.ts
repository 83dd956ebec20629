import { t } from '../text/translate.ts';
import { isCallError, placeError } from '../session/call.ts';

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
  if (!isCallError(e)) return { text: t('common.unreachable') };
  placeError(e);
  return { text: e.fields[0]?.msg ?? (e.message || t('common.unknownError')), requestId: e.requestId };
}

/** What the server found in the fields of a form, by their names: it stands at the fields. */
export function faultsOf<F extends string>(e: unknown, fields: readonly F[]): Partial<Record<F, string>> {
  if (!isCallError(e)) return {};
  const found = e.fields.flatMap(({ path, msg }) => {
    const field = path.split('.').find((part) => (fields as readonly string[]).includes(part));
    return field === undefined ? [] : [[field, msg] as const];
  });
  if (found.length > 0) placeError(e);
  return Object.fromEntries(found) as Partial<Record<F, string>>;
}
