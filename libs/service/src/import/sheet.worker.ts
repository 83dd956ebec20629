import { parentPort, workerData } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';
import { CFB, read, type CellObject, type Range } from '@e965/xlsx';
import { readCell, type CellMark } from './sheet.cell.ts';
import { packed, zipEntries, zipOf } from './zip.ts';

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
  /** Most characters in all cells together. */
  letters: number;
}
export type SheetRefusal = 'format' | 'macros' | 'heavy' | 'rows' | 'columns';
/** A row that is not empty. */
export interface SheetRow {
  /** Its number in the file. */
  number: number;
  /** A text for each header. */
  cells: string[];
  /** By column, for cells that do not hold what was typed. */
  marks?: Record<number, CellMark>;
}
export interface SheetContent {
  /** The name of the sheet; empty for a .csv. */
  name: string;
  headers: string[];
  rows: SheetRow[];
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

/** Parts that describe cells. Pictures, drawings and the like are never unpacked. */
const readParts = /\.(?:xml|rels)$/i;
const unreadParts = /(?:^|\/)(?:media|drawings|charts|embeddings|printerSettings|customXml)\//i;

/**
 * Unpacks a workbook within `most` bytes and returns it as a file with correct sizes, because the declared ones may be
 * wrong and the reader of the workbook trusts them.
 */
function unpackBounded(file: Buffer, most: number): Buffer {
  let left = most;
  const parts = new Map<string, Buffer>();
  for (const entry of zipEntries(file) ?? refuse('format')) {
    if (entry.packedSize === 0 || !readParts.test(entry.name) || unreadParts.test(entry.name)) continue;
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
    if (/<!(DOCTYPE|ENTITY)/i.test(whole.toString('latin1', 0, 65_536))) refuse('format');
    parts.set(entry.name, whole);
  }
  return zipOf(parts, 0);
}

/** Refuses Visual Basic, as Excel 97 stores it. */
function checkCompound(file: Buffer): void {
  const paths = CFB.read(file, { type: 'buffer' }).FullPaths.map((path: string) => path.toLowerCase()) as string[];
  if (paths.some((path) => /\/(_vba_project_cur|vba|macros)\//.test(path))) refuse('macros');
  // The text encoding of Excel 95 and older depends on the country; an encrypted file has its workbook inside another.
  if (!paths.some((path) => path.endsWith('/workbook'))) refuse('format');
}

type Grid = readonly ((CellObject | undefined)[] | undefined)[];
interface Sheet {
  name: string;
  grid: Grid;
  merges: readonly Range[];
  date1904: boolean;
}

/**
 * Gives each row of a merged range the range's value, as a user sees it. Returns the cells, as `row column`, of ranges
 * over several columns: which column has the value cannot be told.
 */
function spreadMerges({ grid, merges }: Sheet, headerAt: number, columns: number): ReadonlySet<string> {
  const isOwn = grid.map((row) => row?.some((cell) => cell?.v !== undefined) === true);
  const unclear = new Set<string>();
  for (const { s: first, e: last } of merges) {
    if (first.r <= headerAt) continue;
    const value = grid[first.r]?.[first.c];
    for (let row = first.r; row <= last.r && row < grid.length; row++) {
      if (!isOwn[row]) continue;
      grid[row]![first.c] = value;
      // A range may reach over all columns of the sheet; those without a header are not read.
      for (let column = first.c + 1; column <= last.c && column < columns; column++) unclear.add(`${row} ${column}`);
    }
  }
  return unclear;
}

function contentOf(sheet: Sheet, { rows: mostRows, columns, text, letters }: SheetOrder): SheetContent {
  const { name, grid, date1904 } = sheet;
  const cellAt = (row: number, column: number) => readCell(grid[row]![column], text, date1904);
  const headerAt = grid.findIndex((row) => row?.some((cell) => readCell(cell, text).text !== ''));
  if (headerAt === -1) return { name, headers: [], rows: [] };
  const headers = Array.from(grid[headerAt]!, (_, column) => cellAt(headerAt, column).text);
  while (headers.at(-1) === '') headers.pop();
  if (headers.length > columns) refuse('columns');
  const unclear = spreadMerges(sheet, headerAt, headers.length);
  const rows: SheetRow[] = [];
  let left = letters;
  for (let at = headerAt + 1; at < grid.length; at++) {
    if (!grid[at]) continue;
    const marks: Record<number, CellMark> = {};
    const cells = headers.map((_, column) => {
      const { text: shown, mark } = cellAt(at, column);
      if (unclear.has(`${at} ${column}`)) marks[column] = 'merged';
      else if (mark) marks[column] = mark;
      left -= shown.length;
      return shown;
    });
    if (cells.every((cell) => cell === '')) continue;
    if (rows.length === mostRows) refuse('rows');
    // One long text that many cells share takes little room in the file and much outside of it.
    if (left < 0) refuse('heavy');
    rows.push({ number: at + 1, cells, ...(Object.keys(marks).length > 0 ? { marks } : {}) });
  }
  return { name, headers, rows };
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

const readOptions = {
  type: 'buffer',
  dense: true,
  // Values as stored, with their formats: no formula is computed, no external reference is loaded.
  cellFormula: false,
  cellHTML: false,
  cellText: false,
  cellNF: true,
  cellStyles: false,
  bookVBA: false,
} as const;

/** Returns the first sheet that a user sees: not a hidden one, and not a chart. */
function shownSheet(file: Buffer): Sheet {
  const names = read(file, { ...readOptions, sheets: [] });
  for (const [at, name] of names.SheetNames.entries()) {
    if (names.Workbook?.Sheets?.[at]?.Hidden) continue;
    // An .xls is read whole by the first call.
    const book = names.Sheets[name] ? names : read(file, { ...readOptions, sheets: at });
    const sheet = book.Sheets[name];
    if (sheet?.['!data'])
      return {
        name,
        grid: sheet['!data'],
        merges: sheet['!merges'] ?? [],
        date1904: book.Workbook?.WBProps?.date1904 === true,
      };
  }
  return refuse('format');
}

function readSheet(order: SheetOrder): SheetResult {
  const file = Buffer.from(order.file.buffer, order.file.byteOffset, order.file.byteLength);
  switch (order.kind) {
    case 'csv':
      return contentOf({ name: '', grid: csvGrid(file, order), merges: [], date1904: false }, order);
    case 'xls':
      checkCompound(file);
      return contentOf(shownSheet(file), order);
    case 'xlsx':
      return contentOf(shownSheet(unpackBounded(file, order.unpacked)), order);
  }
}

try {
  parentPort!.postMessage(readSheet(workerData as SheetOrder));
} catch (error) {
  parentPort!.postMessage({ refusal: error instanceof Refused ? error.refusal : 'format' } satisfies SheetResult);
}
