import { writeXlsx } from 'hucre/xlsx';
import { importFileTitles, type ImportFields, type Language } from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import type { RowError } from './import.entity.ts';
import { writtenText } from './sheet.text.ts';
import { unpacked, zipEntries, zipOf } from './zip.ts';

/** Columns of text, so that a spreadsheet program leaves `0012` and `00E012345678` as they are typed. */
const columnsOf = (titles: readonly string[]) =>
  titles.map((title) => ({ width: Math.max(16, title.length + 4), numFmt: '@' }));

/**
 * Gives a sheet's columns the format of its first cell. The library formats cells only, so that those that are typed
 * later would be of no format.
 */
function formatColumns(file: Buffer): Buffer {
  const parts = zipEntries(file)!.map((entry) => {
    const content = unpacked(file, entry, 100_000_000)!;
    if (entry.name !== 'xl/worksheets/sheet1.xml') return [entry.name, content] as const;
    const sheet = content.toString();
    const style = /<c [^>]*\bs="(\d+)"/.exec(sheet)![1]!;
    return [entry.name, Buffer.from(sheet.replaceAll('<col ', `<col style="${style}" `))] as const;
  });
  return zipOf(new Map(parts), 8);
}

async function sheetOf(rows: string[][]): Promise<Buffer> {
  const titles = rows[0]!;
  const made = await writeXlsx({
    sheets: [
      {
        name: 'Carillon',
        columns: columnsOf(titles),
        rows: rows.map((row) => row.map(writtenText)),
        freezePane: { rows: 1 },
      },
    ],
  });
  return formatColumns(Buffer.from(made as Uint8Array));
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
