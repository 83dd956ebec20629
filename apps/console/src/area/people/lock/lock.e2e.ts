import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { fillPath, getSystemInfo } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { useProduct } from '../../../../test/browser.ts';
import { pageRoutes } from '../../../../test/routes.ts';

const product = useProduct();

it('a lock redirects every path to /lock in every tab until the right password is entered [AUTH-09]', async () => {
  const { context, page } = await product.loggedIn('/device/list?state=online');
  const second = await context.newPage();
  await second.goto('/task/list');
  await second.getByRole('heading', { name: 'Tasks', exact: true }).waitFor();
  const flag = () => page.evaluate(() => sessionStorage.getItem('carillon-lock'));
  const lock = async (password: string) => {
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Lock' });
    await dialog.getByRole('button', { name: 'Lock', exact: true }).click();
    await dialog.getByText('The lock password can’t be empty.').waitFor();
    await dialog.getByLabel('Lock password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/lock?to=*');
    // The URL changes before the page: until then a field with this name is the dialog's.
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
  };
  await lock('current lock password');
  expect(JSON.parse((await flag())!)).toMatchObject({ type: 'boolean', value: true });
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key === 'carillon-lock'))).toEqual([]);
  await second.waitForURL('**/lock?to=*');
  // Examples of each kind: inner pages, public pages, pages of links, an embedded one, and unknown paths.
  for (const path of [
    '/',
    '/wel/home',
    '/device/list',
    '/myiframe/any',
    '/login',
    '/forgetPassword',
    '/system/activeUser',
    '/404',
    '/no/such/path',
    '/resetPassword',
  ]) {
    await page.goto(path);
    await page.waitForURL('**/lock?to=*');
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
  }
  // All other paths, by navigation within the page.
  for (const path of pageRoutes.map((route) => route.path.replaceAll(/\$\w+/g, 'any'))) {
    if (path === '/lock') continue;
    await page.evaluate((to) => history.pushState(null, '', to), path);
    await page.waitForURL((url) => url.pathname === '/lock');
  }
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  // Removing the flag shows nothing more, because the server enforces the lock.
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('/device/list');
  await page.waitForURL('**/lock?to=*');
  expect(await page.locator('[data-id]').count()).toBe(0);
  const open: string[] = [];
  for (const { name, route } of allRoutes) {
    if (route.permission === 'public' || ['unlockSession', 'logout', 'logoutWithLogs'].includes(name)) continue;
    const path = fillPath(
      route.path,
      Object.fromEntries(Object.keys(route.params?.shape ?? {}).map((p) => [p, randomUUID()])),
    );
    const answer = await context.request.fetch(path, {
      method: route.method,
      headers: { 'carillon-language': 'en_US' },
      ...(route.body ? { data: {} } : {}),
    });
    if (answer.status() !== 423) open.push(`${name} ${answer.status()}`);
  }
  expect(open).toEqual([]);
  // Calls without a login are answered.
  const headers = { 'carillon-language': 'en_US' };
  expect((await context.request.get(getSystemInfo.path, { headers })).status()).toBe(200);

  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('The lock password can’t be empty.').waitFor();
  const unlock = async (password: string) => {
    await page.getByLabel('Lock password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
  };
  await unlock('something else');
  await page.getByRole('alert').getByText('Wrong lock password. 4 attempts left.').waitFor();
  await unlock('current lock password');
  await page.waitForURL('**/device/list');
  await page.locator('[data-id]').first().waitFor();
  expect(await flag()).toBeNull();
  await second.waitForURL('**/task/list');

  await lock('another');
  for (const left of [4, 3, 2, 1]) {
    await unlock('wrong');
    await page.getByText(`${left} ${left === 1 ? 'attempt' : 'attempts'} left.`).waitFor();
  }
  await unlock('wrong');
  await page.waitForURL('**/login');
  expect(await flag()).toBeNull();
  await second.waitForURL('**/login');
  expect(
    (await context.request.get('/api/f/mc/user/info', { headers: { 'carillon-language': 'en_US' } })).status(),
  ).toBe(401);
});

it('the lock screen allows a logout, and works by keyboard only [AUTH-09]', async () => {
  const { page } = await product.loggedIn('/wel/home');
  await page.getByRole('button', { name: 'Lock', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Lock' }).getByLabel('Lock password', { exact: true }).waitFor();
  await page.keyboard.type('a');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await page.locator('input[name=password]:focus').waitFor();
  for (const name of ['Show the password', 'Unlock', 'Sign out']) {
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
      ),
    ).toBe(name);
  }
  const answered = page.waitForResponse('**/oauth/logout');
  await page.keyboard.press('Enter');
  expect((await answered).status()).toBe(200);
  await page.waitForURL('**/login');
});

it('an unlock redirects to no other site, in the tab that unlocks and in the others', { tags: 'slow' }, async () => {
  for (const to of ['https://evil.example/', '//evil.example/', '/\\evil.example/', 'javascript:document.title=1']) {
    const { context, page: first } = await product.loggedIn();
    // Not awaited in the page, which may go to the lock screen before the answer arrives.
    await first.evaluate(() => {
      void fetch('/api/f/auth/session/lock', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'carillon-language': 'en_US' },
        body: JSON.stringify({ password: 'current lock password' }),
        keepalive: true,
      }).catch(() => undefined);
    });
    await first.waitForURL('**/lock?to=*');
    await first.close();
    const page = await context.newPage();
    const second = await context.newPage();
    for (const tab of [page, second]) {
      await tab.goto('/device/list');
      await tab.waitForURL('**/lock?to=*');
      await tab.goto(`/lock?to=${encodeURIComponent(to)}`);
      await tab.getByRole('heading', { name: 'Locked' }).waitFor();
    }
    await page.getByLabel('Lock password', { exact: true }).fill('current lock password');
    await page.keyboard.press('Enter');
    for (const tab of [page, second]) {
      await tab.getByRole('navigation', { name: 'Menu' }).waitFor();
      expect(new URL(tab.url()).origin, to).toBe(product.platform.ready.url);
    }
    await context.close();
  }
});
