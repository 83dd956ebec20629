// @module-tag slow
import { expect, it } from 'vitest';
import { deleteEmailNotice, listEmailNotices } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';
import { settled } from '../../../../test/screen/screen.ts';

const product = useProduct();

it('email notices are added, edited, deleted and restored, and need a recipient [NOTE-03/page]', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/system/emailNotice');
  const row = (name: string) => page.locator('main [data-id]').filter({ hasText: name });
  const act = async (name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const found = async () => (await platform.call(listEmailNotices, { query: { search: 'Zz' } })).records;
  try {
    await page.locator('main h1').first().waitFor();
    await settled(page);
    await page.getByRole('link', { name: 'Add email notice' }).first().click();
    await page.waitForURL('**/system/emailNotice/addEmailNotice');
    await page.getByRole('heading', { name: 'Add email notice' }).waitFor();
    await settled(page);
    await page.getByLabel('Title').fill('Zz night');
    const save = page.getByRole('button', { name: 'Add email notice', exact: true });
    await save.click();
    await page.getByText('Enter an email address, or choose a role or a user.').waitFor();
    await page.getByLabel('Emails').fill('zz@example.com, zz2@example.com');
    await save.click();
    await row('Zz night').getByText('zz@example.com').waitFor();
    expect(await found()).toMatchObject([
      { title: 'Zz night', emails: ['zz@example.com', 'zz2@example.com'], sendType: 'immediate', level: 'medium' },
    ]);
    await act('Zz night', 'Edit');
    await page.getByRole('combobox', { name: 'Send' }).click();
    await page.getByRole('option', { name: 'Once a day' }).click();
    await page.getByLabel('Time', { exact: true }).fill('07:30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await row('Zz night').getByText('07:30').waitFor();
    await act('Zz night', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete email notice Zz night' }).click();
    await row('Zz night').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Zz night').waitFor();
    expect(await found()).toMatchObject([{ title: 'Zz night', time: '07:30' }]);
  } finally {
    for (const { id } of await found()) await platform.call(deleteEmailNotice, { query: { id } });
  }
});
