// @module-tag slow
import { expect, it } from 'vitest';
import { addOrganization, deleteOrganization } from '@carillon/contracts';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it('name and row open the record in a drawer with its page or dialog, and arrows move between names', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/system/users');
  // Name and row do the same: both open the drawer, which links to the page.
  const ways = [
    page.getByRole('link', { name: 'viewer', exact: true }),
    page.locator('tr', { hasText: 'viewer' }).locator('td').nth(4),
  ];
  for (const way of ways) {
    await way.click();
    await page.waitForURL(/\/system\/users\?user=/);
    await page.getByRole('dialog', { name: 'viewer' }).getByRole('link', { name: 'Open page' }).click();
    await page.waitForURL(/\/system\/users\/editUser\?id=/);
    await page.goto('/system/users');
  }

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
    const drawer = page.getByRole('dialog', { name: 'Two by its name' });
    await drawer.getByRole('button', { name: 'Edit' }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Two by its name');
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: /^Edit/ });
    expect(await dialog.getByRole('textbox').first().inputValue()).toBe('Two by its name');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // Each Esc closes one thing, and returns the focus to what opened it.
    await expect.poll(focused).toBe('Edit');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Two by its name');
  } finally {
    for (const id of ids) await platform.call(deleteOrganization, { body: { id } });
  }
});
