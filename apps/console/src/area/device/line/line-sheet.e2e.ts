// @module-tag slow
import { expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import {
  addSipAccountRange,
  addSipServer,
  assignAccount,
  deleteSipAccounts,
  deleteSipServer,
  listAccountNames,
  listDevices,
  listLineSheet,
  listSipAccounts,
} from '@carillon/contracts';
import { suppliedModels } from '@carillon/contracts/models';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

/** Pastes a text into the focused element, as a spreadsheet gives it. */
const paste = (page: Page, text: string) =>
  page.evaluate((plain) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', plain);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement!.dispatchEvent(event);
  }, text);
const texts = (cells: Locator) => cells.locator('code').allTextContents();

it('lines of ten devices are pasted, undone, checked and saved in a sheet [ACC-02/sheet]', async () => {
  const { call } = product.platform;
  const server = await call(addSipServer, {
    body: {
      ...{ name: 'Sheet PBX', address: 'sheet.example.com', port: 5060, transport: 'udp', domain: '' },
      ...{ proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null },
    },
  });
  await call(addSipAccountRange, { body: { name: 'Sheet', from: '56001', to: '56021', serverId: server.id } });
  await eventually(async () => expect(await call(listAccountNames, { query: { search: '5602' } })).toHaveLength(2));
  const model = suppliedModels.find((m) => (m.sipCount ?? 0) >= 5)!.name;
  const { records, total } = await call(listDevices, { query: { model: [model], limit: 10, sort: 'name' } });
  const { page } = await product.administrator(`/device/list?model=${encodeURIComponent(model)}&limit=10&sort=name`);
  await page
    .locator('[data-id]')
    .nth(Math.min(total, 10) - 1)
    .waitFor();
  await page.locator('thead input').click();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Edit lines' }).click();
  const dialog = page.getByRole('dialog');
  const rows = dialog.locator('tbody tr');
  const cell = (row: number, line: number) =>
    rows
      .nth(row)
      .getByRole('gridcell')
      .nth(line - 1);
  await rows.nth(records.length - 1).waitFor();
  const save = dialog.getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  const count = records.length;
  const before = await texts(rows);

  // Ten rows of two columns, from line 4 of the first device.
  await cell(0, 4).click();
  const numberOf = (n: number) => String(56001 + n);
  const block = records.map((_, n) => `${numberOf(n)}\t${numberOf(n + 10)}`).join('\r\n');
  await paste(page, block);
  await dialog.getByText(`Changes: ${count * 2} lines on ${count} devices`).waitFor();
  expect(await cell(1, 5).textContent()).toContain('56012');
  await page.keyboard.press('Control+z');
  await dialog.getByText('No changes').waitFor();
  expect(await texts(rows)).toEqual(before);
  await page.keyboard.press('Control+y');
  await dialog.getByText(`Changes: ${count * 2} lines`).waitFor();

  // A number that no account has is an error of its cell, and nothing can be saved.
  await cell(0, 5).click();
  await page.keyboard.type('56999');
  await page.keyboard.press('Enter');
  await dialog.getByText('No account 56999').waitFor();
  await dialog.getByText('1 cell has an error').waitFor();
  expect([await cell(0, 5).getAttribute('aria-invalid'), await save.isDisabled()]).toEqual(['true', true]);
  // The active cell is the one below; Delete empties it, and the arrow goes back.
  await page.keyboard.press('Delete');
  expect(await cell(1, 5).textContent()).toBe('');
  await page.keyboard.press('ArrowUp');
  // Typing offers accounts, the arrow chooses one.
  await page.keyboard.type('5602');
  await page.getByRole('option', { name: '56020' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await dialog.getByText('No account 56999').waitFor({ state: 'detached' });
  expect(await cell(0, 5).textContent()).toContain('56020');

  // The first two rows of a column are filled down: an account on several lines is a warning.
  await cell(0, 5).click();
  await page.keyboard.press('Shift+ArrowDown');
  await dialog.getByRole('button', { name: 'Fill down' }).click();
  expect(await cell(1, 5).textContent()).toContain('56020');
  await dialog.getByText(/accounts? (is|are) also on (another line|other lines)/).waitFor();

  // Closing asks first.
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();

  // A line that changes meanwhile is refused with its reason, the others are saved.
  const raced = records[count - 1]!;
  const [other] = await call(listAccountNames, { query: { search: '56021' } });
  await call(assignAccount, {
    body: { deviceId: raced.id, accountId: other!.id, line: 4 },
  });
  await save.click();
  await dialog.getByText('1 device was not saved').waitFor();
  await dialog.getByText('The line has another account meanwhile.').waitFor();
  await dialog.getByText(/^Changes: \d lines? on 1 device$/).waitFor();
  await save.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Lines of 1 device saved').first().waitFor();

  const stored = await call(listLineSheet, { query: { ids: records.map((d) => d.id) } });
  const numbers = (line: number) =>
    records.map((d) => stored.find((row) => row.id === d.id)!.accounts.find((a) => a.line === line)?.account?.number);
  expect(numbers(4)).toEqual(records.map((_, n) => numberOf(n)));
  expect(numbers(5).slice(0, 2)).toEqual(['56020', '56020']);
  await page.goto(`/device/deviceDetail?id=${records[0]!.id}`);
  await page.getByRole('row').filter({ hasText: '56001' }).waitFor();

  const left = await call(listSipAccounts, { query: { server: [server.id], limit: 50 } });
  await call(deleteSipAccounts, { query: { ids: left.records.map((a) => a.id) } });
  await call(deleteSipServer, { query: { id: server.id } });
});
