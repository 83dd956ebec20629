import { expect, it } from 'vitest';
import { addOrganization, deleteOrganization } from '@carillon/contracts';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it('the name of a row opens the record, in a page of its own or in a dialog, the rest of it a drawer, and arrows go from name to name', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/system/users');
  await page.getByRole('link', { name: 'viewer', exact: true }).click();
  await page.waitForURL(/\/system\/users\/editUser\?id=/);
  await page.goBack();
  // Elsewhere in the row its drawer opens, which leads to the page, too.
  await page.locator('tr', { hasText: 'viewer' }).locator('td').nth(4).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Open page' }).click();
  await page.waitForURL(/\/system\/users\/editUser\?id=/);

  const ids = await Promise.all(
    ['One by its name', 'Two by its name'].map(
      async (name) => (await platform.call(addOrganization, { body: { name, description: '' } })).id,
    ),
  );
  try {
    await page.goto('/system/organization?search=by+its+name&sort=name');
    for (const name of ['One', 'Two'])
      await page.getByRole('button', { name: `${name} by its name`, exact: true }).waitFor();
    await page.locator('tr [data-name]').first().focus();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('Two by its name');
    await page.keyboard.press('Home');
    await expect.poll(focused).toBe('One by its name');
    await page.keyboard.press('End');
    await expect.poll(focused).toBe('Two by its name');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('textbox').first().inputValue()).toBe('Two by its name');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Two by its name');
  } finally {
    for (const id of ids) await platform.call(deleteOrganization, { body: { id } });
  }
});
