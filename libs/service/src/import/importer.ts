import type { z } from 'zod';
import type { ImportFields } from '@carillon/contracts';
import { Failure } from '../failure.ts';
import { fieldsOf } from '../validate.ts';
import type { RowError } from './import.entity.ts';

export interface ImportedRow {
  id: string;
  number: number;
  /** Values by field; empty cells are absent. */
  cells: Readonly<Record<string, string>>;
}

/** Planned outcome of a row, by the rules of the noun's own calls. */
export type RowPlan<Write> =
  | { outcome: 'wrong'; errors: RowError[] }
  | { outcome: 'unchanged' }
  | { outcome: 'add'; write: Write }
  | { outcome: 'update'; write: Write; changes: string[] };

export interface RowWrite<Write> {
  rowId: string;
  outcome: 'add' | 'update';
  write: Write;
}

/** The change that a row made to an object. `after` is compared on undo: the object must still have this state. */
export interface RowDone {
  rowId: string;
  objectId: string;
  before: object | null;
  after: object;
}

/** A row whose write turned out to be impossible. */
export interface RowRefused {
  rowId: string;
  errors: RowError[];
}

export interface RowUndo {
  objectId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown>;
}

/**
 * Imports a noun. All methods run in a transaction with the permissions of the user who ordered the import, so that
 * rows are read and written as by the noun's calls; and for many rows at once, because fifty thousand single ones would
 * take minutes.
 */
export abstract class Importer<Write = unknown> {
  abstract readonly noun: string;
  abstract readonly fields: ImportFields;

  /** Returns the identity of the row's object, by which duplicates are found; undefined when the row has none. */
  abstract keyOf(cells: ImportedRow['cells']): string | undefined;
  /** Plans the rows, in their order. Only reads. */
  abstract plan(rows: readonly ImportedRow[]): Promise<RowPlan<Write>[]>;
  abstract write(rows: readonly RowWrite<Write>[]): Promise<(RowDone | RowRefused)[]>;
  /** Reverts the objects that are still as the import left them, and returns their ids. */
  abstract undo(rows: readonly RowUndo[]): Promise<ReadonlySet<string>>;

  /** Fails when the caller may not import anything. */
  admit(): void {
    /* By default the permission suffices. */
  }
  /** Returns the unreadable form in which secrets are stored until the import. */
  conceal(texts: readonly ConcealedText[]): Promise<string[]> {
    return Promise.reject(new Error(`${this.noun} has no secret (${texts.length})`));
  }
}

export interface ConcealedText {
  /** The storage place that the ciphertext is bound to. */
  place: string;
  text: string;
}
/** Returns the place of a row's stored secret. */
export const waitingPlace = (field: string, rowId: string): string => `import_row.${field} ${rowId}`;

/** Checks a row with the schema of the noun's own call. `fieldOf` maps a property to its column. */
export function checkedBy<S extends z.ZodType>(
  schema: S,
  body: unknown,
  fieldOf: (property: string) => string | null,
): { body: z.output<S> } | { errors: RowError[] } {
  const result = schema.safeParse(body, { reportInput: true });
  if (result.success) return { body: result.data };
  return {
    errors: fieldsOf(result.error.issues, 'body').map(({ path, error, values }) => ({
      field: fieldOf(path.split('.')[0] ?? ''),
      error,
      ...(values ? { values } : {}),
    })),
  };
}

/** Converts a failure to the error of a row. */
export function errorOf(failure: Failure, fieldOf: (property: string) => string | null): RowError {
  const { path, error, values } = failure.fields[0] ?? { path: '', error: failure.key, values: failure.values };
  return { field: path === '' ? null : fieldOf(path), error, ...(values ? { values } : {}) };
}
