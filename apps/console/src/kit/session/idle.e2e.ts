// @module-tag slow
import { expect, it } from 'vitest';
import { fillLogin, useProduct } from '../../../test/browser.ts';

const limit = 12;
const product = useProduct({ name: 'idle', devices: 2, env: { CARILLON_IDLE_SECONDS: String(limit) } });
const info = '/api/f/mc/user/info';
const notices = '/api/f/mc/message/notice';
const own = { 'carillon-language': 'en_US' };

it('an idle user is logged out by browser and server, and automatic calls are no activity [AUTH-08]', async () => {
  // The limit is short here. `session.e2e.ts` checks the default of 30 minutes.
  const admin = product.platform.ready.admin;
  // One session only keeps its page's stream open, one only polls, refreshes and keeps a stream, one only moves the
  // pointer.
  const idle = await product.loggedIn('/device/list', admin);
  const idleSince = Date.now();
  const { context: polling } = await product.loggedIn('/wel/home', admin);
  const pollingSince = Date.now();
  for (const page of polling.pages()) await page.close();
  // Its stream stays open after its page is closed, so that no timer of a page ends the session.
  const cookie = (await polling.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const stream = await fetch(`${product.platform.ready.url}/api/f/gateway/live`, { headers: { ...own, cookie } });
  expect(stream.status).toBe(200);
  const basic = `Basic ${Buffer.from(`${product.platform.ready.client.id}:${product.platform.ready.client.secret}`).toString('base64')}`;

  const dead = (async () => {
    for (;;) {
      const refresh = await polling.request.post('/api/f/auth/oauth/token', {
        headers: { ...own, authorization: basic },
        form: { grant_type: 'refresh_token', scope: 'all' },
      });
      // The notice poll never counts as activity; any other call when it is marked as background.
      const poll = await polling.request.get(notices, { headers: own });
      const answer = await polling.request.get(info, { headers: { ...own, 'carillon-background': '1' } });
      if (answer.status() === 401) return (Date.now() - pollingSince) / 1000;
      expect([refresh.status(), poll.status(), answer.status()]).toEqual([200, 200, 200]);
      expect((Date.now() - pollingSince) / 1000).toBeLessThan(limit * 3);
      // A poll has an interval: without one it would meet the rate limit first.
      await new Promise((resolve) => {
        setTimeout(resolve, 500);
      });
    }
  })();

  const { page: busy } = await product.loggedIn('/device/list', admin);
  const began = Date.now();
  const elapsed = () => (Date.now() - began) / 1000;
  let leftAfter = Number.NaN;
  const opened: string[] = [];
  idle.page.on('request', (request) => {
    if (request.isNavigationRequest()) opened.push(new URL(request.url()).pathname);
  });
  const gone = idle.page.waitForURL('**/login').then(() => {
    leftAfter = (Date.now() - idleSince) / 1000;
  });
  // Past twice the limit, without any call to the server.
  while (elapsed() < limit * 2) {
    await busy.mouse.move(200 + Math.random() * 400, 200 + Math.random() * 300);
    await busy.waitForTimeout(300);
  }
  expect(new URL(busy.url()).pathname).toBe('/device/list');
  await busy.reload();
  await busy.locator('[data-id]').first().waitFor();
  await gone;
  expect(opened[0]).toBe('/');
  expect(leftAfter).toBeGreaterThan(limit / 2);
  expect(leftAfter).toBeLessThan(limit * 2);
  const server = await dead;
  await stream.body!.cancel();
  expect(server).toBeGreaterThan(limit / 2);
  expect(server).toBeLessThan(limit + 6);
  expect((await idle.context.request.get(info, { headers: own })).status()).toBe(401);
  expect(await idle.page.evaluate(() => localStorage.getItem('carillon-session'))).toBeNull();

  // The root page asks for a login, and leads home after it.
  await fillLogin(idle.page, admin);
  await idle.page.waitForURL('**/wel/home');
  const ending: string[] = [];
  idle.page.on('request', (request) => {
    if (request.url().includes('/oauth/logout')) ending.push(request.url());
  });
  const visited: string[] = [];
  idle.page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
  await idle.page.evaluate(() => localStorage.removeItem('carillon-session'));
  // Whichever comes first, a click or a pending call, finds the storage empty.
  await idle.page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: /Devices/ })
    .click({ timeout: 5_000 })
    .catch(() => {});
  await expect.poll(() => new URL(idle.page.url()).pathname, { timeout: 20_000 }).toBe('/login');
  await idle.page.locator('[name=password]').waitFor();
  // Only in the browser: the server is not asked to end anything, and no user data stays.
  expect(ending).toEqual([]);
  expect(visited).not.toContain('/');
  expect(await idle.page.evaluate(() => localStorage.getItem('carillon-user'))).toBeNull();

  // An invalid token: the next call is answered with 401, which leads to the root.
  const { context, page } = await product.visit();
  // Without the stream, which would report the end by itself.
  await page.route('**/api/f/gateway/live', (route) => route.abort());
  await page.goto('/task/list');
  await fillLogin(page, admin);
  await page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor();
  const roots: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) roots.push(new URL(request.url()).pathname);
  });
  await context.request.get('/api/f/auth/oauth/logout', { headers: own });
  // Either the click's call gets the 401, or a call of the page was faster and the link is gone.
  const clicked = page
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: /Devices/ })
    .click()
    .catch(() => undefined);
  await page.waitForURL('**/login');
  await clicked;
  expect(roots[0]).toBe('/');
});
