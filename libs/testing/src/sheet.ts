import { read, utils, write, type BookType } from '@e965/xlsx';
import { importPiece } from '@carillon/contracts/constants';

/** Writes a spreadsheet with these rows; `biff8` is .xls. */
export function sheetFile(rows: readonly (readonly unknown[])[], bookType: BookType = 'xlsx'): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows as unknown[][]), 'Sheet1');
  return Buffer.from(write(book, { type: 'buffer', bookType, compression: true }) as Uint8Array);
}

/** Splits a file into the pieces that the import call takes. */
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
