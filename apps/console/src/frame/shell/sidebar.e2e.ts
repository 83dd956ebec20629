import { expect, it } from 'vitest';
import { axeFaults } from '../../../test/axe.ts';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it(
  'the menu folds its groups by pointer and key, remembers it, and opens the group of the visible page',
  { tags: 'slow' },
  async () => {
    const { page } = await product.loggedIn('/wel/home');
    const menu = page.getByRole('navigation', { name: 'Menu' });
    const group = menu.getByRole('button', { name: 'System' });
    const users = menu.getByRole('link', { name: 'Users' });
    await menu.getByRole('link', { name: 'Devices' }).waitFor();
    expect([await group.getAttribute('aria-expanded'), await users.count()]).toEqual(['false', 0]);

    // Open while a page of it is visible, although the user did not unfold it.
    await page.goto('/system/users');
    await menu.locator('[aria-current=page]').filter({ hasText: 'Users' }).waitFor();
    await menu.getByRole('link', { name: 'Devices' }).click();
    await expect.poll(() => users.count()).toBe(0);

    await group.focus();
    await page.keyboard.press('Enter');
    await users.waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('li li') !== null)).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    await page.reload();
    await users.waitFor();
    await menu.getByRole('button', { name: 'Collapse' }).click();
    // Icons without text have tooltips and labels.
    await menu.getByRole('link', { name: 'Users' }).waitFor();
    expect(await group.getAttribute('title')).toBe('System');
    expect(await axeFaults(page)).toEqual([]);
    await group.click();
    await expect.poll(() => users.count()).toBe(0);
    await page.reload();
    await menu.getByRole('link', { name: 'Devices' }).waitFor();
    expect(await users.count()).toBe(0);

    await page.setViewportSize({ width: 390, height: 780 });
    await page.getByRole('banner').first().getByRole('button', { name: 'Menu', exact: true }).click();
    await group.click();
    await users.click();
    await page.waitForURL('**/system/users');
  },
);
