import { expect, it } from 'vitest';
import { deleteView, listViews } from '@carillon/contracts';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

it('a view of a list is saved with its filters, sort, size and columns, opened again from anywhere in the list, shared, changed and deleted', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/device/list?state=online&search=room&sort=-name&limit=50');
  const views = page.getByRole('dialog', { name: 'Views' });
  const saved = () => platform.call(listViews, { query: { list: 'device' } });
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'SN', exact: true }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Views' }).click();
  await views.getByText('No saved views yet.').waitFor();
  await views.getByRole('button', { name: 'Save view' }).click();
  await views.getByText('Enter a name.').waitFor();
  await views.getByLabel('View name').fill('Rooms with SN');
  await views.getByRole('button', { name: 'Save view' }).click();
  await views.getByRole('button', { name: 'Rooms with SN', exact: true }).waitFor();
  try {
    expect(await saved()).toMatchObject([
      {
        name: 'Rooms with SN',
        own: true,
        shared: false,
        state: { search: 'room', limit: 50, sort: '-name', filters: { state: ['online'] } },
      },
    ]);
    // One name, one view.
    await views.getByLabel('View name').fill('rooms with sn');
    await views.getByRole('button', { name: 'Save view' }).click();
    await views.getByText('You already have a view with this name.').waitFor();
    await views.getByRole('button', { name: 'Share “Rooms with SN”' }).click();
    await views.getByText('Shared', { exact: true }).waitFor();
    expect((await saved())[0]!.shared).toBe(true);
    await page.keyboard.press('Escape');
    // Elsewhere in the list, without the column: the view brings all of it back.
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await page.keyboard.press('Escape');
    await page.goto('/device/list?limit=5');
    await page.locator('[data-id]').first().waitFor();
    expect(await page.getByRole('columnheader', { name: 'SN' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Views' }).click();
    await views.getByRole('button', { name: /^Rooms with SN/ }).click();
    await page.waitForURL((url) =>
      ['state=online', 'search=room', 'sort=-name', 'limit=50'].every((part) => url.search.includes(part)),
    );
    await page.getByRole('columnheader', { name: 'SN' }).waitFor();
    expect(await page.locator('footer select').inputValue()).toBe('50');
    await page.getByRole('button', { name: 'Views' }).click();
    await views.getByRole('button', { name: 'Delete “Rooms with SN”' }).click();
    await views.getByText('No saved views yet.').waitFor();
    expect(await saved()).toEqual([]);
  } finally {
    for (const view of await saved()) await platform.call(deleteView, { query: { id: view.id } });
  }
});
