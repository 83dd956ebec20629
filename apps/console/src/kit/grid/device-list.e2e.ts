import { readFileSync } from 'node:fs';
import { readXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { listDevices, listTasks, stopTask } from '@carillon/contracts';
import { lane, useProduct } from '../../../test/browser.ts';

const product = useProduct();
const bar = (page: Page) => page.locator('main [role=region]');
const names = (page: Page) => page.locator('[data-name]').allTextContents();
const done = (page: Page) => page.getByRole('dialog').getByRole('progressbar').first().getAttribute('aria-valuenow');
/** Returns how many commands each device has executed, by its own count. */
const counts = async () =>
  new Map(
    [...(await product.platform.effects())].map(([mac, effects]) => [
      mac,
      effects.reduce((sum, e) => sum + e.count, 0),
    ]),
  );

it('reboots exactly all that match over every page but one, live [SHELL-17/selection] [DEV-06/reboot]', async () => {
  const { platform } = product;
  const { online } = lane();
  const { page } = await product.administrator();
  const before = await counts();
  const there = new Set((await platform.devices()).filter((d) => d.online).map((d) => d.mac));
  const out = (await platform.call(listDevices, { query: { page: 2 } })).records.find((d) => there.has(d.mac))!;
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: 'Select all 260 that match' }).click();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('checkbox', { name: `Select ${out.name}`, exact: true }).click();
  await expect.poll(() => bar(page).innerText()).toMatch(/259 selected\s+all that match, 1 left out/);
  await bar(page).getByRole('button', { name: 'Reboot' }).click();
  await page.getByRole('button', { name: 'Reboot 259 devices' }).click();
  await page.getByRole('dialog').getByText('of 259 devices finished').waitFor();
  // The page updates without a reload. Offline devices keep waiting.
  await expect.poll(() => done(page), { timeout: 60_000 }).toBe(String(online - 1));
  // The list of its devices is updated with the counts.
  await expect
    .poll(
      async () =>
        (await page.getByRole('dialog').locator('tbody tr').allInnerTexts()).filter((row) => row.startsWith('Success'))
          .length,
    )
    .toBeGreaterThan(10);
  const after = await counts();
  const rebooted = [...after].filter(([mac, count]) => count !== (before.get(mac) ?? 0));
  expect(rebooted.every(([mac, count]) => count === (before.get(mac) ?? 0) + 1)).toBe(true);
  expect(rebooted.map(([mac]) => mac).sort()).toEqual([...there].filter((mac) => mac !== out.mac).sort());
  const { id, counts: sums } = await platform.taskNamed('Reboot 259 devices');
  expect(sums).toMatchObject({ total: 259, success: online - 1, wait: 260 - online });
  await platform.call(stopTask, { params: { id } });
  await page
    .getByRole('dialog')
    .getByText(/^Ended \d{4}-/)
    .waitFor();
  await platform.allOnline(online);
});

it('a device reboots from its own page after a confirmation [DEV-06/reboot-detail]', { tags: 'slow' }, async () => {
  const { platform } = product;
  const [device] = (await platform.call(listDevices, { query: { state: ['online'], page: 3 } })).records;
  const before = (await counts()).get(device!.mac) ?? 0;
  const { page } = await product.administrator(`/device/deviceDetail?id=${device!.id}`);
  await page.getByRole('button', { name: 'Reboot' }).click();
  await page
    .getByRole('dialog', { name: `Reboot ${device!.name}?` })
    .getByRole('button', { name: 'Reboot' })
    .click();
  await page
    .getByRole('dialog', { name: `Reboot ${device!.name}` })
    .getByText('1 of 1 device finished')
    .waitFor();
  expect((await counts()).get(device!.mac)).toBe(before + 1);
  await platform.allOnline(lane().online);
});

it('restores filters, search, sort, size and page after a reload and by Back [SHELL-17/address]', async () => {
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
  const expected = (
    await platform.call(listDevices, {
      query: { search: 'room', state: ['online'], sort: '-name', page: 2, limit: 10 },
    })
  ).records.map((d) => d.name);
  expect(expected).toHaveLength(10);
  await expect.poll(() => names(page)).toEqual(expected);
  await page.reload();
  await page.locator('[data-name]').first().waitFor();
  await expect.poll(() => names(page)).toEqual(expected);
  expect(await page.getByLabel('Name, MAC, SN or IP').inputValue()).toBe('room');
  await page.locator('[data-name]').first().click();
  await page.waitForURL(/id=/);
  await page.goBack();
  await expect.poll(() => names(page)).toEqual(expected);
});

it('works by keyboard alone: search, rows, selection, drawer [SHELL-20/device-list]', async () => {
  const { page } = await product.administrator();
  await page.keyboard.press('/');
  await page.keyboard.type('room');
  await page.waitForURL(/search=room/);
  await expect.poll(async () => (await names(page)).every((n) => /room/i.test(n))).toBe(true);
  await page.keyboard.press('Tab');
  for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement?.matches('[data-name]'))); i++)
    await page.keyboard.press('Tab');
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

it('renders only visible rows of a page of 200, and reaches its last row [SHELL-17/sizes]', async () => {
  const { page } = await product.administrator();
  expect(await page.locator('footer select option').allTextContents()).toEqual(
    [5, 10, 20, 30, 50, 100, 150, 200].map((n) => `${n} rows`),
  );
  expect(await page.locator('footer select').inputValue()).toBe('20');
  expect(await page.locator('[data-id]').count()).toBe(20);
  await page.locator('footer select').selectOption('200');
  await page.locator('table[aria-rowcount="201"]').waitFor();
  expect(await page.locator('tbody *').count()).toBeLessThan(2500);
  await page.locator('[data-name][tabindex="0"]').focus();
  await page.keyboard.press('End');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex')))
    .toBe('201');
});

it('keeps its rows when an update fails, reports that, and retries', { tags: 'slow' }, async () => {
  const { page } = await product.administrator();
  await page.route('**/api/f/device/device/list*', (route) => route.abort());
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('Devices could not be loaded').waitFor();
  expect(await page.locator('[data-id]').count()).toBe(20);
  await page.unroute('**/api/f/device/device/list*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Devices could not be loaded').waitFor({ state: 'detached' });
});

it('shows a running task after a reload, with its filter, and stops it [SHELL-17/progress]', async () => {
  const { platform } = product;
  const away = new Set((await platform.devices()).filter((d) => !d.online).map((d) => d.mac));
  const { records } = await platform.call(listDevices, { query: { state: ['notConfigured'], limit: 100 } });
  const [total, waiting] = [records.length, records.filter((d) => away.has(d.mac)).length];
  expect(waiting).toBe(away.size);
  const name = `Reboot ${total} devices`;
  const { page } = await product.administrator('/device/list?state=notConfigured&limit=100');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await bar(page).getByRole('button', { name: 'Reboot' }).click();
  await page.getByRole('button', { name }).click();
  const drawer = page.getByRole('dialog', { name });
  await drawer.getByRole('button', { name: /^Waiting/ }).click();
  await page.waitForURL(/taskState=wait/);
  await expect.poll(() => done(page), { timeout: 30_000 }).toBe(String(total - waiting));
  await page.reload();
  await drawer.waitFor();
  await expect.poll(() => done(page)).toBe(String(total - waiting));
  await expect.poll(() => drawer.getByRole('button', { name: /^Waiting/ }).getAttribute('aria-pressed')).toBe('true');
  await expect.poll(() => drawer.locator('tbody tr').count()).toBe(waiting);
  await drawer.getByRole('button', { name: 'Stop task' }).click();
  await page
    .getByRole('dialog', { name: `Stop task ${name}` })
    .getByRole('button', { name: 'Stop task' })
    .click();
  await drawer.getByText(/^Ended \d{4}-/).waitFor();
  const [task] = (await platform.call(listTasks, { query: { search: name } })).records;
  expect([task!.status, task!.counts]).toEqual([
    'stop',
    { total, success: total - waiting, fail: 0, timeout: 0, cancel: waiting, process: 0, wait: 0 },
  ]);
  await platform.allOnline(lane().online);
});

it('columns are moved and resized by pointer and keyboard, and stay after a reload [SHELL-17/columns]', async () => {
  const { page } = await product.administrator();
  const heads = () =>
    page.locator('th[data-column]').evaluateAll((all) => all.map((th) => th.getAttribute('data-column')));
  const width = async (key: string) => Math.round((await page.locator(`th[data-column=${key}]`).boundingBox())!.width);
  expect((await heads()).slice(0, 3)).toEqual(['state', 'name', 'model']);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Move “Model” up' }).focus();
  await page.keyboard.press('Enter');
  const before = await width('mac');
  for (let n = 0; n < 3; n += 1) await page.getByRole('button', { name: 'Make “MAC” wider' }).press('Enter');
  await page.keyboard.press('Escape');
  const box = (await page.locator('th[data-column=lines]').boundingBox())!;
  await page.mouse.move(box.x + box.width - 3, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width + 37, box.y + 10, { steps: 4 });
  await page.mouse.up();
  await page.reload();
  await page.locator('[data-id]').first().waitFor();
  expect((await heads()).slice(0, 3)).toEqual(['state', 'model', 'name']);
  expect([await width('mac'), await width('lines')]).toEqual([before + 72, Math.round(box.width) + 40]);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('button', { name: 'Reset columns' }).click();
  expect((await heads()).slice(0, 3)).toEqual(['state', 'name', 'model']);
});

it('tables have sorting, filters, columns, a selection over pages and an export [SHELL-17/devices]', async () => {
  const { platform } = product;
  const { page } = await product.administrator();
  // Page sizes: the default is not in the address, any other is.
  expect(await page.locator('footer select option').allTextContents()).toEqual(
    [5, 10, 20, 30, 50, 100, 150, 200].map((n) => `${n} rows`),
  );
  expect(await page.locator('footer select').inputValue()).toBe('20');
  await page.locator('footer select').selectOption('5');
  await page.waitForURL(/limit=5/);
  await page.getByLabel('Name, MAC, SN or IP').fill('room');
  await page.waitForURL(/search=room/);
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await page.waitForURL(/sort=name/);
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await page.waitForURL(/sort=-name/);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name: 'Status' }).click();
  await page.getByRole('checkbox', { name: /Online/ }).check();
  await page.keyboard.press('Escape');
  await page.waitForURL(/state=online/);
  const { records, total } = await platform.call(listDevices, {
    query: { search: 'room', state: ['online'], sort: '-name', limit: 200 },
  });
  expect(total).toBeGreaterThan(5);
  await expect.poll(() => names(page)).toEqual(records.slice(0, 5).map((d) => d.name));
  // Columns: one removed, one added.
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Lines' }).uncheck();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'SN', exact: true }).check();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.locator('[data-id]').first().waitFor();
  await expect.poll(() => names(page)).toEqual(records.slice(0, 5).map((d) => d.name));
  await page.getByRole('columnheader', { name: 'SN' }).waitFor();
  expect(await page.getByRole('columnheader', { name: 'Lines' }).count()).toBe(0);

  // Exports the filtered records in the list's order and columns; the progress survives a reload until the file is
  // saved or dismissed.
  const strip = page.getByRole('region', { name: 'Export: Devices' });
  const begun = page.waitForResponse(
    (r) => r.request().method() === 'POST' && r.url().endsWith('/api/f/device/export'),
  );
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await begun).status()).toBe(202);
  await strip.waitFor();
  await page.reload();
  await strip.getByText(`The file with ${total} rows is ready`).waitFor();
  const sheet = async () => {
    const saved = page.waitForEvent('download');
    await strip.getByRole('button', { name: 'Download file' }).click();
    return (await readXlsx(readFileSync(await (await saved).path()))).sheets[0]!.rows.map((r) => [...r]);
  };
  const [head, ...rows] = await sheet();
  expect(head).toEqual(['Status', 'Name', 'Model', 'MAC', 'SN', 'Firmware', 'Last online']);
  expect(rows.map((r) => r[1])).toEqual(records.map((d) => d.name));
  expect(
    rows.every(
      (r) =>
        r[0] === 'Online' &&
        /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/.test(String(r[3])) &&
        /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(String(r[6])),
    ),
  ).toBe(true);
  await strip.getByRole('button', { name: 'Close' }).click();
  await strip.waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('[data-id]').first().waitFor();
  expect(await strip.count()).toBe(0);

  // Likewise for a selection over all pages but one.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: `Select all ${total} that match` }).click();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('checkbox', { name: `Select ${records[5]!.name}`, exact: true }).click();
  await bar(page).getByRole('button', { name: 'Export' }).click();
  await strip.getByText(`The file with ${total - 1} rows is ready`).waitFor();
  expect((await sheet()).slice(1).map((r) => r[1])).toEqual(records.filter((_, i) => i !== 5).map((d) => d.name));
  await strip.getByRole('button', { name: 'Close' }).click();
});

it('a long export shows its progress, also after a reload, and can be cancelled [SHELL-17/long]', async () => {
  const { page } = await product.administrator();
  let [status, done] = ['process', 1_000];
  // The file comes from the server; its delay is simulated here, because that of 260 devices is ready at once.
  await page.route(/\/api\/f\/device\/export\/(?!list$)[^/]+$/, async (route) => {
    if (route.request().method() !== 'GET') {
      await route.continue();
      return;
    }
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: object };
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, status, done, total: 50_000 } } });
  });
  await page.getByRole('button', { name: 'Export' }).click();
  const strip = page.getByRole('region', { name: 'Export: Devices' });
  await strip.getByText('1,000 of 50,000 rows are in the file').waitFor();
  done = 30_000;
  await page.reload();
  await strip.getByText('30,000 of 50,000 rows are in the file').waitFor();
  expect(await strip.getByRole('progressbar').evaluate((p: HTMLProgressElement) => p.value / p.max)).toBe(0.6);
  await strip.getByRole('button', { name: 'Cancel' }).click();
  await strip.waitFor({ state: 'detached' });
  status = 'success';
});
