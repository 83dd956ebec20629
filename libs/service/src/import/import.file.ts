import { writeXlsx } from 'hucre/xlsx';
import { importFileTitles, type ImportFields, type Language } from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import type { RowError } from './import.entity.ts';

const width = (titles: readonly string[]) => titles.map((title) => ({ width: Math.max(16, title.length + 4) }));

async function sheetOf(rows: string[][]): Promise<Buffer> {
  const made = await writeXlsx({
    sheets: [{ name: 'Carillon', columns: width(rows[0]!), rows, freezePane: { rows: 1 } }],
  });
  return Buffer.from(made as Uint8Array);
}

/** Returns the empty spreadsheet: the columns in the caller's language, and one example row. */
export function templateOf(fields: ImportFields, language: Language): Promise<Buffer> {
  const all = Object.values(fields);
  return sheetOf([all.map((field) => field.title[language]), all.map((field) => field.example)]);
}

/** Returns the errors of a row as text, each with its column. */
export const errorWords = (fields: ImportFields, language: Language, errors: readonly RowError[]): string =>
  errors
    .map(({ field, error, values = {} }) => {
      const text = errorText(error, language, values);
      return field !== null && fields[field] ? `${fields[field].title[language]}: ${text}` : text;
    })
    .join('\n');

/** Returns the wrong rows as they were, with their errors. Contains no secrets: the user types them again. */
export function fileOfWrong(
  fields: ImportFields,
  language: Language,
  rows: readonly { number: number; cells: Readonly<Record<string, string>>; errors: readonly RowError[] }[],
): Promise<Buffer> {
  const all = Object.entries(fields);
  return sheetOf([
    [
      ...all.map(([, field]) => field.title[language]),
      importFileTitles.row[language],
      importFileTitles.errors[language],
    ],
    ...rows.map(({ number, cells, errors }) => [
      ...all.map(([key, field]) => (field.secret ? '' : (cells[key] ?? ''))),
      String(number),
      errorWords(fields, language, errors),
    ]),
  ]);
}
