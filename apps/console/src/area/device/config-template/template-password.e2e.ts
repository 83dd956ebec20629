// @module-tag slow
import { afterEach, expect, it } from 'vitest';
import { deleteConfigTemplate, listConfigTemplates } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const name = `Zz password ${Date.now().toString(36)}`;
const password = 'Zz-Admin.93';

afterEach(async () => {
  const { platform } = product;
  const { records } = await platform.call(listConfigTemplates, { query: { search: name } });
  for (const { id } of records) await platform.call(deleteConfigTemplate, { query: { id } });
});

it('a password of a template is entered once, is in no address, and can be replaced [CFG-01/password]', async () => {
  const { page } = await product.administrator('/setting/addTemplate');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const form = page.locator('main form');
  const field = form.getByLabel('Administrator’s password', { exact: true });
  await form.getByLabel('Name', { exact: true }).fill(name);
  await form.getByLabel('One model').check();
  await form.getByLabel('Model', { exact: true }).fill('Zz 9');
  await page.keyboard.press('Escape');
  const search = page.getByRole('combobox', { name: 'Add setting' });
  await search.focus();
  await page.keyboard.type('passw');
  await page.locator('[role=option][data-combobox-selected]').waitFor();
  await page.keyboard.press('Enter');
  await field.fill('short');
  await form.getByRole('button', { name: 'Add template', exact: true }).click();
  await form.getByText(/^Use 6 to 30 letters/).waitFor();
  await field.fill(password);
  await page.waitForResponse((answer) => answer.url().includes('/configTemplate/preview'));
  await form.getByRole('button', { name: 'Add template', exact: true }).click();

  const row = page.locator('[data-id]').filter({ hasText: name });
  await row.getByRole('button', { name: /^Actions for / }).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await expect.poll(() => field.getAttribute('placeholder')).toMatch(/^Hidden, no\. [0-9A-F]{4}$/);
  expect(await field.inputValue()).toBe('');
  await field.fill(`${password}2`);
  await form.getByLabel(/^Reason/).fill('The former one was told');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Add template', exact: true }).waitFor();
  expect(asked.length).toBeGreaterThan(4);
  expect(asked.join(' ')).not.toContain('Zz-Admin');
  expect(await page.content()).not.toContain('Zz-Admin');
});
