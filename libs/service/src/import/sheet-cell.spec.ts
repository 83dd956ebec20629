import { expect, test } from 'vitest';
import { sheetFile, sheetsFile } from '@carillon/testing/sheet';
import { readSheet } from './sheet.ts';

const number = (v: number, z?: string) => ({ t: 'n', v, ...(z === undefined ? {} : { z }) });
const firstRow = async (cells: unknown[], bookType: 'xlsx' | 'biff8' = 'xlsx') => {
  const { rows } = await readSheet(sheetFile([cells.map((_, n) => `H${n}`), cells], bookType));
  return rows[0]!;
};

test.each(['xlsx', 'biff8'] as const)('%s: a number is read as the sheet shows it, with its zeros', async (type) => {
  const row = await firstRow([number(79, '0000'), number(8000, '#,##0'), number(7, '0.00'), number(79, '"+"0')], type);
  expect(row.cells).toEqual(['0079', '8000', '7', '+79']);
});

test('marks a number of more than 15 digits, which a spreadsheet program cuts', async () => {
  const row = await firstRow([number(123456789012345), number(1234567890123456), number(1.234e18, '0')]);
  expect(row.cells[0]).toBe('123456789012345');
  expect(row.marks).toEqual({ 0: 'number', 1: 'longNumber', 2: 'longNumber' });
});

test.each(['xlsx', 'biff8'] as const)('%s: marks dates, times and percentages', async (type) => {
  const row = await firstRow(
    [number(46024, 'd-mmm'), number(0.5, 'h:mm'), number(0.5, '0%'), number(3, '0 "% off"')],
    type,
  );
  expect(row.cells.slice(0, 3)).toEqual(['2-Jan', '12:00', '50%']);
  expect(row.marks).toEqual({ 0: 'date', 1: 'date', 2: 'date', 3: 'number' });
});

test('shows a date of a workbook that counts its days from 1904', async () => {
  const rows = [['Day'], [number(44562, 'd-mmm')]];
  const file = sheetsFile([{ name: 'Days', rows }], { bookType: 'biff8', date1904: true });
  expect((await readSheet(file)).rows[0]).toMatchObject({ cells: ['2-Jan'], marks: { 0: 'date' } });
});

test('marks a cell with an error and shows which', async () => {
  const row = await firstRow([{ t: 'e', v: 0x2a }, 'x']);
  expect(row).toMatchObject({ cells: ['#N/A', 'x'], marks: { 0: 'error' } });
});

test.each(['xlsx', 'biff8'] as const)('%s: reads the first sheet that is not hidden, and says which', async (type) => {
  const file = sheetsFile(
    [
      { name: 'Lists', rows: [['Name'], ['hidden']], hidden: true },
      { name: 'Devices', rows: [['Name'], ['shown']] },
    ],
    { bookType: type },
  );
  expect(await readSheet(file)).toMatchObject({ name: 'Devices', rows: [{ cells: ['shown'] }] });
});

test('reads a row far below the others', async () => {
  const rows = [['Name'], ['near'], ...Array.from({ length: 59_997 }, () => []), ['far']];
  expect((await readSheet(sheetFile(rows))).rows).toEqual([
    { number: 2, cells: ['near'] },
    { number: 60_000, cells: ['far'] },
  ]);
});

test('gives each row of a merged range its value, and marks a range over several columns', async () => {
  const rows = [
    ['Name', 'Site', 'SN'],
    ['a', 'Berlin', '1'],
    ['b', null, '2'],
    ['c', 'both', null],
    [],
    ['d', null, '3'],
  ];
  const file = sheetsFile([{ name: 'S', rows, merges: ['B2:B3', 'B4:C4', 'A1:A1'] }]);
  expect((await readSheet(file)).rows).toEqual([
    { number: 2, cells: ['a', 'Berlin', '1'] },
    { number: 3, cells: ['b', 'Berlin', '2'] },
    { number: 4, cells: ['c', 'both', ''], marks: { 2: 'merged' } },
    { number: 6, cells: ['d', '', '3'] },
  ]);
});

test('a merged range adds no row where nothing else stands', async () => {
  const rows = [['Name', 'Site'], ['a', 'Berlin'], [], [null, null]];
  const file = sheetsFile([{ name: 'S', rows, merges: ['B2:B900'] }]);
  expect((await readSheet(file)).rows).toEqual([{ number: 2, cells: ['a', 'Berlin'] }]);
});

test('reads headers and texts without their invisible characters', async () => {
  const rows = [
    ['\u200bName', 'MAC\ufeff'],
    ['\u202a1001\u202c', '00156512\u00ad3456\u00a0'],
    ['👩\u200d💻 می\u200cخواهم', '\u200dx\u200c'],
  ];
  expect(await readSheet(sheetFile(rows))).toMatchObject({
    headers: ['Name', 'MAC'],
    rows: [{ cells: ['1001', '001565123456'] }, { cells: ['👩\u200d💻 می\u200cخواهم', 'x'] }],
  });
});
