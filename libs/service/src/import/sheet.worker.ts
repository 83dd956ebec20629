import { parentPort, workerData } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';
import { CFB, read, type CellObject } from '@e965/xlsx';
import { packed, zipEntries } from './zip.ts';

/**
 * Reads one spreadsheet in its own thread with bounded memory and time (docs/adr/0018-imports.md): a malicious file
 * harms only this thread. It knows nothing of the product.
 */
export interface SheetOrder {
  file: Uint8Array;
  kind: 'xls' | 'xlsx' | 'csv';
  rows: number;
  columns: number;
  /** Total unpacked size in bytes. */
  unpacked: number;
  /** Longest cell in characters. */
  text: number;
}
export type SheetRefusal = 'format' | 'macros' | 'heavy' | 'rows' | 'columns';
export interface SheetContent {
  headers: string[];
  /** Number in the file and one text per header, for each row that is not empty. */
  rows: { number: number; cells: string[] }[];
}
export type SheetResult = { refusal: SheetRefusal } | SheetContent;

class Refused extends Error {
  readonly refusal: SheetRefusal;
  constructor(refusal: SheetRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

const refuse = (refusal: SheetRefusal): never => {
  throw new Refused(refusal);
};

/** Unpacks everything once within the limit, because the declared sizes may be wrong. */
function unpackBounded(file: Buffer, most: number): void {
  let left = most;
  for (const entry of zipEntries(file) ?? refuse('format')) {
    if (entry.packedSize === 0) continue;
    const bytes = packed(file, entry) ?? refuse('format');
    let whole: Buffer = bytes;
    if (entry.method === 8) {
      try {
        whole = inflateRawSync(bytes, { maxOutputLength: Math.max(1, left) });
      } catch (error) {
        refuse((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'heavy' : 'format');
      }
    } else if (entry.method !== 0) refuse('format');
    left -= whole.length;
    if (left < 0) refuse('heavy');
    // No spreadsheet program writes these; only attacks need entities.
    if (/\.(xml|rels)$/i.test(entry.name) && /<!(DOCTYPE|ENTITY)/i.test(whole.toString('latin1', 0, 65_536)))
      refuse('format');
  }
}

/** Refuses Visual Basic, as Excel 97 stores it. */
function checkCompound(file: Buffer): void {
  const paths = CFB.read(file, { type: 'buffer' }).FullPaths.map((path: string) => path.toLowerCase()) as string[];
  if (paths.some((path) => /\/(_vba_project_cur|vba|macros)\//.test(path))) refuse('macros');
  // The text encoding of Excel 95 and older depends on the country; an encrypted file has its workbook inside another.
  if (!paths.some((path) => path.endsWith('/workbook'))) refuse('format');
}

/** Returns the typed value of a cell: a number as its digits, whatever the column's format shows. */
function textOf(cell: CellObject | undefined, most: number): string {
  if (!cell || cell.v === undefined || cell.v === null) return '';
  const text = cell.t === 'e' ? (cell.w ?? '#N/A') : cell.v instanceof Date ? cell.v.toISOString() : String(cell.v);
  // Characters that no database column can store are dropped.
  return text.replaceAll('\u0000', '').trim().slice(0, most).toWellFormed();
}

type Grid = readonly (readonly (CellObject | undefined)[] | undefined)[];

function contentOf(grid: Grid, { rows: mostRows, columns, text }: SheetOrder): SheetContent {
  const headerAt = grid.findIndex((row) => row?.some((cell) => textOf(cell, text) !== ''));
  if (headerAt === -1) return { headers: [], rows: [] };
  const headers = Array.from(grid[headerAt]!, (cell) => textOf(cell, text));
  while (headers.at(-1) === '') headers.pop();
  if (headers.length > columns) refuse('columns');
  const rows: SheetContent['rows'] = [];
  for (let at = headerAt + 1; at < grid.length; at++) {
    const row = grid[at];
    if (!row) continue;
    const cells = headers.map((_, column) => textOf(row[column], text));
    if (cells.every((cell) => cell === '')) continue;
    if (rows.length === mostRows) refuse('rows');
    rows.push({ number: at + 1, cells });
  }
  return { headers, rows };
}

/**
 * Returns the separator: a semicolon when the first line has more of them than commas outside of quotes, as Excel
 * writes in half of Europe.
 */
function separatorOf(text: string): ',' | ';' {
  const [line = ''] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1);
  return line.split(';').length > line.split(',').length ? ';' : ',';
}

/**
 * Parses values that are separated by commas or semicolons, with quotes where needed (RFC 4180). All values are text,
 * also those that look like formulas.
 */
function csvGrid(file: Buffer, { rows: mostRows, columns }: SheetOrder): Grid {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(file);
  const separator = separatorOf(text);
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n][^${separator}\\r\\n]*|))(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  );
  const grid: CellObject[][] = [[]];
  for (let ended = false; !ended;) {
    const [, quoted, plain, end] = field.exec(text) ?? refuse('format');
    const row = grid.at(-1)!;
    if (row.length <= columns) row.push({ t: 's', v: quoted === undefined ? plain! : quoted.replaceAll('""', '"') });
    ended = field.lastIndex >= text.length && end !== separator;
    if (end === separator || ended) continue;
    // Allows for empty lines above the rows, as in a spreadsheet; more rows than that are refused.
    if (grid.length > mostRows + 64) refuse('rows');
    grid.push([]);
  }
  return grid;
}

function readSheet(order: SheetOrder): SheetResult {
  const file = Buffer.from(order.file.buffer, order.file.byteOffset, order.file.byteLength);
  if (order.kind === 'csv') return contentOf(csvGrid(file, order), order);
  if (order.kind === 'xlsx') unpackBounded(file, order.unpacked);
  else checkCompound(file);
  const book = read(file, {
    type: 'buffer',
    dense: true,
    // Values as stored: no formula is computed, no external reference is loaded.
    cellFormula: false,
    cellHTML: false,
    cellText: false,
    cellStyles: false,
    bookVBA: false,
    sheets: 0,
    sheetRows: order.rows + 64,
  });
  const sheet = book.Sheets[book.SheetNames[0] ?? ''];
  if (!sheet) return refuse('format');
  return contentOf((sheet['!data'] ?? []) as Grid, order);
}

try {
  parentPort!.postMessage(readSheet(workerData as SheetOrder));
} catch (error) {
  parentPort!.postMessage({ refusal: error instanceof Refused ? error.refusal : 'format' } satisfies SheetResult);
}
