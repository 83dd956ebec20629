import { expect, test } from 'vitest';
import { cell, exportRows } from './export.ts';
import type { Column } from './grid.types.ts';

test('a cell is quoted where it must be, and no cell is a formula', () => {
  expect(
    [
      'plain',
      'a,b',
      'say "hi"',
      'two\nlines',
      '=1+1',
      '+49 30',
      '-5',
      '-5.5',
      '-cmd',
      '@x',
      '＝1+1',
      '＋1',
      '－1',
      '＠x',
      '',
    ].map(cell),
  ).toEqual([
    'plain',
    '"a,b"',
    '"say ""hi"""',
    '"two\nlines"',
    "'=1+1",
    "'+49 30",
    '-5',
    '-5.5',
    "'-cmd",
    "'@x",
    "'＝1+1",
    "'＋1",
    "'－1",
    "'＠x",
    '',
  ]);
});

interface Row {
  id: string;
  name: string;
}
const columns = [
  { key: 'n', title: 'Name', width: 1, render: () => null, text: (r: Row) => r.name },
  { key: 'x', title: 'Not in it', width: 1, render: () => null },
] as Column<Row>[];
const all = Array.from({ length: 450 }, (_, i) => ({ id: String(i), name: `n${i}` }));

test('all pages are in the file once, also when records move while it is read', async () => {
  const page = async (at: number, limit: number) => ({
    records: all.slice((at - 1) * limit - (at > 1 ? 3 : 0), at * limit),
    total: all.length,
    current: at,
    size: limit,
  });
  const seen: number[] = [];
  const result = await exportRows(columns, page, (done) => {
    seen.push(done);
    return true;
  });
  expect(result!.csv.startsWith('\ufeffName\r\nn0\r\n')).toBe(true);
  expect([result!.rows, result!.csv.trim().split('\r\n').length, seen]).toEqual([450, 451, [200, 400, 450]]);
  expect(await exportRows(columns, page, (done) => done < 400)).toBeUndefined();
});
