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

/** The spreadsheet to fill in: the columns in the language of who asks, and one row as an example. */
export function templateOf(fields: ImportFields, language: Language): Promise<Buffer> {
  const all = Object.values(fields);
  return sheetOf([all.map((field) => field.title[language]), all.map((field) => field.example)]);
}

/** What is wrong with a row, with the column that it stands in. */
export const errorWords = (fields: ImportFields, language: Language, errors: readonly RowError[]): string =>
  errors
    .map(({ field, error, values = {} }) => {
      const text = errorText(error, language, values);
      return field !== null && fields[field] ? `${fields[field].title[language]}: ${text}` : text;
    })
    .join('\n');

/** Rows that are wrong, as they were, with what to mend. No secret is in it: it is typed again. */
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
