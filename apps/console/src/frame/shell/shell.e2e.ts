import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  addOrganization,
  listOrganizationNames,
  clearMessages,
  deleteOrganization,
  editMenu,
  listMenus,
  listErrors,
  listNotices,
  listDevices,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { settled } from '../../../test/screen/screen.ts';
import { useProduct } from '../../../test/browser.ts';
import { tellMessage } from '../../../test/tell.ts';

const product = useProduct();
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Open pages' }).getByRole('link');
const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' });
const tabMenu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'Tab actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const active = (page: Page) =>
  page.getByRole('navigation', { name: 'Open pages' }).locator('a[aria-current=page]').innerText();
const stored = (page: Page, key: string, area: 'localStorage' | 'sessionStorage' = 'localStorage') =>
  page.evaluate(
    ([k, a]) =>
      JSON.parse(window[a as 'localStorage'].getItem(`carillon-${k}`) ?? 'null') as {
        type: string;
        value: unknown;
        time: number;
      } | null,
    [key, area] as const,
  );

it('one tab a page, home fixed; close, others, all and clear cache do what they say, and the same path with another object is another tab [SHELL-09]', async () => {
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

it('a page marked keep-alive is as it was left, filters, scroll and what was half entered, and only the last one is kept; one that is not marked is left for good [SHELL-04]', async () => {
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

it('a menu that arrives after the page does not reset scroll position and input', { tags: 'slow' }, async () => {
  const { page } = await product.administrator('/wel/home');
  let answer = () => {};
  const held = new Promise<void>((go) => {
    answer = go;
  });
  await page.route(
    (u) => u.pathname.endsWith('/menu/route'),
    async (route) => {
      await held;
      await route.continue();
    },
    { times: 1 },
  );
  await page.goto('/device/list?limit=200');
  await page.locator('[data-id]').first().waitFor();
  const scroller = page.locator('[data-scroll-restoration-id=grid-device]');
  await scroller.evaluate((el) => {
    el.scrollTop = 2_000;
    (el as HTMLElement).dataset['mark'] = 'same';
  });
  answer();
  await menu(page).getByRole('link', { name: 'Home' }).waitFor();
  expect(await page.locator('[data-mark=same]').evaluate((el) => el.scrollTop)).toBe(2_000);

  await page.unrouteAll();
  const again = new Promise<void>((go) => {
    answer = go;
  });
  await page.route(
    (u) => u.pathname.endsWith('/menu/route'),
    async (route) => {
      await again;
      await route.continue();
    },
    { times: 1 },
  );
  await page.goto('/system/users/addUser');
  const field = page.getByRole('textbox', { name: 'Display name' });
  await field.fill('Half a name');
  answer();
  await menu(page).getByRole('link', { name: 'Home' }).waitFor();
  expect(await field.inputValue()).toBe('Half a name');
  await menu(page).getByRole('link', { name: 'Home' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect(await field.count()).toBe(0);
  await page.goBack();
  await field.waitFor();
  expect(await field.inputValue()).toBe('');
});

it('the bell is 600 px wide, shows a dot at once when something is told, leads by type, and is cleared [SHELL-07]', async () => {
  const { platform } = product;
  await platform.call(clearMessages, { params: { type: -1 } });
  const { page } = await product.administrator('/wel/home');
  await page.getByText('Live', { exact: true }).first().waitFor();
  const bell = page.getByRole('button', { name: 'No notifications' });
  await bell.click();
  // Named by itself, however many notices its button counts.
  const panel = page.getByRole('dialog', { name: 'Notifications', exact: true });
  await panel.getByText('Nothing new').waitFor();
  expect(Math.round((await panel.boundingBox())!.width)).toBe(600);
  expect(await panel.getByRole('button', { name: 'Clear all' }).count()).toBe(0);
  expect(await page.locator('[data-dot]').count()).toBe(0);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });

  for (const [type, title, search] of [
    [-2, 'New firmware version', '?tableCheck=message'],
    [-3, 'Device sync to FDPS failed', '?tableCheck=device'],
    [-4, 'Value-added service certificate expires', ''],
    [-5, 'Basic service certificate expires', ''],
    [9, 'Tamper alarm', ''],
  ] as const) {
    const told = Date.now();
    await tellMessage(platform, { type, values: { version: '2.13' } });
    await page.locator('[data-dot]').waitFor();
    // At once: far below the minute of the poll.
    expect(Date.now() - told).toBeLessThan(5_000);
    await page.getByRole('button', { name: /unread notification/ }).click();
    await panel.getByRole('button', { name: new RegExp(title) }).click();
    await page.waitForURL((url) => url.pathname + url.search === `/alarm${search}`);
    await page.getByRole('heading', { name: 'Alarms', exact: true }).waitFor();
    // The opened list contains it.
    await page.locator('[data-id]').filter({ hasText: title }).first().waitFor();
  }
  // From the list of devices a certificate still leads to its own list, and a filter keeps it.
  await page.getByRole('button', { name: /5 unread notifications/ }).click();
  await panel.getByRole('button', { name: /Basic service certificate expires/ }).click();
  const certificate = page.locator('[data-id]').filter({ hasText: 'Basic service certificate expires' });
  await certificate.first().waitFor();
  await page.locator('main footer select').selectOption('50');
  await page.waitForURL('**/alarm?limit=50');
  await certificate.first().waitFor();
  await page.getByRole('button', { name: /5 unread notifications/ }).click();
  await panel.getByRole('button', { name: 'Clear all' }).click();
  await panel.getByText('Nothing new').waitFor();
  await expect.poll(() => page.locator('[data-dot]').count()).toBe(0);
  await page.keyboard.press('Escape');

  // Without the stream it is polled every minute.
  await page.route('**/api/f/gateway/live', (r) => r.abort());
  const asked: string[] = [];
  page.on('request', (r) => {
    if (r.url().endsWith('/message/notice')) asked.push(r.headers()['carillon-background'] ?? '');
  });
  await page.clock.install();
  await page.reload();
  await page.getByRole('button', { name: 'No notifications' }).waitFor();
  // The minute starts with the response, which the page does not show: 60 s bring the next request, 55 none.
  const next = async () => {
    const before = asked.length;
    await expect.poll(async () => (await page.clock.runFor(5_000), asked.length)).toBeGreaterThan(before);
    await settled(page);
  };
  await next();
  const before = asked.length;
  await page.clock.runFor(54_000);
  await settled(page);
  expect(asked.length).toBe(before);
  // Notices from the meantime arrive with it.
  expect(await page.locator('[data-dot]').count()).toBe(0);
  await tellMessage(platform, { type: 6 });
  await eventually(async () => expect((await platform.call(listNotices)).map((notice) => notice.type)).toContain(6));
  await page.clock.runFor(7_000);
  await expect.poll(() => asked.length).toBe(before + 1);
  await page.locator('[data-dot]').waitFor();
  await platform.call(clearMessages, { params: { type: -1 } });
});

it('page errors are counted, listed, reported and deleted, and stay when reporting fails [SHELL-13]', async () => {
  const { page } = await product.administrator('/device/list?search=a&model=&x=secret-word');
  await page.evaluate(() => {
    setTimeout(() => {
      throw new TypeError('boom in the page');
    });
    void Promise.reject(new Error('nobody caught it'));
  });
  const counted = page.getByRole('button', { name: '2 errors in this browser' });
  await counted.waitFor();
  await page.reload();
  await counted.click();
  const drawer = page.getByRole('dialog', { name: 'Errors in this browser' });
  await drawer.getByText('boom in the page', { exact: true }).waitFor();
  await drawer.getByText('nobody caught it', { exact: true }).waitFor();
  // Each with its time, type, page and stack.
  const listed = drawer.getByRole('listitem');
  const zoned = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;
  for (const [message, type] of [
    ['boom in the page', 'error'],
    ['nobody caught it', 'rejection'],
  ] as const) {
    const item = listed.filter({ hasText: message });
    expect(await item.innerText()).toMatch(zoned);
    expect(await item.locator('code').allInnerTexts()).toEqual([type, '/device/list']);
    expect(await item.locator('pre').textContent()).toMatch(new RegExp(`^\\w*Error: ${message}\\n`));
  }
  const kept = (await stored(page, 'error-log'))!;
  expect(kept.type).toBe('array');
  for (const entry of kept.value as Record<string, string>[]) {
    expect(Object.keys(entry).sort()).toEqual(['info', 'message', 'stack', 'time', 'type', 'url']);
    expect(entry).toMatchObject({
      url: '/device/list',
      type: expect.stringMatching(/^(error|rejection)$/),
      time: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  }
  expect((kept.value as Record<string, string>[]).map((entry) => [entry['message'], entry['stack']])).toEqual([
    ['boom in the page', expect.stringMatching(/^TypeError: boom in the page\n/)],
    ['nobody caught it', expect.stringMatching(/^Error: nobody caught it\n/)],
  ]);
  expect(JSON.stringify(kept)).not.toContain('secret-word');
  await page.route('**/notification/errorLog', (r) => r.abort());
  await drawer.getByRole('button', { name: 'Send errors' }).click();
  await expect.poll(() => drawer.getByRole('button', { name: 'Send errors' }).isEnabled()).toBe(true);
  expect(((await stored(page, 'error-log'))!.value as unknown[]).length).toBe(2);
  await page.unroute('**/notification/errorLog');
  await drawer.getByRole('button', { name: 'Send errors' }).click();
  await page.getByText('Errors sent').waitFor();
  expect(await stored(page, 'error-log')).toBeNull();
  expect(await counted.count()).toBe(0);
  await eventually(async () => {
    const { records } = await product.platform.call(listErrors, { query: { search: 'boom in the page' } });
    expect(records[0]).toMatchObject({
      username: 'admin',
      url: '/device/list',
      type: 'error',
      message: 'boom in the page',
      stack: expect.stringContaining('TypeError'),
      time: (kept.value as Record<string, string>[])[0]!['time'],
      info: (kept.value as Record<string, string>[])[0]!['info'],
    });
  });
});

it('language, zone and organization are stored, and the page or its main view reloads [SHELL-15]', async () => {
  const { platform } = product;
  const { page } = await product.loggedIn('/system/operationLog');
  await page.locator('[data-id]').first().waitFor();
  const time = () =>
    page
      .locator('[data-id] td')
      .filter({ hasText: /^\d{4}-/ })
      .first()
      .innerText();
  const utc = await time();
  // The zone: a refusal changes nothing; after a 200 it is stored and all times use it.
  const loaded = () => page.waitForEvent('load');
  await page.route(
    '**/api/f/mc/user/modify',
    (r) =>
      r.fulfill({ status: 500, contentType: 'application/json', body: JSON.stringify({ code: 500, msg: 'Not now.' }) }),
    { times: 1 },
  );
  const zone = async (name: RegExp) => {
    await page.getByRole('banner').getByTitle('Time zone of all times shown').click();
    await page.getByRole('menuitem', { name }).click();
  };
  await zone(/Kathmandu/);
  await page.getByText('Not now.').waitFor();
  expect([await stored(page, 'timezone'), await time()]).toEqual([null, utc]);
  const posted = page.waitForRequest((r) => r.url().endsWith('/api/f/mc/user/modify'));
  await Promise.all([loaded(), zone(/Kathmandu/)]);
  expect((await posted).postDataJSON()).toEqual({ timezoneId: 25 });
  await page.locator('[data-id]').first().waitFor();
  expect((await stored(page, 'timezone'))!).toMatchObject({
    type: 'object',
    value: { id: 25, displayName: 'UTC+05:45 Kathmandu' },
    time: expect.any(Number),
  });
  await page.getByRole('banner').getByText('UTC+05:45').waitFor();
  await eventually(async () => {
    const moved = (await page.locator('[data-id] td').allInnerTexts())
      .map((text) => Date.parse(`${text}Z`))
      .filter((at) => !Number.isNaN(at));
    expect(moved.some((at) => at - Date.parse(`${utc}Z`) === 345 * 60_000)).toBe(true);
  });
  await Promise.all([loaded(), zone(/UTC\+00:00\s*UTC$/)]);
  await page.getByRole('banner').getByText('UTC+00:00').waitFor();

  // The zone chosen in /info is stored the same way.
  await page.goto('/info');
  const form = page.getByRole('form', { name: 'Time zone' });
  const choose = async (name: RegExp) => {
    await form.locator('input').first().click();
    await page.getByRole('option', { name }).click();
    await Promise.all([loaded(), form.getByRole('button', { name: 'Save' }).click()]);
    await form.waitFor();
  };
  await choose(/Kathmandu/);
  expect((await stored(page, 'timezone'))!.value).toEqual({ id: 25, displayName: 'UTC+05:45 Kathmandu' });
  await page.getByRole('banner').getByText('UTC+05:45').waitFor();
  await choose(/UTC\+00:00\s*UTC$/);
  await page.goto('/system/operationLog');
  await page.getByRole('banner').getByText('UTC+00:00').waitFor();

  // The language.
  await page.getByRole('banner').getByTitle('Language').click();
  await Promise.all([loaded(), page.getByRole('menuitem', { name: '한국어' }).click()]);
  await page.getByRole('heading', { name: '감사 로그' }).waitFor();
  expect(await stored(page, 'language')).toMatchObject({ type: 'string', value: 'ko' });
  await page.evaluate(() => localStorage.removeItem('carillon-language'));

  // The organization: only the main view reloads.
  const branch = await platform.call(addOrganization, { body: { name: 'Shell branch', description: '' } });
  await eventually(async () =>
    expect((await platform.call(listOrganizationNames)).map((o) => o.id)).toContain(branch.id),
  );
  await page.goto('/device/list');
  await page.locator('[data-id]').first().waitFor();
  await page.evaluate(() => {
    (window as unknown as { mark: number }).mark = 1;
  });
  await page.getByRole('button', { name: /^Organization:/ }).click();
  await page.getByRole('menuitem', { name: 'Shell branch' }).click();
  await page.getByRole('heading', { name: 'No devices yet' }).waitFor();
  expect(await stored(page, 'organization')).toMatchObject({ type: 'string', value: branch.id });
  expect(await page.evaluate(() => (window as unknown as { mark: number }).mark)).toBe(1);
  await page.goto('/wel/home');
  await expect
    .poll(
      async () =>
        await page
          .getByRole('link', { name: /^Online/ })
          .locator('strong')
          .innerText(),
    )
    .toBe('0');
  await platform.call(deleteOrganization, { body: { id: branch.id } });
});
