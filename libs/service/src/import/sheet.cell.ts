import { SSF, type CellObject } from '@e965/xlsx';
import { visibleText } from './sheet.text.ts';

/**
 * What a spreadsheet program did to what was typed into a cell. `number`: it is stored as a number, which is wrong only
 * where a column holds codes that can look like numbers.
 */
export type CellMark = 'number' | 'longNumber' | 'date' | 'error' | 'merged';

export interface ReadCell {
  text: string;
  mark?: CellMark;
}

const empty: ReadCell = { text: '' };
/** Names of the errors that a formula can result in, by their codes in both file formats. */
const errorNames: Readonly<Record<number, string>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
};
/** Spreadsheet programs keep 15 digits of a number. */
const mostNumber = 1e15;
/** Returns whether a number format shows a percentage: a `%` that is neither quoted nor escaped. */
function isPercentage(format: string): boolean {
  let isQuoted = false;
  for (let at = 0; at < format.length; at++) {
    if (format[at] === '\\') at++;
    else if (format[at] === '"') isQuoted = !isQuoted;
    else if (format[at] === '%' && !isQuoted) return true;
  }
  return false;
}

/** Returns what the sheet shows of a number. Its digits alone count where the format only groups or rounds them. */
function numberCell(value: number, format: string, date1904: boolean): ReadCell {
  if (SSF.is_date(format) || isPercentage(format))
    return { text: SSF.format(format, value, { date1904 }), mark: 'date' };
  const digits = String(value);
  if (Math.abs(value) >= mostNumber) return { text: digits, mark: 'longNumber' };
  if (format === 'General' || format === '@') return { text: digits, mark: 'number' };
  const shown = SSF.format(format, value).trim();
  const plain = shown.replaceAll(/[\s,]/g, '');
  const isDecorated = /^-?(?:0|[1-9]\d*)?(?:\.\d*)?(?:E[-+]?\d+)?$/i.test(plain);
  return { text: isDecorated ? digits : visibleText(shown), mark: 'number' };
}

/**
 * Returns the text that a user sees in a cell, at most `most` characters, and what is wrong with it. `date1904`: the
 * workbook counts its days from 1904.
 */
export function readCell(cell: CellObject | undefined, most: number, date1904 = false): ReadCell {
  if (!cell || cell.v === undefined || cell.v === null) return empty;
  if (cell.t === 'e') return { text: errorNames[cell.v as number] ?? '#ERROR', mark: 'error' };
  if (cell.t === 'n') return numberCell(cell.v as number, typeof cell.z === 'string' ? cell.z : 'General', date1904);
  if (cell.v instanceof Date) return { text: cell.v.toISOString(), mark: 'date' };
  return { text: visibleText(String(cell.v)).slice(0, most).toWellFormed() };
}
