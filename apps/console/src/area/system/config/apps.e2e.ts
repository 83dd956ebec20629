import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteExternalApp, editSysConfig, listExternalApps } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const sites: Server[] = [];
const hostOf = (site: Server) => `127.0.0.1:${(site.address() as AddressInfo).port}`;

async function site(answer: (path: string) => { location?: string; body?: string }): Promise<Server> {
  const server = createServer((request, response) => {
    const { location, body } = answer(request.url!);
    if (location) {
      response.writeHead(302, { location }).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  }).listen(0, '127.0.0.1');
  await new Promise((done) => {
    server.once('listening', done);
  });
  sites.push(server);
  return server;
}

let allowed: Server;
let other: Server;
beforeAll(async () => {
  other = await site(() => ({ body: '<p>Somewhere else</p>' }));
  allowed = await site((path) =>
    path === '/away'
      ? { location: `http://${hostOf(other)}/` }
      : {
          body: `<p>Wall board</p><script>try { top.location = 'http://${hostOf(other)}/'; } catch {} try { parent.document.title = 'taken'; } catch {}</script>`,
        },
  );
});
afterAll(async () => {
  const { call } = product.platform;
  for (const app of await call(listExternalApps)) await call(deleteExternalApp, { params: { id: app.id } });
  await call(editSysConfig, { body: { configKey: 'frameHosts', value: [] } });
  for (const server of sites) server.close();
});

it('an external app opens in a sandboxed frame for its roles, and no other host is ever shown [SYS-10]', async () => {
  const { viewer } = product.platform;
  const { page } = await product.loggedIn('/system/config?tab=apps');
  const dialog = page.getByRole('dialog');
  const add = async (name: string, address: string) => {
    await page.getByRole('button', { name: 'Add external app' }).click();
    await dialog.locator('[name=name]').fill(name);
    await dialog.locator('[name=address]').fill(address);
  };
  // It is refused before its host is allowed.
  await add('Wall board', `http://${hostOf(allowed)}/board`);
  await dialog.getByRole('button', { name: 'Add external app' }).click();
  await dialog.getByText('Pages of this host can’t be embedded.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('textarea[name=value]').fill('https://not-a-host/');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enter a host name or address').waitFor();
  await page.locator('textarea[name=value]').fill(hostOf(allowed));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await page.request.get('/login')).headers()['content-security-policy'])
    .toContain(`frame-src 'self' https://${hostOf(allowed)} http://${hostOf(allowed)};`);
  await add('Wall board', `http://${hostOf(allowed)}/board`);
  await dialog.getByRole('combobox', { name: 'Icon' }).click();
  await page.getByRole('option', { name: 'Chart' }).click();
  await dialog.getByRole('combobox', { name: 'Shown to' }).click();
  await page.getByRole('option', { name: 'viewer' }).click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Add external app' }).click();
  await page.getByText(`http://${hostOf(allowed)}/board`).waitFor();

  // Users with the role have it in the menu; others cannot open its page.
  const { page: theirs } = await product.loggedIn('/wel/home', viewer);
  const link = theirs.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Wall board' });
  await link.waitFor();
  expect(await link.locator('svg.tabler-icon-chart-bar').count()).toBe(1);
  const path = (await link.getAttribute('href'))!;
  expect(path).toMatch(/^\/myiframe\/[0-9a-f-]{36}$/);
  await link.click();
  await theirs.waitForURL(`**${path}`);
  await theirs.frameLocator('iframe').getByText('Wall board').waitFor();
  const sandbox = (await theirs.locator('iframe').getAttribute('sandbox'))!.split(' ');
  expect(sandbox).toContain('allow-scripts');
  expect(sandbox.some((word) => word.startsWith('allow-top-navigation'))).toBe(false);
  // The page tried to navigate this window and to access it.
  expect([new URL(theirs.url()).pathname, await theirs.title()]).toEqual([path, 'Embedded page · Carillon']);
  await page.goto(path);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();

  // A page that redirects to another host is blocked.
  const [app] = await product.platform.call(listExternalApps);
  await page.goto('/system/config?tab=apps');
  await page.getByRole('button', { name: 'Edit Wall board' }).click();
  await dialog.locator('[name=address]').fill(`http://${hostOf(allowed)}/away`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const blocked = theirs.waitForEvent('console', (message) => /frame-src/.test(message.text()));
  await theirs.reload();
  await blocked;
  expect(await theirs.frameLocator('iframe').getByText('Somewhere else').count()).toBe(0);

  // When a host is no longer allowed, its apps leave the menus, and their list says why.
  await page.locator('textarea[name=value]').fill(hostOf(other));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Its host is not allowed').waitFor();
  await expect.poll(() => link.count()).toBe(0);
  await theirs.goto(`/myiframe/${app!.id}`);
  await theirs.getByRole('heading', { name: 'Page not found' }).waitFor();
});
