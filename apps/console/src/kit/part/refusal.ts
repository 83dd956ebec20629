import { t } from '../text/translate.ts';
import { isCallError, placeError } from '../api/call.ts';

/** Why an action failed, in the user's language, with the request's id if the server sent one. */
export interface Refusal {
  text: string;
  requestId?: string | undefined;
}

/**
 * Returns the message beside a form or a button after a failed call. The message of the first faulty field, if any,
 * replaces the less specific general one.
 */
export function refusalOf(e: unknown): Refusal {
  if (!isCallError(e)) return { text: t('common.unreachable') };
  placeError(e);
  return { text: e.fields[0]?.msg ?? (e.message || t('common.unknownError')), requestId: e.requestId };
}

/** Returns the server's messages for the fields of a form, by field name. A name may contain dots: `time.server`. */
export function faultsOf<F extends string>(e: unknown, fields: readonly F[]): Partial<Record<F, string>> {
  if (!isCallError(e)) return {};
  const found = e.fields.flatMap(({ path, msg }) => {
    const field =
      fields.find((name) => name.includes('.') && path.endsWith(`.${name}`)) ??
      path.split('.').find((part) => (fields as readonly string[]).includes(part));
    return field === undefined ? [] : [[field, msg] as const];
  });
  if (found.length > 0) placeError(e);
  return Object.fromEntries(found) as Partial<Record<F, string>>;
}
