import { errorStatus, type ErrorKey } from '@carillon/contracts/errors';

export interface FieldFailure {
  path: string;
  error: ErrorKey;
  values?: Record<string, unknown>;
}

/** An expected outcome of the catalogue. The text that a person reads is made where it is answered, in his language. */
export class Failure extends Error {
  readonly key: ErrorKey;
  readonly values: Record<string, unknown>;
  readonly fields: readonly FieldFailure[];
  /**
   * What the caller needs to go on, as `data` of the answer or, in the flat one, beside the error. Never a secret that
   * he may not have.
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

/** Throws {@link Failure} for one field: said over the form and at the field. */
export function failAt(path: string, error: ErrorKey, values: Record<string, unknown> = {}): never {
  throw new Failure(error, values, [{ path, error, values }]);
}

/** What is written, or the failure at its field when a unique constraint of the table says that somebody has it. */
export async function unlessTaken<T>(work: Promise<T>, constraint: string, path: string, error: ErrorKey): Promise<T> {
  try {
    return await work;
  } catch (e) {
    if ((e as { constraint?: string }).constraint === constraint) failAt(path, error);
    throw e;
  }
}

/** Gives the value, or fails when there is none. */
export function found<T>(value: T | null | undefined, key: ErrorKey = 'common.notFound'): T {
  if (value === null || value === undefined) throw new Failure(key);
  return value;
}
