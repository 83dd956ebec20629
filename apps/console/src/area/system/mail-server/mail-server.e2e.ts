import { afterAll, expect, it } from 'vitest';
import { deleteMailServer, editSysConfig, getMailServer } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
afterAll(async () => {
  await product.platform.call(deleteMailServer).catch(() => undefined);
  await product.platform.call(editSysConfig, { body: { configKey: 'importCsv', value: false } });
});

it(
  'the mail server is set, disabled and removed without showing its password [NOTE-03/server]',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { page } = await product.administrator('/system/mailServer');
    const form = page.getByRole('form', { name: 'Email server' });
    const answers: string[] = [];
    page.on('response', (answer) => {
      if (answer.url().includes('/api/'))
        answer.text().then(
          (text) => answers.push(text),
          () => undefined,
        );
    });
    expect(await form.locator('[name=port]').inputValue()).toBe('465');
    await form.locator('[name=host]').fill('10.0.0.8');
    await form.locator('[name=from]').fill('Bells <bells@example.com>');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This server can’t be reached from here.').waitFor();
    await form.locator('[name=host]').fill('mail.example.com');
    await form.locator('[name=mailPassword]').fill('Sealed-Secret-7');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Emails of your company go through mail.example.com.').waitFor();
    await page.getByText('Saved. Leave empty to keep it.').waitFor();
    expect((await platform.call(getMailServer)).server).toEqual({
      host: 'mail.example.com',
      port: 465,
      security: 'tls',
      user: null,
      from: 'Bells <bells@example.com>',
      passwordSet: true,
      enabled: true,
    });
    await form.locator('[name=enabled]').uncheck();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('mail.example.com is not used.').waitFor();
    await page.getByRole('button', { name: 'Remove server' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove email server mail.example.com' }).click();
    await page.getByText('mail.example.com is not used.').waitFor({ state: 'detached' });
    expect((await platform.call(getMailServer)).server).toBeNull();
    expect(answers.filter((text) => text.includes('Sealed-Secret-7'))).toEqual([]);
  },
);

it('the import dialog accepts .csv once the operator has allowed it [SYS-11/setting]', async () => {
  const { page } = await product.administrator('/account/sip/sipServer');
  const types = async () => {
    await page.goto('/account/sip/sipServer');
    await page.locator('main').getByRole('button', { name: 'Import' }).click();
    const field = page.getByRole('dialog').locator('input[type=file]');
    await field.waitFor();
    return { field, text: page.getByRole('dialog').getByText('up to 16 MB') };
  };
  const before = await types();
  await before.text.filter({ hasText: '.xls, .xlsx, up to' }).waitFor();
  await page.goto('/system/config?tab=imports');
  await page.locator('[name=importCsv]').check();
  await page.getByText('Imports saved').first().waitFor();
  const after = await types();
  await after.text.filter({ hasText: '.xls, .xlsx, .csv, up to' }).waitFor();
  expect(await after.field.getAttribute('accept')).toBe('.xls,.xlsx,.csv');
  await after.field.setInputFiles({
    name: 'servers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name;Address\nZz CSV;pbx.example.com\n'),
  });
  await page.getByRole('dialog').getByText('servers.csv').first().waitFor();
  await page.getByRole('dialog').getByText('1 row').first().waitFor();
});
