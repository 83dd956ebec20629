import type { z } from 'zod';
import type { ImportFields } from '@carillon/contracts';
import { Failure } from '../failure.ts';
import { fieldsOf } from '../validate.ts';
import type { RowError } from './import.entity.ts';

export interface ImportedRow {
  id: string;
  number: number;
  /** What stands in it, by field; empty cells are not there. */
  cells: Readonly<Record<string, string>>;
}

/** What becomes of a row, by the rules of the noun's own calls. */
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

/** What a row did to which object. `after` holds what undoing compares: the object must have it still. */
export interface RowDone {
  rowId: string;
  objectId: string;
  before: object | null;
  after: object;
}

/** A row that turned out to be impossible only when it was written. */
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
 * How a noun is imported. All of it runs in a transaction, as whoever ordered the import, so that its rows are seen and
 * written as by its calls; and for many rows at once, because fifty thousand one by one would take minutes.
 */
export abstract class Importer<Write = unknown> {
  abstract readonly noun: string;
  abstract readonly fields: ImportFields;

  /** What a row is about, so that no two rows are; undefined when it does not say. */
  abstract keyOf(cells: ImportedRow['cells']): string | undefined;
  /** In the order of the rows. Reads only. */
  abstract plan(rows: readonly ImportedRow[]): Promise<RowPlan<Write>[]>;
  abstract write(rows: readonly RowWrite<Write>[]): Promise<(RowDone | RowRefused)[]>;
  /** Takes back what is as the import left it, and answers its ids; anything else stays. */
  abstract undo(rows: readonly RowUndo[]): Promise<ReadonlySet<string>>;

  /** Fails when who asks may import nothing. */
  admit(): void {
    /* whoever has the right may */
  }
  /** What is stored of secrets while they wait for their import: nothing that anybody can read. */
  conceal(texts: readonly ConcealedText[]): Promise<string[]> {
    return Promise.reject(new Error(`${this.noun} has no secret (${texts.length})`));
  }
}

export interface ConcealedText {
  /** Where it is stored, which it is bound to. */
  place: string;
  text: string;
}
/** Where a secret of a row waits. */
export const waitingPlace = (field: string, rowId: string): string => `import_row.${field} ${rowId}`;

/** What the schema of the noun's own call finds in a row. `fieldOf` names the column of a property. */
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

/** A failure of a row as its error. */
export function errorOf(failure: Failure, fieldOf: (property: string) => string | null): RowError {
  const { path, error, values } = failure.fields[0] ?? { path: '', error: failure.key, values: failure.values };
  return { field: path === '' ? null : fieldOf(path), error, ...(values ? { values } : {}) };
}
