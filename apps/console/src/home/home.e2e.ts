import { expect, it } from 'vitest';
import { listDevices } from '@carillon/contracts';
import { useProduct } from '../../test/browser.ts';

const product = useProduct();

it('home shows status, models and registrations as charts whose numbers lead to their lists, and a list that is narrowed there, live [HOME-01/charts]', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/wel/home');
  await page.getByText('Live', { exact: true }).first().waitFor();
  for (const heading of ['Models', 'Line registrations', 'Firmware versions', 'Running tasks']) await page.getByRole('heading', { name: heading }).waitFor();
  const figure = async (name: string) => Number((await page.getByRole('link', { name: new RegExp(`^${name}`) }).locator('strong').innerText()).replaceAll(',', ''));
  await expect.poll(() => figure('Online')).not.toBeNaN();
  const totals = await Promise.all(['Online', 'Offline', 'Abnormal', 'Not configured'].map(figure));
  expect(totals.reduce((a, b) => a + b)).toBe(260);
  // Each number is the list behind it.
  for (const link of [page.getByRole('link', { name: /^Not configured/ }), page.getByRole('heading', { name: 'Models' }).locator('xpath=..').getByRole('link').first(), page.getByRole('heading', { name: 'Line registrations' }).locator('xpath=..').getByRole('link', { name: 'Registered', exact: true })]) {
    await page.goto('/wel/home');
    await link.waitFor();
    await link.click();
    await page.waitForURL('**/device/list?*');
    await page.locator('[data-id]').first().waitFor();
    const search = new URL(page.url()).searchParams;
    const { total } = await platform.call(listDevices, { query: Object.fromEntries([...search.keys()].map((k) => [k, search.getAll(k)])) as never });
    await expect.poll(() => page.locator('main header').first().innerText()).toContain(String(total));
  }
  // Narrowed by state and text, kept in the address, opened whole with the same filter.
  await page.goto('/wel/home');
  const rows = page.locator('tr[data-device]');
  await page.getByRole('button', { name: 'Online', exact: true }).click();
  await expect.poll(() => rows.count()).toBe(8);
  await page.getByRole('textbox', { name: 'Name, MAC, SN or IP' }).fill('room');
  await page.waitForURL('**/wel/home?state=online&search=room');
  await expect.poll(async () => (await rows.allInnerTexts()).every((r) => /room/i.test(r) && r.startsWith('Online'))).toBe(true);
  await page.reload();
  await rows.first().waitFor();
  await page.getByRole('link', { name: 'Open in list' }).click();
  await page.waitForURL('**/device/list?state=online&search=room');
  // Live: a line that fails is there without a reload.
  await page.goto('/wel/home');
  await expect.poll(() => figure('Abnormal')).not.toBeNaN();
  const before = await figure('Abnormal');
  const [device] = (await platform.call(listDevices, { query: { state: ['online'], limit: 5, page: 4 } })).records;
  const lines = (status: string) => [{ line: 1, account: '2001', server: 'pbx.demo.example', status }];
  await platform.simulator('/state', { mac: device!.mac, lines: lines('failed') });
  await expect.poll(() => figure('Abnormal')).toBe(before + 1);
  await platform.simulator('/state', { mac: device!.mac, lines: lines('registered') });
  await expect.poll(() => figure('Abnormal')).toBe(before);
});
