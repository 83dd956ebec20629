import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { editMenu, listMenus, listDevices } from '@carillon/contracts';
import { settled } from '../../../test/screen/screen.ts';
import { fillLogin, useProduct } from '../../../test/browser.ts';
import { stored } from '../../../test/stored.ts';

const product = useProduct();
const bar = (page: Page) => page.getByRole('navigation', { name: 'Open pages' });
const tabs = (page: Page) => bar(page).getByRole('link');
const names = (page: Page) => tabs(page).allInnerTexts();
const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' });
const tabMenu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'Tab actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const active = (page: Page) => bar(page).locator('a[aria-current=page]').innerText();

it('each page or object has one tab, and the tab menu closes and reloads them [SHELL-09]', async () => {
  const devices = (await product.platform.call(listDevices, { query: { limit: 5 } })).records;
  const { page } = await product.administrator('/wel/home');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  // A single tab cannot be closed: home has no close button, and its menu does not offer it.
  expect(await page.getByRole('button', { name: /^Close / }).count()).toBe(0);
  await page.getByRole('button', { name: 'Tab actions' }).click();
  await page.getByRole('menuitem').first().waitFor();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Clear cache']);
  await page.keyboard.press('Escape');

  // A page that is left before it loads gets no tab.
  for (const name of ['Devices', 'Tasks']) {
    await menu(page).getByRole('link', { name }).click();
    await expect.poll(() => tabs(page).allInnerTexts()).toContain(name);
  }
  await menu(page).getByRole('link', { name: 'Devices' }).click();
  await expect.poll(() => tabs(page).allInnerTexts()).toEqual(['Home', 'Devices', 'Tasks']);
  for (const d of [devices[0]!, devices[1]!, devices[0]!]) {
    await page.goto(`/device/deviceDetail?id=${d.id}`);
    await page.getByRole('heading', { name: d.name }).waitFor();
  }
  await expect
    .poll(() => tabs(page).allInnerTexts())
    .toEqual(['Home', 'Devices', 'Tasks', devices[0]!.name, devices[1]!.name]);
  // Only home has no close button.
  expect(
    await page
      .getByRole('button', { name: /^Close / })
      .evaluateAll((all) => all.map((button) => button.getAttribute('aria-label') ?? button.textContent)),
  ).toEqual(['Devices', 'Tasks', devices[0]!.name, devices[1]!.name].map((name) => `Close ${name}`));
  const entries = (await stored(page, 'tabs', 'sessionStorage'))!.value as Record<string, unknown>[];
  // A page of the menu has its text's key and says that its view is kept; `role.e2e.ts` has an entry with parameters.
  expect(entries.find((t) => t['value'] === '/device/list')).toMatchObject({
    label: 'menu.devices',
    params: {},
    meta: { i18n: 'menu.devices', keepAlive: true },
    group: '/device/list',
  });
  expect(entries.find((t) => t['label'] === devices[0]!.name)).toEqual({
    label: devices[0]!.name,
    value: `/device/deviceDetail?id=${devices[0]!.id}`,
    href: `/device/deviceDetail?id=${devices[0]!.id}`,
    params: {},
    query: { id: devices[0]!.id },
    meta: {},
    group: '/device/list',
  });

  // Closing the active tab shows the previous one; closing another one does not change the page; before the second is
  // the first, home.
  await page.getByRole('button', { name: `Close ${devices[0]!.name}`, exact: true }).click();
  await expect.poll(() => active(page)).toBe('Tasks');
  await page.getByRole('button', { name: `Close ${devices[1]!.name}`, exact: true }).click();
  expect(await active(page)).toBe('Tasks');
  await tabs(page).filter({ hasText: 'Devices' }).click();
  await page.getByRole('button', { name: 'Close Devices' }).click();
  await expect.poll(() => active(page)).toBe('Home');
  await menu(page).getByRole('link', { name: 'Devices' }).click();
  await menu(page).getByRole('link', { name: 'Activity log' }).click();
  await expect.poll(() => tabs(page).count()).toBe(4);
  await tabMenu(page, 'Close other tabs');
  await expect.poll(() => tabs(page).allInnerTexts()).toEqual(['Home', 'Activity log']);
  await menu(page).getByRole('link', { name: 'Tasks' }).click();
  await tabMenu(page, 'Close all tabs');
  await page.waitForURL('**/wel/home');
  expect(await tabs(page).allInnerTexts()).toEqual(['Home']);

  // Clearing asks first and confirms after; it removes the layouts of lists, and keeps the login.
  await page.evaluate(() =>
    localStorage.setItem(
      'carillon-grid-device',
      JSON.stringify({ type: 'object', value: { comfortable: true }, time: 1 }),
    ),
  );
  await tabMenu(page, 'Clear cache');
  await page.getByRole('dialog', { name: 'Clear the cache?' }).getByRole('button', { name: 'Cancel' }).click();
  expect(await stored(page, 'grid-device')).not.toBeNull();
  await tabMenu(page, 'Clear cache');
  await page.getByRole('dialog').getByRole('button', { name: 'Clear cache' }).click();
  await page.getByText('Cache cleared').waitFor();
  expect([await stored(page, 'grid-device'), (await stored(page, 'session'))?.type]).toEqual([null, 'object']);
});

it('the last keep-alive page returns as it was left, and any other page starts empty [SHELL-04]', async () => {
  const { page } = await product.administrator('/device/list?limit=50&state=online');
  const scroller = page.locator('[data-scroll-restoration-id=grid-device]');
  await scroller.evaluate((el) => {
    el.scrollTop = 600;
  });
  await page.locator('[data-id] input').nth(20).check();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog', { name: 'Columns' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('main').evaluate((el) => {
    (el.querySelector('section') as HTMLElement).dataset['mark'] = 'same';
  });
  await menu(page).getByRole('link', { name: 'Activity log' }).click();
  await page.getByRole('heading', { name: 'Activity log' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Devices' }).isVisible()).toBe(false);
  await menu(page).getByRole('link', { name: 'Devices' }).click();
  await page.getByRole('heading', { name: 'Devices' }).waitFor();
  expect(new URL(page.url()).search).toBe('?limit=50&state=online');
  expect(await page.locator('section[data-mark=same]').isVisible()).toBe(true);
  await page.locator('main [role=region]').getByText('1 selected').waitFor();
  expect(await scroller.evaluate((el) => el.scrollTop)).toBe(600);
  // The next kept page replaces it.
  await menu(page).getByRole('link', { name: 'Tasks' }).click();
  await page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor();
  expect(await page.locator('section[data-mark=same]').count()).toBe(0);
  await menu(page).getByRole('link', { name: 'Devices' }).click();
  await page.locator('[data-id]').first().waitFor();
  expect(await page.locator('main [role=region]').count()).toBe(0);

  // A half-filled form on a page that the menu marks.
  const entry = (await product.platform.call(listMenus)).find((m) => m.path === '/system/config')!;
  const { id, parent, source, sort, hidden } = entry;
  const mark = (keepAlive: boolean) =>
    product.platform.call(editMenu, {
      body: { id, parent, name: null, source, sort, hidden, meta: { keepAlive, roles: null } },
    });
  await mark(true);
  try {
    await page.goto('/system/config');
    await page.locator('[name=systemName]').fill('Half a na');
    await page.locator('[name=copyright]').fill('');
    await menu(page).getByRole('link', { name: 'Activity log' }).click();
    await page.getByRole('heading', { name: 'Activity log' }).waitFor();
    expect(await page.locator('[name=systemName]').isVisible()).toBe(false);
    await menu(page).locator('a[href="/system/config"]').click();
    await page.locator('[name=systemName]').waitFor();
    expect(await page.locator('[name=systemName]').inputValue()).toBe('Half a na');
    expect(await page.locator('[name=copyright]').inputValue()).toBe('');
    // Without the mark it is not kept.
    await mark(false);
    await page.goto('/system/config');
    await page.locator('[name=systemName]').fill('Half a na');
    await menu(page).getByRole('link', { name: 'Activity log' }).click();
    await page.getByRole('heading', { name: 'Activity log' }).waitFor();
    await expect.poll(() => page.locator('[name=systemName]').count()).toBe(0);
    await menu(page).locator('a[href="/system/config"]').click();
    await page.locator('[name=systemName]').waitFor();
    expect(await page.locator('[name=systemName]').inputValue()).not.toBe('Half a na');
  } finally {
    await mark(false);
  }
});

it('choosing the current page renders it again, and Back restores its scroll position [SHELL-11]', async () => {
  const { page } = await product.administrator('/system/operationLog?limit=50');
  await page.locator('[data-id]').first().waitFor();
  const mark = () =>
    page.locator('main section').evaluate((el) => {
      const had = (el as HTMLElement).dataset['mark'] ?? null;
      (el as HTMLElement).dataset['mark'] = 'old';
      return had;
    });
  expect([await mark(), await mark()]).toEqual([null, 'old']);
  let asked = 0;
  page.on('request', (r) => {
    if (r.url().includes('/operationLog/list')) asked += 1;
  });
  await menu(page).getByRole('link', { name: 'Activity log' }).click();
  await expect.poll(mark).toBeNull();
  expect(asked).toBeGreaterThan(0);

  await page.goto('/device/list?limit=200');
  await page.locator('[data-id]').first().waitFor();
  const scroller = page.locator('[data-scroll-restoration-id=grid-device]');
  await scroller.evaluate((el) => {
    el.scrollTop = 2_000;
  });
  await expect.poll(() => page.locator('[data-id]').count()).toBeGreaterThan(10);
  await menu(page).getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.goBack();
  await expect.poll(() => scroller.evaluate((el) => el.scrollTop)).toBe(2_000);
  // Also for a page that is not kept.
  await page.goto('/wel/home');
  await page.setViewportSize({ width: 1440, height: 420 });
  await page.getByRole('heading', { name: 'Models' }).waitFor();
  // Later content would shift it.
  await settled(page);
  await page.locator('[data-scroll-restoration-id=home]').evaluate((el) => {
    el.scrollTop = 150;
  });
  await menu(page).getByRole('link', { name: 'Activity log' }).click();
  await page.getByRole('heading', { name: 'Activity log' }).waitFor();
  await page.goBack();
  await expect.poll(() => page.locator('[data-scroll-restoration-id=home]').evaluate((el) => el.scrollTop)).toBe(150);
});

it('the tabs are empty after a logout, and the next user of the browser has their own', async () => {
  const { page } = await product.loggedIn('/system/users');
  await expect.poll(() => names(page)).toEqual(['Home', 'Users']);
  await page.getByRole('button', { name: /^User:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login*');
  expect(await page.evaluate(() => sessionStorage.getItem('carillon-tabs'))).toBeNull();
  await fillLogin(page, product.platform.ready.admin);
  await page.waitForURL('**/wel/home');
  await expect.poll(() => names(page)).toEqual(['Home']);

  // Tabs of another user in this window are not shown, however their session ended.
  await page.goto('/about');
  await expect.poll(() => names(page)).toEqual(['Home', 'About']);
  await page.evaluate(() => {
    const kept = JSON.parse(sessionStorage.getItem('carillon-tabsOf')!) as { value: string };
    sessionStorage.setItem('carillon-tabsOf', JSON.stringify({ ...kept, value: 'someone-else' }));
  });
  await page.goto('/task/list');
  await expect.poll(() => names(page)).toEqual(['Home', 'Tasks']);
});

it('a tab uses the current language', { tags: 'slow' }, async () => {
  const { page } = await product.administrator('/task/list');
  await expect.poll(() => names(page)).toEqual(['Home', 'Tasks']);
  await page.evaluate(() =>
    localStorage.setItem('carillon-language', JSON.stringify({ type: 'string', value: 'pt_BR', time: 1 })),
  );
  await page.goto('/about');
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Páginas abertas' }).getByRole('link').allInnerTexts())
    .toEqual(['Início', 'Tarefas', 'Sobre']);
});

it('a tab with unsaved input asks before it closes, and a saved form closes its tab', { tags: 'slow' }, async () => {
  const { page } = await product.administrator('/wel/home');
  await page.goto('/system/users/addRole');
  const field = page.getByRole('textbox', { name: 'Name' });
  await field.fill('Half a role');
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
  await bar(page).getByRole('button', { name: 'Close Add role' }).click();
  await asked.getByRole('button', { name: 'Keep editing' }).click();
  await asked.waitFor({ state: 'hidden' });
  expect(await names(page)).toEqual(['Home', 'Add role']);
  expect(await field.inputValue()).toBe('Half a role');
  await page.getByRole('button', { name: 'Tab actions' }).click();
  await page.getByRole('menuitem', { name: 'Close all tabs' }).click();
  await asked.waitFor();
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'hidden' });
  expect(await names(page)).toEqual(['Home', 'Add role']);

  await field.fill('Tab keeper');
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Add role' }).last().click();
  await page.waitForURL('**/system/roles');
  await expect.poll(() => names(page)).toEqual(['Home', 'Roles']);

  await page.goto('/system/users/addRole');
  await field.fill('Half a role');
  await bar(page).getByRole('button', { name: 'Close Add role' }).click();
  await asked.getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL('**/system/roles');
  expect(await names(page)).toEqual(['Home', 'Roles']);
});

it('the active tab is visible beside a fixed home, and a menu has the hidden ones', { tags: 'slow' }, async () => {
  const { page } = await product.administrator('/wel/home');
  await page.setViewportSize({ width: 1024, height: 800 });
  const paths = ['/task/list', '/alarm', '/about', '/site/list', '/device/deviceLog', '/info', '/system/roles'];
  for (const path of [...paths, '/system/users', '/system/time', '/system/twoStep', '/system/operationLog']) {
    await page.goto(path);
    await bar(page).locator(`a[href^="${path}"]`).waitFor();
  }
  const shown = async (name: string) => {
    const box = (await bar(page).getByRole('link', { name, exact: true }).boundingBox())!;
    return box.x >= 0 && box.x + box.width <= 1024;
  };
  expect(await shown('Activity log')).toBe(true);
  expect(await shown('Home')).toBe(true);
  await bar(page)
    .getByRole('button', { name: /more tabs$/ })
    .click();
  await page.getByRole('menuitem', { name: 'Tasks' }).click();
  await page.waitForURL('**/task/list');
  await expect.poll(() => shown('Tasks')).toBe(true);
  expect(await shown('Home')).toBe(true);
});
