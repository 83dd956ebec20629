import { inject, expect, it } from 'vitest';
import { listDevices, listTasks } from '@carillon/contracts';
import { useProduct } from '../test/browser.ts';
import { publicScreens, screens } from '../test/screens.ts';
import { shots } from '../shots.ts';

const product = useProduct();

/** The other languages, and the narrow ones of this, by `./carillon shots`. */
it('every screen, light and wide, dark and 360 px narrow, passes axe, and nothing in it is cut, missing or an error in the longest language; the sidebar collapses, and on a small screen after a click [SHELL-08] [SHELL-20/axe]', async () => {
  const { platform } = product;
  if ((await platform.call(listTasks, { query: {} })).total === 0) {
    const [device] = (await platform.call(listDevices, { query: { state: ['online'], limit: 5 } })).records;
    const { page } = await product.administrator(`/device/deviceDetail?id=${device!.id}`);
    await page.getByRole('button', { name: 'Reboot' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reboot' }).click();
    await page.getByText('1 of 1 device finished').waitFor();
    await platform.allOnline(inject('product').online);
  }
  const one = { url: platform.ready.url, user: platform.ready.admin.username, password: platform.ready.admin.password, languages: ['pt_BR'], out: `${platform.folder}/shots` } as const;
  const all = [...publicScreens, ...screens];
  const both = await Promise.all([shots({ ...one, schemes: ['light'], widths: [1440] }), shots({ ...one, schemes: ['dark'], widths: [360] })]);
  expect(both.flatMap((s) => s.faults)).toEqual([]);
  expect(both.map((s) => s.pictures)).toEqual([all.length, all.filter((s) => !s.wide).length]);

  const { page } = await product.administrator('/wel/home');
  const menu = page.getByRole('navigation', { name: 'Menu' });
  const width = async () => (await menu.boundingBox())?.width ?? 0;
  await menu.getByText('Operation log', { exact: true }).waitFor();
  const wide = await width();
  await menu.getByRole('button', { name: 'Collapse' }).click();
  await expect.poll(width).toBeLessThan(wide / 2);
  expect(await menu.getByText('Operation log', { exact: true }).count()).toBe(0);
  await page.reload();
  // Its names are said and shown by the icons alone, also after a reload.
  await menu.getByRole('link', { name: 'Operation log' }).click();
  await page.waitForURL('**/system/operationLog');
  expect(await width()).toBeLessThan(wide / 2);
  await menu.getByRole('button', { name: 'Expand the menu' }).click();
  await expect.poll(width).toBe(wide);
  await page.setViewportSize({ width: 360, height: 780 });
  await expect.poll(() => menu.count()).toBe(0);
  await page.getByRole('banner').first().getByRole('button', { name: 'Menu', exact: true }).click();
  await menu.getByRole('link', { name: 'Tasks' }).click();
  await page.waitForURL('**/task/list');
  await expect.poll(() => menu.count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
}, 300_000);
