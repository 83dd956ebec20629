import { expect, test } from 'vitest';
import { writeXlsx } from 'hucre/xlsx';
import { rowsOfSheet } from '@carillon/testing/sheet';
import { narrowText, writtenText } from './sheet.text.ts';

test('a text that looks like an escape comes back as it was', async () => {
  const names = ['_x0041_', 'SKU_x000A_1', '_x005F_x0041_', '_x0000_', 'foo_x12345.txt', '_x00e9__x00E9_'];
  const file = await writeXlsx({ sheets: [{ name: 'S', rows: names.map((name) => [writtenText(name)]) }] });
  expect(rowsOfSheet(Buffer.from(file as Uint8Array))).toEqual(names.map((name) => [name]));
});

test('leaves out what XML does not allow', () => {
  expect(writtenText('a\uffffb\ufffec\u0000d\u001be\td')).toBe('abcde\td');
  expect(writtenText('x\ud800y')).toBe('x\ufffdy');
});

test('ends a text that is longer than a cell with a mark', () => {
  expect(writtenText('x'.repeat(32_767))).toHaveLength(32_767);
  const cut = writtenText('x'.repeat(40_000));
  expect(cut).toHaveLength(32_767);
  expect(cut.endsWith('x…')).toBe(true);
});

test('narrows full-width digits and letters of a code, and leaves other texts', () => {
  expect(narrowText('１００３')).toBe('1003');
  expect(narrowText('ＡＢ－12')).toBe('AB-12');
  expect(narrowText('ＡＢＣ株式会社')).toBe('ＡＢＣ株式会社');
  expect(narrowText('Cafe\u0301')).toBe('Café');
});
