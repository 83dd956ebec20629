import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  addOrganization,
  bladeUserInfo,
  deleteOrganization,
  listDevices,
  listOrganizations,
  listSites,
  listUsers,
} from '@carillon/contracts';
import { fillLogin, unfoldMenu, useProduct } from '../../../test/browser.ts';
import { someone } from '../../../test/person.ts';
import { pageRoutes } from '../../../test/routes.ts';

const product = useProduct();
const menu = (page: Page) => page.getByRole('navigation', { name: 'Menu' });

it('every part of the top bar works, from organization and search to the user’s own menu [SHELL-05]', async () => {
  const { platform } = product;
  const branch = await platform.call(addOrganization, { body: { name: 'Top bar branch', description: '' } });
  const { page } = await product.loggedIn('/device/list');
  const bar = page.getByRole('banner').first();
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.getByRole('menu').or(page.getByRole('dialog')).filter({ visible: true }).count())
      .toBe(0);
  };
  await page.locator('[data-id]').first().waitFor();
  // The organization.
  const organization = async (name: string) => {
    await bar.getByRole('button', { name: /^Organization:/ }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await bar.getByRole('button', { name: `Organization: ${name}` }).waitFor();
  };
  await organization('Top bar branch');
  await page.getByRole('heading', { name: 'No devices yet' }).waitFor();
  await organization('All organizations');
  await page.locator('[data-id]').first().waitFor();
  // The search.
  await bar.getByRole('button', { name: 'Search devices and pages' }).first().click();
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await close();
  // Five colours and three themes: each looks different, and persists over a reload.
  const painted = () =>
    page.evaluate(() => {
      const s = getComputedStyle(document.documentElement);
      return ['--accent', '--canvas', '--line', '--text-3'].map((v) => s.getPropertyValue(v)).join(' ');
    });
  const looks = new Set<string>();
  await bar.getByRole('button', { name: 'Theme and color' }).click();
  for (const name of ['Slate', 'High contrast', 'Carillon', 'Cobalt', 'Plum', 'Brass', 'Graphite']) {
    await page.getByRole('menuitem', { name, exact: true }).click();
    looks.add(await painted());
  }
  expect(looks.size).toBe(7);
  const last = await painted();
  await page.reload();
  await page.locator('[data-id]').first().waitFor();
  expect(await painted()).toBe(last);
  // Light and dark.
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await bar.getByRole('button', { name: 'Dark mode' }).click();
  await expect.poll(background).not.toBe(light);
  await bar.getByRole('button', { name: 'Light mode' }).click();
  await expect.poll(background).toBe(light);
  // Errors: hidden while there are none.
  expect(await bar.getByRole('button', { name: /in this browser/ }).count()).toBe(0);
  await page.evaluate(() => {
    setTimeout(() => {
      throw new TypeError('boom in the bar');
    });
  });
  await bar.getByRole('button', { name: '1 error in this browser' }).click();
  await page
    .getByRole('dialog', { name: 'Errors in this browser' })
    .getByText('boom in the bar', { exact: true })
    .waitFor();
  await close();
  await bar.getByRole('button', { name: /notification/ }).click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Notifications' }).waitFor();
  await close();
  // Language and zone offer all values.
  await bar.getByTitle('Language').click();
  await expect
    .poll(() => page.getByRole('menuitem').allInnerTexts())
    .toEqual(['English', '中文', '한국어', 'Português']);
  await close();
  await bar.getByTitle('Time zone of all times shown').click();
  await expect.poll(() => page.getByRole('menuitem').count()).toBe(42);
  await close();
  await bar.getByRole('button', { name: 'Full screen' }).click();
  await bar.getByRole('button', { name: 'Exit full screen' }).waitFor();
  expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await bar.getByRole('button', { name: 'Exit full screen' }).click();
  await expect.poll(() => page.evaluate(() => document.fullscreenElement === null)).toBe(true);
  // The lock, and back to the same page.
  await bar.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.getByRole('dialog').locator('input[type=password]').first().fill('Open-1 again');
  await page.getByRole('dialog').getByRole('button', { name: 'Lock', exact: true }).click();
  await page.waitForURL('**/lock?*');
  await page.locator('[name=password]').fill('Open-1 again');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.waitForURL('**/device/list*');
  // The user's own menu; a logout asks first.
  const own = async (name: string) => {
    await bar.getByRole('button', { name: /^User:/ }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  await own('Personal info');
  await page.waitForURL('**/info');
  await bar.getByRole('button', { name: /^User:/ }).click();
  await page.getByRole('menuitem').filter({ hasText: /about/i }).click();
  await page.waitForURL('**/about');
  await own('Sign out');
  await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Cancel' }).click();
  expect(new URL(page.url()).pathname).toBe('/about');
  await own('Sign out');
  await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login*');
  await platform.call(deleteOrganization, { body: { id: branch.id } });
});

it(
  'a 401 ends the session, a 400 stays on the page, and other errors are toasts [SHELL-16]',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const { context, page } = await product.loggedIn('/wel/home');
    const toast = page.locator('.mantine-Notification-root');
    /** Whether the toast has the colour of failures, and that colour is red. */
    const red = (box = toast) =>
      box.evaluate((element) => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = 'var(--abnormal)';
        const { color } = getComputedStyle(probe);
        probe.remove();
        const [r, g, b] = color.match(/\d+/g)!.map(Number) as [number, number, number];
        const isRed = r > 2 * Math.max(g, b);
        return (
          isRed &&
          [
            getComputedStyle(element).borderTopColor,
            getComputedStyle(element.querySelector('.mantine-Notification-icon')!).color,
          ].every((shown) => shown === color)
        );
      });
    const answer = (status: number, body: object) =>
      page.route(
        '**/api/f/mc/message/clear/-1',
        (r) => r.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
        { times: 1 },
      );
    const clear = async () => {
      await page.goto('/alarm');
      await Promise.all([
        page.waitForResponse((r) => r.url().endsWith('/clear/-1')),
        page.getByRole('button', { name: 'Mark all as read' }).click(),
      ]);
    };
    for (const [status, body, text] of [
      [500, { code: 500, msg: 'The words of the server.' }, 'The words of the server.'],
      [200, { code: 503, error_description: 'Described so.' }, 'Described so.'],
      [403, {}, 'Unknown error.'],
    ] as const) {
      await answer(status, body);
      await clear();
      await toast.getByText(text).waitFor();
      // There is one toast: more would be an error of the locator.
      expect(await red()).toBe(true);
    }
    // The server itself refuses a call whose permission was taken away; without the stream the page is not told.
    const clerk = await someone(platform, 'toast.clerk', ['home', 'alarm']);
    const { context: desk, page: other } = await product.visit();
    await other.route('**/api/f/gateway/live', (r) => r.abort());
    await other.goto('/alarm');
    await fillLogin(other, clerk);
    await other.getByRole('button', { name: 'Mark all as read' }).waitFor();
    await clerk.may(['home']);
    const headers = { 'carillon-language': 'en_US' };
    await expect
      .poll(async () => (await desk.request.get('/api/f/mc/message/clear/-1', { headers })).status())
      .toBe(403);
    await other.getByRole('button', { name: 'Mark all as read' }).click();
    const refusal = other.locator('.mantine-Notification-root');
    await refusal.getByText('You don’t have the permission “alarm”.').waitFor();
    expect(await red(refusal)).toBe(true);
    await other.close();
    await clerk.leave();
    await answer(400, { code: 400, msg: 'Only for the page.' });
    await clear();
    // Wait for a later refusal: the earlier one would be shown by then.
    await answer(500, { code: 500, msg: 'The one after it.' });
    await Promise.all([
      page.waitForResponse((r) => r.url().endsWith('/clear/-1')),
      page.getByRole('button', { name: 'Mark all as read' }).click(),
    ]);
    await toast.getByText('The one after it.').waitFor();
    expect(await page.getByText('Only for the page.').count()).toBe(0);
    // The server's own 400 belongs to the form too.
    const { page: login } = await product.visit();
    await login.goto('/login');
    const refused = login.waitForResponse('**/oauth/token');
    await fillLogin(login, { ...platform.ready.admin, password: 'wrong' });
    expect((await refused).status()).toBe(400);
    await login.locator('form').getByRole('alert').getByText('Wrong username or password.').waitFor();
    expect(await login.locator('.mantine-Notification-root').count()).toBe(0);

    // A dialog that shows a refusal at its field replaces the toast.
    await page.goto('/system/organization');
    await page.getByRole('button', { name: 'Add organization' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Head office');
    const taken = page.waitForResponse((r) => r.request().method() === 'POST' && r.status() === 409);
    await dialog.getByRole('button', { name: 'Add organization' }).click();
    await taken;
    await dialog.getByLabel('Name').and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await toast.count()).toBe(0);

    // The parts of a page hang: nothing is shown for 119 s, then a message, and a reload brings the page.
    await page.goto('/about');
    await page.locator('dl').waitFor();
    await unfoldMenu(page);
    await page.clock.install();
    await page.reload();
    await page.locator('dl').waitFor();
    await page.route('**/assets/*.js', () => {
      /* Never answered. */
    });
    const asked = page.waitForRequest('**/assets/*.js');
    await menu(page).getByRole('link', { name: 'Activity log' }).click();
    await asked;
    const failure = page.getByRole('dialog', { name: 'The page could not be loaded' });
    await page.clock.runFor(115_000);
    expect(await failure.count()).toBe(0);
    await page.clock.runFor(6_000);
    await failure.waitFor();
    await page.unroute('**/assets/*.js');
    await Promise.all([page.waitForEvent('load'), failure.getByRole('button', { name: 'Reload the page' }).click()]);
    await page.locator('h1').first().waitFor();
    expect(await failure.count()).toBe(0);

    // The session is ended elsewhere, and the page without a stream learns it only from the response.
    await page.route('**/api/f/gateway/live', (r) => r.abort());
    await page.goto('/alarm');
    await page.getByRole('button', { name: 'Mark all as read' }).waitFor();
    const away = page.waitForRequest((r) => r.isNavigationRequest() && new URL(r.url()).pathname === '/');
    await context.request.get('/api/f/auth/oauth/logout', { headers: { 'carillon-language': 'en_US' } });
    await page
      .getByRole('button', { name: 'Mark all as read' })
      .click()
      .catch(() => undefined);
    await away;
    await page.waitForURL('**/login*');
    expect(await page.evaluate(() => localStorage.getItem('carillon-session'))).toBeNull();
  },
);

it('public pages open without a login and lead on after it [SHELL-01] [SHELL-23]', async () => {
  const { platform } = product;
  const { call, companyId } = platform;
  const [devices, users, sites, organizations, own] = await Promise.all([
    call(listDevices, { query: { limit: 5 } }),
    call(listUsers, { query: {} }),
    call(listSites, { query: {} }),
    call(listOrganizations, { query: {} }),
    call(bladeUserInfo),
  ]);
  const tenant = [
    ...[companyId, own.companyName],
    ...devices.records.flatMap((d) => [d.name, d.mac, d.sn]),
    ...users.records.flatMap((u) => [u.id, u.email ?? u.id]),
    ...[...sites.records, ...organizations.records].flatMap((o) => [o.id, o.name]),
  ];
  const { context, page } = await product.visit();
  const asked: string[] = [];
  const answers: Promise<string>[] = [];
  page.on('request', (r) => {
    const { pathname } = new URL(r.url());
    if (!pathname.startsWith('/api/')) return;
    // A session is carried by both headers of the console, and by the plain one.
    const headers = r.headers();
    const carried = ['carillon-auth', 'carillon-token'].some((name) => headers[name] !== undefined);
    asked.push(`${pathname} ${carried || headers['authorization']?.startsWith('Bearer') ? 'session' : ''}`);
    // An image is not text, and a page that is left does not wait for its answers.
    answers.push(
      r
        .response()
        .then((answer) => answer?.text() ?? '')
        .catch(() => ''),
    );
  });
  const inSpecification = [
    '/login',
    '/lock',
    '/404',
    '/403',
    '/500',
    '/resetEmailResult',
    '/forgetPassword',
    '/forgetPasswordActive',
    '/forgetPasswordResult',
    '/resetPassSuccess',
    '/system/activeUser',
  ];
  const open = pageRoutes.filter((route) => route.isPublic).map(({ path }) => path);
  expect(open).toEqual(expect.arrayContaining(inSpecification));
  const walk = async () => {
    for (const path of open) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
      // A page that was reached without its mail leads back to its first page, which is public too.
      expect([path, ...(path === '/forgetPasswordActive' ? ['/forgetPassword'] : [])]).toContain(
        new URL(page.url()).pathname,
      );
      const text = [await page.locator('html').innerHTML(), ...(await Promise.all(answers.splice(0)))].join('\n');
      for (const secret of tenant) expect(text, `${secret} on ${path}`).not.toContain(secret);
      expect(await page.getByRole('navigation', { name: 'Menu' }).count()).toBe(0);
    }
  };
  await walk();
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((a) => a.endsWith('session'))).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  // A logout leaves nothing behind that they could show.
  await page.goto('/login');
  await fillLogin(page, platform.ready.admin);
  await page.waitForURL('**/wel/home');
  await page.getByRole('button', { name: /^User:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login*');
  await page.locator('[name=password]').waitFor();
  asked.length = 0;
  answers.length = 0;
  await walk();
  expect(asked.filter((a) => a.endsWith('session'))).toEqual([]);
  for (const path of ['/resetEmail', '/resetEmailActive', '/resetPassword', '/resetPasswordResult']) {
    const { page: own } = await product.visit();
    await own.goto(path);
    await own.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('to') === path);
    await fillLogin(own, platform.ready.admin);
    await own.waitForURL((url) => url.pathname !== '/login');
    await own.getByRole('heading', { level: 1 }).waitFor();
    // A logged-in user has cookies, unlike above.
    expect((await own.context().cookies()).length).toBeGreaterThan(0);
    // Nothing was sent yet: the second page of the email change leads to its first.
    expect([path, ...(path === '/resetEmailActive' ? ['/resetEmail'] : [])]).toContain(new URL(own.url()).pathname);
  }
});
