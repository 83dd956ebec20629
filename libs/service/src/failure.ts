import { errorStatus, type ErrorKey } from '@carillon/contracts/errors';

export interface FieldFailure {
  path: string;
  error: ErrorKey;
  values?: Record<string, unknown>;
}

/** An expected error of the catalogue. Its text is built when it is answered, in the user's language. */
export class Failure extends Error {
  readonly key: ErrorKey;
  readonly values: Record<string, unknown>;
  readonly fields: readonly FieldFailure[];
  /**
   * What the caller needs to continue: `data` of the response or, in the flat form, fields beside the error. Never a
   * secret that the caller may not have.
   */
  readonly data: Record<string, unknown> | undefined;

  constructor(
    key: ErrorKey,
    values: Record<string, unknown> = {},
    fields: readonly FieldFailure[] = [],
    data?: Record<string, unknown>,
  ) {
    super(key);
    this.name = 'Failure';
    this.key = key;
    this.values = values;
    this.fields = fields;
    this.data = data;
  }

  get status(): number {
    return errorStatus(this.key);
  }
}

export function fail(key: ErrorKey, values?: Record<string, unknown>): never {
  throw new Failure(key, values);
}

/** Throws a {@link Failure} for one field, shown above the form and at the field. */
export function failAt(path: string, error: ErrorKey, values: Record<string, unknown> = {}): never {
  throw new Failure(error, values, [{ path, error, values }]);
}

/** Returns the result of a write, or fails at the field when a unique constraint of the table is violated. */
export async function unlessTaken<T>(work: Promise<T>, constraint: string, path: string, error: ErrorKey): Promise<T> {
  try {
    return await work;
  } catch (e) {
    if ((e as { constraint?: string }).constraint === constraint) failAt(path, error);
    throw e;
  }
}

/** Returns the value, or fails when there is none. */
export function found<T>(value: T | null | undefined, key: ErrorKey = 'common.notFound'): T {
  if (value === null || value === undefined) throw new Failure(key);
  return value;
}
