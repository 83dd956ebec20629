import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import {
  activateByPassword,
  addMenu,
  addRole,
  addUser,
  deleteMenus,
  deleteRoles,
  deleteUsers,
  editSysConfig,
  listRoles,
  getRole,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { fillLogin, unfoldMenu, useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const first = 'First-Secret-1';
const second = 'Second-Secret-2';

async function person(username: string, roleId: string) {
  const user = await product.platform.call(addUser, {
    body: {
      username,
      nickname: username,
      email: null,
      activation: 'password',
      oldEnough: true,
      password: first,
      roleIds: [roleId],
      allOrgs: true,
      orgIds: [],
    },
  });
  await product.platform.plainClient()(activateByPassword, {
    body: { username, password: first, newPassword: second, confirmation: second },
  });
  return { id: user.id, username, password: second };
}

it('a role is added from the menu tree, edited and deleted, and changes apply at once [ROLE-01]', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/system/roles');
  await page.getByRole('link', { name: 'Add role' }).click();
  // The URL is below that of users (SHELL-02), but the page belongs to roles.
  await page
    .getByRole('navigation', { name: 'Menu' })
    .locator('[aria-current=page]')
    .filter({ hasText: 'Roles' })
    .waitFor();
  await page.locator('fieldset input').first().waitFor();
  await page.getByRole('button', { name: 'Add role', exact: true }).click();
  for (const text of ['Enter a name.', 'Choose at least one permission.']) await page.getByText(text).waitFor();
  await page.locator('[name=name]').fill('Bell ringers');
  await page.locator('[name=description]').fill('Look after bells');
  await page.getByLabel('Home', { exact: true }).check();
  await page.getByLabel('Add devices', { exact: true }).check();
  await page.getByRole('button', { name: 'Add role', exact: true }).click();
  await page.waitForURL('**/system/roles');
  const row = page.locator('[data-id]').filter({ hasText: 'Bell ringers' });
  await row.getByText('Look after bells').waitFor();
  await row.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/).waitFor();
  const [role] = (await platform.call(listRoles, { query: { search: 'Bell ringers' } })).records;
  // The page of the right was added with it.
  expect(role!.permissions.toSorted()).toEqual(['addDevice', 'device', 'home']);

  // The list is delayed: it shows no users when the dialog opens, and the dialog must follow it.
  const asked = Promise.withResolvers<void>();
  await page.route('**/auth/role/list?*', async (route) => {
    await asked.promise;
    await route.continue();
  });
  const user = await person('bellringer', role!.id);
  const { context } = await product.loggedIn('/wel/home', user);
  const tasks = async () =>
    (await context.request.get('/api/f/task/task/list', { headers: { 'carillon-language': 'en_US' } })).status();
  expect(await tasks()).toBe(403);
  const act = async (action: string) => {
    await page.getByRole('button', { name: 'Actions for Bell ringers', exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  await act('Edit');
  await page.locator('[name=description]').fill('Look after big bells');
  await page.getByLabel('Tasks', { exact: true }).check();
  const saved = page.waitForResponse((r) => r.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  expect((await saved).status()).toBe(200);
  // The time from the answer to the last request that was still refused.
  const from = performance.now();
  let stale = 0;
  for (let sent = 0; (await tasks()) !== 200; sent = performance.now() - from) stale = sent;
  expect(stale).toBeLessThan(1_000);
  const changed = (await platform.call(listRoles, { query: { search: 'Bell ringers' } })).records[0]!;
  expect(changed).toMatchObject({
    description: 'Look after big bells',
    permissions: expect.arrayContaining(['addDevice', 'device', 'home', 'task']),
  });
  expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(role!.updatedAt));

  await page.waitForURL('**/system/roles');
  await act('Delete');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete' }).waitFor();
  asked.resolve();
  await dialog.getByText('1 user has this role. Give them another one first.').waitFor();
  expect(await dialog.getByRole('button', { name: /Delete/ }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(platform.call(deleteRoles, { query: { ids: [role!.id] } })).rejects.toMatchObject({
    error: 'role.inUse',
  });
  await platform.call(deleteUsers, { query: { ids: [user.id] } });
  await page.reload();
  await act('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
});

it('a deleted role is restored from the list with its rights', async () => {
  const { platform } = product;
  const role = await platform.call(addRole, {
    body: { name: 'Bell founders', description: 'Cast bells', permissions: ['home', 'device'] },
  });
  try {
    const { page } = await product.administrator('/system/roles');
    const row = page.locator('[data-id]').filter({ hasText: 'Bell founders' });
    await page.getByRole('button', { name: 'Actions for Bell founders', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Role Bell founders deleted').waitFor();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Role Bell founders restored').waitFor();
    await row.getByText('Cast bells').waitFor();
    expect(await platform.call(getRole, { params: { id: role.id } })).toEqual(role);
  } finally {
    await platform.call(deleteRoles, { query: { ids: [role.id] } });
  }
});

it('the menu hides pages without permission and embeds other sites per role [SHELL-03]', async () => {
  const { platform } = product;
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<p>Bells of the world</p>');
  }).listen(0, '127.0.0.1');
  await new Promise((done) => {
    site.once('listening', done);
  });
  const role = await platform.call(addRole, {
    body: { name: 'Embedded', description: '', permissions: ['home', 'device'] },
  });
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  await platform.call(editSysConfig, { body: { configKey: 'frameHosts', value: [host] } });
  // The menu knows it a moment later.
  const wiki = await eventually(() =>
    platform.call(addMenu, {
      body: {
        parent: null,
        name: 'Bell wiki',
        source: 'book',
        sort: 500,
        hidden: false,
        path: `http://${host}/start.html`,
        meta: { keepAlive: false, roles: [role.id] },
      },
    }),
  );
  const own = await platform.call(addMenu, {
    body: {
      parent: null,
      name: 'Own manual',
      source: 'book',
      sort: 501,
      hidden: false,
      path: '/manual/bells.html?part=2',
      meta: { keepAlive: false, roles: null },
    },
  });
  const secure = await platform.call(addMenu, {
    body: {
      parent: null,
      name: 'Secure wiki',
      source: 'book',
      sort: 502,
      hidden: false,
      path: `https://${host}/`,
      meta: { keepAlive: false, roles: null },
    },
  });
  const user = await person('embedded', role.id);
  try {
    const { page } = await product.visit();
    const asked: string[] = [];
    page.on('request', (r) => {
      const { pathname } = new URL(r.url());
      if (/\/(menu\/route|oauth\/token)$/.test(pathname)) asked.push(pathname.split('/').at(-1)!);
    });
    await page.goto('/wel/home');
    await page.waitForURL('**/login');
    await fillLogin(page, user);
    await page.waitForURL('**/wel/home');
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Bell wiki' }).waitFor();
    expect(
      await menu
        .getByRole('link')
        .evaluateAll((links) => links.map((l) => new URL((l as HTMLAnchorElement).href).pathname)),
    ).toEqual(['/wel/home', '/device/list', `/myiframe/${wiki.id}`, `/myiframe/${own.id}`, `/myiframe/${secure.id}`]);
    // It may be requested again, because it was changed a moment ago.
    expect(asked.slice(0, 2)).toEqual(['token', 'route']);
    await menu.getByRole('link', { name: 'Bell wiki' }).click();
    await page.waitForURL(`**/myiframe/${wiki.id}`);
    await page.frameLocator('iframe').getByText('Bells of the world').waitFor();
    // Its tab holds the parameter of the path (SHELL-09).
    const tabs = () => page.evaluate(() => sessionStorage.getItem('carillon-tabs') ?? '');
    await expect.poll(tabs).toContain(`"params":{"routerPath":"${wiki.id}"}`);
    expect(await page.locator('iframe').getAttribute('sandbox')).toContain('allow-same-origin');
    await menu.getByRole('link', { name: 'Own manual' }).click();
    await page.waitForURL(`**/myiframe/${own.id}`);
    await page.locator('iframe[src="/manual/bells.html?part=2"]').waitFor();
    // A page of our own site must not get our origin, because it could reach the console with it.
    expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('allow-same-origin');
    await menu.getByRole('link', { name: 'Secure wiki' }).click();
    await page.waitForURL(`**/myiframe/${secure.id}`);
    await page.locator(`iframe[src="https://${host}/"]`).waitFor();
    for (const path of ['/system/users', '/task/list', '/menu', '/system/operationLog']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
    const { page: admin } = await product.loggedIn('/wel/home');
    const all = admin.getByRole('navigation', { name: 'Menu' });
    await unfoldMenu(admin);
    const menus = await admin.request.get('/api/f/mc/menu/route', { headers: { 'carillon-language': 'en_US' } });
    expect(await menus.text()).toContain('"path":"/menu/index"');
    expect(await all.getByRole('link', { name: 'Menus' }).getAttribute('href')).toBe('/menu');
    await all.getByRole('link', { name: 'Menus' }).click();
    await admin.waitForURL('**/menu');
    await admin.getByRole('heading', { name: 'Menus', exact: true }).waitFor();
    await all.getByRole('link', { name: 'Own manual' }).waitFor();
    expect(await all.getByRole('link', { name: 'Bell wiki' }).count()).toBe(0);
    await admin.goto(`/myiframe/${wiki.id}`);
    await admin.getByRole('heading', { name: 'Page not found' }).waitFor();
  } finally {
    site.close();
    await platform.call(editSysConfig, { body: { configKey: 'frameHosts', value: [] } });
    await platform.call(deleteMenus, { query: { ids: [wiki.id, own.id, secure.id] } });
    await platform.call(deleteUsers, { query: { ids: [user.id] } });
    await platform.call(deleteRoles, { query: { ids: [role.id] } });
  }
});
