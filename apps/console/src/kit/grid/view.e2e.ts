import { expect, it } from 'vitest';
import { addView, deleteView, listDevices, listViews } from '@carillon/contracts';
import type { Page } from 'playwright-core';
import { eventually } from '@carillon/testing';
import { fillLogin, useProduct } from '../../../test/browser.ts';

const product = useProduct();
const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });
const current = (page: Page) => views(page).locator('[aria-current]').innerText();

it(
  'a view is saved with filters, sort, size and columns, opened, changed, shared and deleted',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { page } = await product.administrator('/device/list?state=online&search=room&sort=-name&limit=50');
    const saved = () => platform.call(listViews, { query: { list: 'device' } });
    const found = async (query: object) => (await platform.call(listDevices, { query })).total;
    const form = page.getByRole('dialog', { name: 'Save view' });
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'SN', exact: true }).check();
    await page.keyboard.press('Escape');
    expect(await current(page)).toMatch(/^All\s*260$/);
    await views(page).getByRole('button', { name: 'Save view' }).click();
    await form.getByRole('button', { name: 'Save view' }).click();
    await form.getByText('Enter a name.').waitFor();
    await form.getByLabel('View name').fill('Rooms with SN');
    await form.getByRole('button', { name: 'Save view' }).click();
    const tab = views(page).getByRole('button', { name: /^Rooms with SN/ });
    await tab.waitFor();
    try {
      expect(await saved()).toMatchObject([
        {
          name: 'Rooms with SN',
          own: true,
          shared: false,
          state: { search: 'room', limit: 50, sort: '-name', filters: { state: ['online'] } },
        },
      ]);
      // It is open, unchanged, and shows its count.
      const rooms = await found({ state: ['online'], search: 'room' });
      await expect.poll(() => current(page)).toBe(`Rooms with SN\n${rooms}`);
      expect(await views(page).getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
      // The name is unique.
      await views(page).getByRole('button', { name: 'Save view' }).click();
      await form.getByLabel('View name').fill('rooms with sn');
      await form.getByRole('button', { name: 'Save view' }).click();
      await form.getByText('You already have a view with this name.').waitFor();
      await page.keyboard.press('Escape');

      // All records, in the user's own columns.
      await views(page).getByRole('button', { name: /^All/ }).click();
      await page.waitForURL((url) => !url.search.includes('state='));
      await expect.poll(() => current(page)).toMatch(/^All\s*260$/);
      await page.getByRole('columnheader', { name: 'SN' }).waitFor();
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('button', { name: 'Reset columns' }).click();
      await page.keyboard.press('Escape');
      await page.goto('/device/list?limit=5');
      await page.locator('[data-id]').first().waitFor();
      expect(await page.getByRole('columnheader', { name: 'SN' }).count()).toBe(0);
      await expect.poll(() => tab.innerText()).toBe(`Rooms with SN\n${rooms}`);
      await tab.click();
      await page.waitForURL((url) =>
        ['state=online', 'search=room', 'sort=-name', 'limit=50', 'view='].every((part) => url.search.includes(part)),
      );
      await page.getByRole('columnheader', { name: 'SN' }).waitFor();
      expect(await page.locator('footer select').inputValue()).toBe('50');

      // A changed view is marked, also after a reload; it can be reset or saved.
      await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
      await views(page).getByRole('img', { name: 'Changed' }).waitFor();
      await page.reload();
      await views(page).getByRole('img', { name: 'Changed' }).waitFor();
      await views(page).getByRole('button', { name: 'Reset' }).click();
      await views(page).getByRole('img', { name: 'Changed' }).waitFor({ state: 'detached' });
      await page.waitForURL(/sort=-name/);
      await page.locator('footer select').selectOption('20');
      await views(page).getByRole('button', { name: 'Save', exact: true }).click();
      await views(page).getByRole('img', { name: 'Changed' }).waitFor({ state: 'detached' });
      expect((await saved())[0]!.state).toMatchObject({ limit: 20, sort: '-name' });

      // All records bring back the earlier columns.
      await views(page).getByRole('button', { name: /^All/ }).click();
      await page.getByRole('columnheader', { name: 'SN' }).waitFor({ state: 'detached' });

      await views(page).getByRole('button', { name: 'Manage views' }).click();
      const manage = page.getByRole('dialog', { name: 'Manage views' });
      await manage.getByRole('button', { name: 'Share “Rooms with SN”' }).click();
      await tab.getByRole('img', { name: 'Shared' }).waitFor();
      expect((await saved())[0]!.shared).toBe(true);
      await manage.getByRole('button', { name: 'Delete “Rooms with SN”' }).click();
      await tab.waitFor({ state: 'detached' });
      expect(await saved()).toEqual([]);
    } finally {
      for (const view of await saved()) await platform.call(deleteView, { query: { id: view.id } });
    }
  },
);

it('a shared view names its owner and is saved only as a new one; phones have the tabs too', async () => {
  const { platform } = product;
  const state = { search: '', limit: 20, filters: { 'name.contains': ['room'], 'lastOnlineAt.within': ['30d'] } };
  const shared = await platform.call(addView, {
    body: { list: 'device', name: 'Rooms of late', shared: true, state, layout: {} },
  });
  try {
    const { page } = await product.visit({ viewport: { width: 390, height: 844 } });
    await page.goto('/device/list');
    await fillLogin(page, platform.viewer);
    const tab = views(page).getByRole('button', { name: /^Rooms of late/ });
    await tab.getByRole('img', { name: /^Shared by / }).waitFor();
    await tab.click();
    await page.waitForURL(/name\.contains=room/);
    await page.getByRole('button', { name: /Name contains “room”/ }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter “Last online”' }).click();
    await views(page).getByRole('img', { name: 'Changed' }).waitFor();
    expect(await views(page).getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
    await views(page).getByRole('button', { name: 'Save as new' }).waitFor();
    // The shared record is unchanged: it belongs to its owner.
    await eventually(async () => {
      const [still] = await platform.call(listViews, { query: { list: 'device' } });
      expect(still).toMatchObject({ id: shared.id, state });
    });
  } finally {
    await platform.call(deleteView, { query: { id: shared.id } });
  }
});
