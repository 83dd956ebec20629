import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { listDevices, listTasks } from '@carillon/contracts';
import { useProduct } from '../../test/browser.ts';

const product = useProduct();
const bar = (page: Page) => page.locator('main [role=region]');
const names = (page: Page) => page.locator('[data-name]').allTextContents();
const done = (page: Page) => page.getByRole('dialog').getByRole('progressbar').first().getAttribute('aria-valuenow');
/** How often each device has done what it was told, by its own count. */
const counts = async () => new Map([...await product.platform.effects()].map(([mac, effects]) => [mac, effects.reduce((sum, e) => sum + e.count, 0)]));

it('selects all that match over every page but one left out, and exactly those reboot, live [SHELL-17/selection] [DEV-06/reboot]', async () => {
  const { platform } = product;
  const { page } = await product.administrator();
  const before = await counts();
  const shown = (await platform.call(listDevices, { query: { page: 2 } })).records;
  const offline = shown.slice(10, 14).map((d) => d.mac);
  await platform.behave(offline, 'offline');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: 'Select all 260 that match' }).click();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('checkbox', { name: `Select ${shown[0]!.name}`, exact: true }).click();
  await expect.poll(() => bar(page).innerText()).toMatch(/259 selected\s+all that match, 1 left out/);
  await bar(page).getByRole('button', { name: 'Reboot' }).click();
  await page.getByRole('button', { name: 'Reboot 259 devices' }).click();
  await page.getByRole('dialog').getByText('of 259 devices finished').waitFor();
  // Those that are offline wait until they are there again: nothing is reloaded, the page is told.
  await expect.poll(() => done(page), { timeout: 40_000 }).toBe('255');
  await platform.behave(offline, 'normal');
  await expect.poll(() => done(page), { timeout: 40_000 }).toBe('259');
  await page.getByRole('dialog').getByText(/^Ended \d{4}-/).waitFor();
  const after = await counts();
  const rebooted = [...after].filter(([mac, count]) => count !== (before.get(mac) ?? 0));
  expect(rebooted.every(([mac, count]) => count === (before.get(mac) ?? 0) + 1)).toBe(true);
  expect(rebooted).toHaveLength(259);
  expect(rebooted.map(([mac]) => mac)).not.toContain(shown[0]!.mac);
  await platform.allOnline(260);
});

it('a device reboots from its own page, once it was asked for and confirmed [DEV-06/reboot-detail]', async () => {
  const { platform } = product;
  const [device] = (await platform.call(listDevices, { query: { page: 3 } })).records;
  const before = (await counts()).get(device!.mac) ?? 0;
  const { page } = await product.administrator(`/device/deviceDetail?id=${device!.id}`);
  await page.getByRole('button', { name: 'Reboot' }).click();
  await page.getByRole('dialog', { name: `Reboot ${device!.name}?` }).getByRole('button', { name: 'Reboot' }).click();
  await page.getByRole('dialog', { name: `Reboot ${device!.name}` }).getByText('1 of 1 device finished').waitFor();
  expect((await counts()).get(device!.mac)).toBe(before + 1);
  await platform.allOnline(260);
});

it('brings filters, search, sort, size and page back after a reload and by Back [SHELL-17/address]', async () => {
  const { platform } = product;
  const { page } = await product.administrator();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name: 'Status' }).click();
  await page.getByRole('checkbox', { name: /Online/ }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await page.locator('footer select').selectOption('10');
  await page.getByLabel('Name, MAC, SN or IP').fill('room');
  await page.waitForURL(/search=room/);
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL(/page=2/);
  const expected = (await platform.call(listDevices, { query: { search: 'room', state: ['online'], sort: '-name', page: 2, limit: 10 } })).records.map((d) => d.name);
  expect(expected).toHaveLength(10);
  await expect.poll(() => names(page)).toEqual(expected);
  await page.reload();
  await expect.poll(() => names(page)).toEqual(expected);
  expect(await page.getByLabel('Name, MAC, SN or IP').inputValue()).toBe('room');
  await page.locator('[data-name]').first().click();
  await page.waitForURL(/id=/);
  await page.goBack();
  await expect.poll(() => names(page)).toEqual(expected);
});

it('is used with the keyboard alone: search, rows, selection, drawer [SHELL-20/device-list]', async () => {
  const { page } = await product.administrator();
  await page.keyboard.press('/');
  await page.keyboard.type('room');
  await page.waitForURL(/search=room/);
  await expect.poll(async () => (await names(page)).every((n) => /room/i.test(n))).toBe(true);
  await page.keyboard.press('Tab');
  for (let i = 0; i < 40 && !await page.evaluate(() => document.activeElement?.matches('[data-name]')); i++) await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => bar(page).innerText()).toContain('2 selected');
  const third = (await names(page))[2]!;
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: third }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(third);
});

it('keeps a page of 200 rows light, and reaches its last row, which was not drawn [SHELL-17/sizes]', async () => {
  const { page } = await product.administrator();
  expect(await page.locator('footer select option').allTextContents()).toEqual([5, 10, 20, 30, 50, 100, 150, 200].map((n) => `${n} rows`));
  expect(await page.locator('footer select').inputValue()).toBe('20');
  expect(await page.locator('[data-id]').count()).toBe(20);
  await page.locator('footer select').selectOption('200');
  await page.locator('table[aria-rowcount="201"]').waitFor();
  expect(await page.locator('tbody *').count()).toBeLessThan(2500);
  await page.locator('[data-name][tabindex="0"]').focus();
  await page.keyboard.press('End');
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex'))).toBe('201');
});

it('keeps its rows when they cannot be renewed, says so, and tries again', async () => {
  const { page } = await product.administrator();
  await page.route('**/api/f/device/device/list*', (route) => route.abort());
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('Devices could not be loaded').waitFor();
  expect(await page.locator('[data-id]').count()).toBe(20);
  await page.unroute('**/api/f/device/device/list*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Devices could not be loaded').waitFor({ state: 'detached' });
});

it('shows the task that runs again after a reload, with its filter, and stops it [SHELL-17/progress]', async () => {
  const { platform } = product;
  const some = (await platform.call(listDevices, { query: { page: 1 } })).records;
  const waiting = some.slice(0, 8).map((d) => d.mac);
  await platform.behave(waiting, 'offline');
  const { page } = await product.administrator();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await bar(page).getByRole('button', { name: 'Reboot' }).click();
  await page.getByRole('button', { name: 'Reboot 20 devices' }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Waiting/ }).click();
  await page.waitForURL(/taskState=wait/);
  await expect.poll(() => done(page), { timeout: 20_000 }).toBe('12');
  await page.reload();
  const drawer = page.getByRole('dialog', { name: 'Reboot 20 devices' });
  await drawer.waitFor();
  expect(await done(page)).toBe('12');
  await expect.poll(() => drawer.getByRole('button', { name: /^Waiting/ }).getAttribute('aria-pressed')).toBe('true');
  await expect.poll(() => drawer.locator('tbody tr').count()).toBe(8);
  await drawer.getByRole('button', { name: 'Stop task' }).click();
  await page.getByRole('dialog', { name: /^Stop “Reboot 20 devices”/ }).getByRole('button', { name: 'Stop task' }).click();
  await drawer.getByText(/^Ended \d{4}-/).waitFor();
  const [task] = (await platform.call(listTasks, { query: { search: 'Reboot 20 devices' } })).records;
  expect([task!.status, task!.counts]).toEqual(['stop', { total: 20, success: 12, fail: 0, timeout: 0, cancel: 8, process: 0, wait: 0 }]);
  await platform.behave(waiting, 'normal');
  await platform.allOnline(260);
});
