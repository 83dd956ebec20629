import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  addOrganization,
  listOrganizationNames,
  clearMessages,
  deleteOrganization,
  listErrors,
  listNotices,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { settled } from '../../../test/screen/screen.ts';
import { useProduct } from '../../../test/browser.ts';
import { stored } from '../../../test/stored.ts';
import { publishMessage } from '../../../test/publish.ts';

const product = useProduct();
const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' });

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

it('the bell is 600 px wide, shows a dot at once, links by type and is cleared [SHELL-07]', async () => {
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
    const answer = Date.now();
    await publishMessage(platform, { type, values: { version: '2.13' } });
    await page.locator('[data-dot]').waitFor();
    // At once: far below the minute of the poll.
    expect(Date.now() - answer).toBeLessThan(5_000);
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
  await publishMessage(platform, { type: 6 });
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
