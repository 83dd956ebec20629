import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { disableDevices, enableDevices, listDevices, listTaskDevices, listTasks, stopTask } from '@carillon/contracts';
import { axeFaults } from '../../../test/axe.ts';
import { lane, useProduct } from '../../../test/browser.ts';

const product = useProduct();
const names = (page: Page) => page.locator('[data-name]').allTextContents();
const chip = (page: Page, name: RegExp) => page.getByRole('search').getByRole('button', { name });
const add = async (page: Page, field: string) => {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name: field, exact: true }).click();
  return page.getByRole('dialog', { name: field, exact: true });
};
/** Returns the first page by name from the API. */
const expected = async (query: object) =>
  (await product.platform.call(listDevices, { query: { ...query, sort: 'name' } })).records.map((d) => d.name);

it('a list is filtered by not, contains, time and empty, also after a reload [SHELL-17/filters]', async () => {
  const { page } = await product.administrator('/device/list?sort=name');
  // Is not.
  const status = await add(page, 'Status');
  await status.getByRole('combobox', { name: 'Operator' }).selectOption('is not');
  await status.getByRole('checkbox', { name: /Not configured/ }).check();
  await page.waitForURL(/state\.not=notConfigured/);
  await page.keyboard.press('Escape');
  await chip(page, /^Status is not Not configured$/).waitFor();
  // Contains, with several values.
  const name = await add(page, 'Name');
  await name.getByRole('textbox', { name: 'Value' }).fill('room');
  await page.keyboard.press('Enter');
  await name.getByRole('textbox', { name: 'Value' }).fill('desk');
  await name.getByRole('button', { name: 'Add' }).click();
  await page.keyboard.press('Escape');
  await chip(page, /^Name contains “room”, “desk”$/).waitFor();
  const filter = { 'state.not': ['notConfigured' as const], 'name.contains': ['room', 'desk'] };
  expect((await expected(filter)).length).toBeGreaterThan(2);
  await expect.poll(() => names(page)).toEqual(await expected(filter));
  // Within a span, then between chosen days.
  const seen = await add(page, 'Last online');
  await seen.getByRole('radio', { name: 'last 24 hours' }).check();
  await page.waitForURL(/lastOnlineAt\.within=24h/);
  await chip(page, /^Last online in the last 24 hours$/).waitFor();
  await seen.getByRole('combobox', { name: 'Operator' }).selectOption('between');
  await page.waitForURL((url) => !url.search.includes('within'));
  await seen.getByLabel('from', { exact: true }).fill('2026-01-05');
  await page.waitForURL(/lastOnlineAt\.from=2026-01-0[45]T/);
  await seen.getByLabel('to', { exact: true }).fill('2026-01-06');
  await page.waitForURL(/lastOnlineAt\.to=2026-01-0[67]T/);
  await page.keyboard.press('Escape');
  await chip(page, /^Last online between 2026-01-05 – 2026-01-06$/).waitFor();
  await page.getByText('No device matches').waitFor();
  await page.getByRole('button', { name: 'Remove the filter “Last online”' }).first().click();
  // Empty.
  const firmware = await add(page, 'Firmware');
  await firmware.getByRole('combobox', { name: 'Operator' }).selectOption('is not empty');
  await page.waitForURL(/firmware\.empty=false/);
  await page.keyboard.press('Escape');
  await chip(page, /^Firmware is not empty$/).waitFor();
  const all = { ...filter, 'firmware.empty': 'false' as const };
  await page.reload();
  await chip(page, /^Name contains “room”, “desk”$/).waitFor();
  await chip(page, /^Status is not Not configured$/).waitFor();
  await chip(page, /^Firmware is not empty$/).waitFor();
  await expect.poll(() => names(page)).toEqual(await expected(all));
  expect(await axeFaults(page)).toEqual([]);
});

it('a task targets exactly the devices that the operators of a filter match [SHELL-17/filtered-task]', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/device/list?name.contains=o&state.not=online&sort=name&limit=5');
  const { total } = await platform.call(listDevices, { query: { 'name.contains': ['o'], 'state.not': ['online'] } });
  expect(total).toBeGreaterThan(5);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: `Select all ${total} that match` }).click();
  await page.locator('main [role=region]').getByRole('button', { name: 'Reboot' }).click();
  await page.getByRole('button', { name: `Reboot ${total} devices` }).click();
  const name = `Reboot ${total} devices`;
  await expect
    .poll(async () => (await platform.call(listTasks, { query: { name: [name] } })).records[0]?.counts.total)
    .toBe(total);
  const { id } = await platform.taskNamed(name);
  const { records: told } = await platform.call(listTaskDevices, { params: { id }, query: { limit: 200 } });
  const { records: listed } = await platform.call(listDevices, {
    query: { 'name.contains': ['o'], 'state.not': ['online'], limit: 200 },
  });
  expect(told.map((d) => d.deviceId).sort()).toEqual(listed.map((d) => d.id).sort());
  await platform.call(stopTask, { params: { id } });
  await platform.allOnline(lane().online);
});

it('a long list of values is searched by keyboard alone, and the focus returns', { tags: 'slow' }, async () => {
  const { page } = await product.administrator();
  await page.getByRole('button', { name: 'Add filter' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Model' }).press('Enter');
  const model = page.getByRole('dialog', { name: 'Model', exact: true });
  const find = model.getByRole('textbox', { name: 'Find a value' });
  await find.waitFor();
  await expect.poll(() => find.evaluate((e) => e === document.activeElement)).toBe(true);
  const all = await model.getByRole('checkbox').count();
  expect(all).toBeGreaterThanOrEqual(8);
  const wanted = (await model.locator('label').nth(3).innerText()).split('\n')[0]!;
  await page.keyboard.type(wanted.toLowerCase());
  await expect.poll(() => model.getByRole('checkbox').count()).toBeLessThan(all);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect.poll(() => new URL(page.url()).searchParams.getAll('model')).toHaveLength(1);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => find.evaluate((e) => e === document.activeElement)).toBe(true);
  await find.fill('no such model');
  await model.getByText('No value matches').waitFor();
  // Rows that the panel covers in part are no targets.
  expect(await axeFaults(page, { without: 'main [data-id]' })).toEqual([]);
  await page.keyboard.press('Escape');
  await model.waitFor({ state: 'detached' });
  await chip(page, /^Model is /).waitFor();
});

it('a whole column header sorts and shows the direction, and the name column stays while scrolling', async () => {
  const { context, page } = await product.administrator();
  const head = page.getByRole('columnheader', { name: 'Model' });
  const box = (await head.boundingBox())!;
  // At its lower corner, far from the text.
  await page.mouse.click(box.x + box.width - 20, box.y + box.height - 3);
  await page.waitForURL(/sort=model/);
  expect(await head.getAttribute('aria-sort')).toBe('ascending');
  await page.mouse.click(box.x + 3, box.y + 3);
  await page.waitForURL(/sort=-model/);
  expect(await head.getAttribute('aria-sort')).toBe('descending');
  await head.getByRole('button').press('Enter');
  await page.waitForURL((url) => !url.search.includes('sort'));
  expect(await head.getAttribute('aria-sort')).toBe(null);

  await page.setViewportSize({ width: 900, height: 768 });
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await expect.poll(async () => (await menu.boundingBox())!.width).toBeLessThan(60);
  const scroller = page.locator('[data-scroll-restoration-id=grid-device]');
  await expect
    .poll(() => scroller.evaluate((e) => [e.hasAttribute('data-before'), e.hasAttribute('data-after')]))
    .toEqual([false, true]);
  const name = page.locator('th[data-column=name]');
  const model = page.locator('th[data-column=model]');
  await scroller.evaluate((e) => (e.scrollLeft = e.scrollWidth));
  await expect
    .poll(() => scroller.evaluate((e) => [e.hasAttribute('data-before'), e.hasAttribute('data-after')]))
    .toEqual([true, false]);
  const [nameBox, panel] = [(await name.boundingBox())!, (await scroller.boundingBox())!];
  expect(nameBox.x - panel.x).toBeLessThan(60);
  expect((await model.boundingBox())!.x).toBeLessThan(nameBox.x + nameBox.width);
  // An expanded menu stays expanded in a narrow window, and the earlier state returns in a wide one.
  await menu.getByRole('button', { name: 'Expand' }).click();
  await expect.poll(async () => (await menu.boundingBox())!.width).toBeGreaterThan(200);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(async () => (await menu.boundingBox())!.width).toBeGreaterThan(200);
  await context.close();
});

it(
  'shows since when a device is online, otherwise when it was last seen and hollow line states',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { page } = await product.administrator('/device/list?state=online&limit=5');
    await page.locator('[data-id] td', { hasText: /^Now$/ }).first().waitFor();
    const { records } = await platform.call(listDevices, { query: { state: ['online'], limit: 1 } });
    await page.goto(`/device/list?id=${records[0]!.id}`);
    const drawer = page.getByRole('dialog', { name: records[0]!.name });
    await drawer.getByText('Online since').waitFor();
    expect(await drawer.getByText('Last online').count()).toBe(0);
    expect(Date.parse(records[0]!.onlineSince!)).toBeLessThan(Date.now());

    // A disabled device goes offline with its lines, and is still found by them.
    const away = (await platform.call(listDevices, { query: { state: ['online'], line: ['registered'] } })).records[0]!;
    const used = away.lines.filter((l) => l.status !== 'unassigned').length;
    await platform.call(disableDevices, { body: { ids: [away.id] } });
    try {
      await page.goto('/device/list');
      await (await add(page, 'Access')).getByRole('checkbox', { name: /Disabled/ }).check();
      await page.waitForURL(/enabled=false/);
      await page.keyboard.press('Escape');
      const row = page.locator(`[data-id="${away.id}"]`);
      await row.getByText(`0/${used}`).waitFor();
      await expect.poll(() => names(page)).toEqual([away.name]);
      await row.locator('td', { hasText: /^\d{4}-\d\d-\d\d \d\d:/ }).waitFor();
      expect(await row.locator('td', { hasText: /^Now$/ }).count()).toBe(0);
      await row.locator('[data-name]').click();
      await page.getByRole('dialog', { name: away.name }).getByText('Last online').waitFor();
    } finally {
      await platform.call(enableDevices, { body: { ids: [away.id] } });
      await platform.allOnline(lane().online);
    }
  },
);
