import { read, utils, write, type BookType } from '@e965/xlsx';
import { importPiece } from '@carillon/contracts/constants';

type Rows = readonly (readonly unknown[])[];
export interface TestSheet {
  name: string;
  /** A value, or a cell with its type `t`, value `v` and format `z`. */
  rows: Rows;
  hidden?: boolean;
  /** Ranges such as `E2:E11`. */
  merges?: readonly string[];
}

/** Returns a spreadsheet of these sheets as a program writes one; `biff8` is .xls. */
export function sheetsFile(
  sheets: readonly TestSheet[],
  { bookType = 'xlsx', date1904 = false }: { bookType?: BookType; date1904?: boolean } = {},
): Buffer {
  const book = utils.book_new();
  for (const { name, rows, merges = [] } of sheets) {
    const sheet = utils.aoa_to_sheet(rows as unknown[][]);
    sheet['!merges'] = merges.map((range) => utils.decode_range(range));
    utils.book_append_sheet(book, sheet, name);
  }
  book.Workbook = { Sheets: sheets.map(({ hidden }) => ({ Hidden: hidden ? 1 : 0 })), WBProps: { date1904 } };
  return Buffer.from(write(book, { type: 'buffer', bookType, compression: true }) as Uint8Array);
}

/** Returns a spreadsheet of these rows as a program writes one; `biff8` is .xls. */
export const sheetFile = (rows: Rows, bookType: BookType = 'xlsx'): Buffer =>
  sheetsFile([{ name: 'Sheet1', rows }], { bookType });

/** A file as the call takes it. */
export function inPieces(file: Buffer): string[] {
  const text = file.toString('base64');
  return Array.from({ length: Math.ceil(text.length / importPiece) }, (_, n) =>
    text.slice(n * importPiece, (n + 1) * importPiece),
  );
}

/** Returns the cells of a file's first sheet. */
export function rowsOfSheet(file: Buffer): string[][] {
  const book = read(file, { type: 'buffer' });
  return utils.sheet_to_json<string[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1, defval: '' });
}
