import type { Text } from './language.ts';

/**
 * HTTP status and the body's `code` of a failure. 401 only means that the token is invalid, because the described client
 * logs out on it (section 8); 422 is never sent.
 */
export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 410
  | 413
  | 414
  | 415
  | 417
  | 423
  | 429
  | 431
  | 500
  | 502
  | 503
  | 504;

/**
 * Texts may hold `{name}` placeholders; all four languages must use the same ones (checked by a test). Words that
 * depend on a count are written `{count|it|them}`: singular, then plural.
 */
export interface ErrorEntry extends Text {
  status: ErrorStatus;
  /** Cause and cure, for `docs/errors`. */
  help?: readonly [cause: string, cure: string];
}

/** Declares the errors of one area; the key of each is `area.name`. */
// @__NO_SIDE_EFFECTS__
export function defineErrors<const Area extends string, const E extends Record<string, ErrorEntry>>(
  area: Area,
  entries: E,
): { [K in keyof E & string as `${Area}.${K}`]: E[K] } {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [`${area}.${name}`, entry])) as never;
}

type All<Parts> = Parts extends readonly [infer First, ...infer Rest] ? First & All<Rest> : unknown;

/** Merges the errors of several areas into one catalogue. */
// @__NO_SIDE_EFFECTS__
export function joinErrors<const Parts extends readonly object[]>(...parts: Parts): All<Parts> {
  return Object.assign({}, ...parts) as All<Parts>;
}
