import type { ImportFields, ImportRecord, Language } from '@carillon/contracts';
import type { ErrorKey } from '@carillon/contracts/errors';
import type { RowError } from './import.entity.ts';
import type { CellMark } from './sheet.cell.ts';
import { narrowText, visibleText } from './sheet.text.ts';
import type { SheetRow } from './sheet.worker.ts';

/** Positions of a file's columns by field. */
export type Mapping = Readonly<Record<string, number>>;
type Cells = Readonly<Record<string, string>>;

/** Returns the form in which headers, and words of a list, are compared. */
export const comparedText = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** Returns the form in which headers are compared: without spaces and punctuation. */
const comparedHeader = (header: string): string => comparedText(header).replaceAll(/[\s\p{P}]+/gu, '');

/** Returns the fields as a record of an import shows them, in the caller's language. */
export const shownFields = (fields: ImportFields, language: Language): ImportRecord['fields'] =>
  Object.entries(fields).map(([key, field]) => ({
    key,
    title: field.title[language],
    required: field.key === true,
    secret: field.secret === true,
    clears: field.clears === true,
  }));

/** Returns the fields without which no row can be told from others. */
export const keyFields = (fields: ImportFields): string[] => Object.keys(fields).filter((field) => fields[field]!.key);

/**
 * Finds the column of each field: by a header that a user has chosen for it before, by the field's key, by its title in
 * any language, or by another usual heading. The first column of a field counts, and a title before a usual heading.
 */
export function matchColumns(
  fields: ImportFields,
  headers: readonly string[],
  remembered: ReadonlyMap<string, string>,
): Mapping {
  const namedBy = (headings: (field: ImportFields[string], key: string) => readonly string[]) =>
    new Map(
      Object.entries(fields).flatMap(([key, field]) =>
        headings(field, key).map((heading) => [comparedHeader(heading), key] as const),
      ),
    );
  const titles = namedBy(({ title }, key) => [key, ...Object.values(title)]);
  const aliases = namedBy((field) => field.aliases ?? []);
  const found: Record<string, number> = {};
  const look = (fieldOf: (header: string) => string | undefined): void => {
    for (const [at, header] of headers.entries()) {
      const field = fieldOf(header);
      if (field === undefined || !fields[field] || field in found || Object.values(found).includes(at)) continue;
      found[field] = at;
    }
  };
  look((header) => remembered.get(comparedText(header)) ?? titles.get(comparedHeader(header)));
  look((header) => aliases.get(comparedHeader(header)));
  return found;
}

const errorOfMark: Readonly<Record<CellMark, ErrorKey>> = {
  number: 'import.cellNumber',
  longNumber: 'import.cellLong',
  date: 'import.cellDate',
  error: 'import.cellError',
  merged: 'import.cellMerged',
};

export interface NamedRow {
  number: number;
  /** Texts by field; an empty cell is not there. */
  cells: Record<string, string>;
  /** What is wrong with cells as they stand in the file. */
  faults: RowError[];
}

/** Returns the rows of a sheet by the fields that its columns stand for, without empty rows and the template's example. */
export function namedRows(fields: ImportFields, mapping: Mapping, rows: readonly SheetRow[]): NamedRow[] {
  const read = Object.entries(mapping).flatMap(([field, at]) => {
    if (!Object.hasOwn(fields, field)) return [];
    const { secret, code, saysNothing = [], example } = fields[field]!;
    const silent = new Set(saysNothing.flatMap((text) => Object.values(text).map(comparedText)));
    return [{ field, at, isSecret: secret === true, isCode: code === true, silent, example }];
  });
  return rows
    .map(({ number, cells, marks = {} }) => ({
      number,
      cells: Object.fromEntries(
        read.flatMap(({ field, at, isSecret, silent }) => {
          const text = cells[at];
          return text && !silent.has(comparedText(text)) ? [[field, isSecret ? text : narrowText(text)]] : [];
        }),
      ),
      faults: read.flatMap(({ field, at, isCode }): RowError[] => {
        const mark = marks[at];
        if (mark === undefined || (mark === 'number' && !isCode)) return [];
        return [{ field, error: errorOfMark[mark], ...(mark === 'error' ? { values: { value: cells[at] } } : {}) }];
      }),
    }))
    .filter(
      ({ cells, faults }) =>
        (Object.keys(cells).length > 0 || faults.length > 0) &&
        !read.every(({ field, example }) => (cells[field] ?? '') === example),
    );
}

/** Returns cells that a user has typed or pasted in the place of others, cleaned as those of a file. */
export const typedCells = (fields: ImportFields, given: Cells): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([field, text]) => [
      field,
      fields[field]!.secret ? visibleText(text) : narrowText(visibleText(text)),
    ]),
  );
