import { expect, it } from 'vitest';
import { addOrganization, deleteOrganization } from '@carillon/contracts';
import { useProduct } from '../../test/browser.ts';

const product = useProduct();

it('the name of a row opens the record, in a page of its own or in a dialog, and arrows go from name to name', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/system/users');
  await page.getByRole('link', { name: 'viewer', exact: true }).click();
  await page.waitForURL(/\/system\/users\/editUser\?id=/);
  await page.goBack();
  await page.locator('tr', { hasText: 'viewer' }).locator('td').nth(4).click();
  await page.waitForURL(/\/system\/users\/editUser\?id=/);

  const { id } = await platform.call(addOrganization, { body: { name: 'Zz by its name', description: '' } });
  try {
    await page.goto('/system/organization');
    const name = page.getByRole('button', { name: 'Zz by its name', exact: true });
    await name.waitFor();
    await page.locator('tr [data-name]').first().focus();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const names = await page.locator('tr [data-name]').allTextContents();
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe(names[1]);
    await page.keyboard.press('End');
    await expect.poll(focused).toBe('Zz by its name');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('textbox').first().inputValue()).toBe('Zz by its name');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Zz by its name');
  } finally { await platform.call(deleteOrganization, { body: { id } }); }
});
