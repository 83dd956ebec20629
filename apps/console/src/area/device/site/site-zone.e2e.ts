// @module-tag slow
import { expect, it } from 'vitest';
import { addSite, deleteSite, getSite } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('a site gets a time zone in its dialog and returns to that of the company [SITE-01/zone-console]', async () => {
  const { call } = product.platform;
  const site = await call(addSite, {
    body: { name: 'Zz zone', parentId: null, description: '', segments: '', autoAssign: false },
  });
  try {
    const { page } = await product.administrator('/site/list');
    const dialog = page.getByRole('dialog');
    const field = dialog.getByRole('combobox', { name: 'Time zone' });
    const edit = async () => {
      await page.getByRole('button', { name: 'Actions for Zz zone', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
      await field.waitFor();
    };
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      return (await call(getSite, { params: { id: site.id } })).timeZone;
    };
    await edit();
    expect(await field.inputValue()).toBe('Same as the company');
    await field.fill('lisbon');
    await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
    expect(await save()).toBe('Europe/Lisbon');
    await page.goto(`/site/list?timeZone=Europe%2FLisbon`);
    await edit();
    expect(await field.inputValue()).toBe('Europe/Lisbon');
    await dialog.getByLabel('Description').fill('By the river');
    expect(await save()).toBe('Europe/Lisbon');
    await page.goto('/site/list');
    await edit();
    await field.fill('same');
    await page.getByRole('option', { name: 'Same as the company' }).click();
    expect(await save()).toBeNull();
  } finally {
    await call(deleteSite, { query: { id: site.id } });
  }
});
