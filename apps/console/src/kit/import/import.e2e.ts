// @module-tag slow
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listSipServers } from '@carillon/contracts';
import { rowsOfSheet, sheetFile } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();
const folder = mkdtempSync('/tmp/carillon-import-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const fileOf = (name: string, rows: unknown[][]): string => {
  const path = join(folder, name);
  writeFileSync(path, sheetFile(rows, name.endsWith('.xls') ? 'biff8' : 'xlsx'));
  return path;
};
const bytesOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};

it('imports SIP servers with a mapping, corrections, a reload and an undo [SYS-11/screen]', async () => {
  const { call } = product.platform;
  const { page } = await product.administrator('/account/sip/sipServer');
  const servers = async () =>
    (await call(listSipServers, { query: { search: 'import.example.com', sort: 'name' } })).records.map((s) => s.name);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import SIP servers' });
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download template' }).click(),
  ]);
  expect(template.suggestedFilename()).toBe('Import SIP servers.xlsx');
  expect(rowsOfSheet(await bytesOf(await template.createReadStream()))[0]![0]).toBe('Name');

  // A file that is not a spreadsheet is refused, whatever its name.
  writeFileSync(join(folder, 'page.xlsx'), '<html></html>');
  await dialog.locator('input[type=file]').setInputFiles(join(folder, 'page.xlsx'));
  await dialog.getByRole('alert').getByText('Wrong file type. Allowed: .xls, .xlsx.').waitFor();

  await dialog.locator('input[type=file]').setInputFiles(
    fileOf('servers.xls', [
      ['PBX', 'Where it is', 'Port', 'Floor'],
      ['Import one', 'one.import.example.com', 5062, 1],
      ['Import two', 'not a host', '', 2],
      ['Import three', 'three.import.example.com', '', 3],
    ]),
  );
  await dialog.getByText('Choose the column of the file for each field.').waitFor();
  await dialog.getByRole('button', { name: 'Check rows' }).click();
  await dialog.getByText('Choose a column.').first().waitFor();
  for (const [field, column] of [
    ['Name', 'PBX (A)'],
    ['Address', 'Where it is (B)'],
  ] as const) {
    await dialog.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: column }).click();
  }
  await dialog.getByRole('button', { name: 'Check rows' }).click();
  await dialog.getByText('1 row to fix is left out.').waitFor();
  await dialog.getByText('Columns that are not imported: Floor').waitFor();
  await dialog.getByText('Address: Enter a host name or an IP address').waitFor();
  expect(await servers()).toEqual([]);

  // It is shown again, and nothing was changed meanwhile.
  await page.reload();
  await dialog.getByText('1 row to fix is left out.').waitFor();
  await dialog.getByRole('textbox', { name: 'Address, row 3' }).fill('two.import.example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'New 3' }).waitFor();
  await dialog.getByRole('button', { name: 'Import 3 rows' }).click();
  // Exact, because the running import says '0 of 3 rows imported'.
  await dialog.getByText('3 rows imported', { exact: true }).waitFor();
  expect(await servers()).toEqual(['Import one', 'Import three', 'Import two']);

  // The result is also shown after a reload, with the undo.
  await page.reload();
  await dialog.getByText('3 rows imported', { exact: true }).waitFor();
  // After it was closed, it is found among the recent imports.
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog
    .getByRole('region', { name: 'Recent imports' })
    .getByRole('button', { name: /^servers\.xls 3 rows imported/ })
    .first()
    .click();
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await dialog.getByText('3 rows undone', { exact: true }).waitFor();
  expect(await servers()).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
  expect(await dialog.count()).toBe(0);
});
