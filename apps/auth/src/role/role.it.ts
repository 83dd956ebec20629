import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addMenu,
  addRole,
  authAccess,
  deleteMenus,
  deleteRoles,
  editMenu,
  editRole,
  getMenu,
  getRole,
  licenseConfig,
  listMenus,
  listParentMenus,
  listRoles,
  menuButtons,
  menuRoute,
  menuTreeOf,
  permissionKeys,
  previewMenu,
  superKeys,
  type MenuItem,
  type MenuNode,
  type PermissionKey,
  restoreRoles,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord } from '@carillon/messaging';
import { eventually, type Actor } from '@carillon/testing';
import { startAuth, type AuthUnderTest } from '../auth-test.ts';
import { BuiltInRoles } from './built-in-role.service.ts';

let auth: AuthUnderTest;
let admin: Actor;
let viewer: Actor & { roleId: string };
const published: { userId: string; permissions: string[]; at: number }[] = [];
const call = (actor: Actor = admin) => auth.service.as(actor);
const error = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const role = (permissions: PermissionKey[] = ['home']) =>
  call()(addRole, { body: { name: `r ${randomUUID()}`, description: 'd', permissions } });
const paths = (menu: readonly MenuItem[]): (string | null)[] =>
  menu.flatMap((m) => [...(m.path === null ? [] : [m.path]), ...paths(m.children)]);
/** Entries that only contain others. */
const groups = ['account', 'resources', 'channels', 'system'];
const ids = (menu: readonly MenuItem[]): string[] => menu.flatMap((m) => [m.id, ...ids(m.children)]);
const nodes = (tree: readonly MenuNode[]): MenuNode[] => tree.flatMap((n) => [n, ...nodes(n.children)]);
const entry = {
  parent: null,
  name: 'Wiki',
  source: 'link',
  sort: 5,
  hidden: false,
  path: 'https://wiki.example.com/start.html',
  meta: { keepAlive: false, roles: null },
};

/** Publishes the hosts that the operator allows in frames. */
async function allowHosts(version: number, hosts: string[]): Promise<void> {
  await auth.bus.publish([
    toRecord(licenseConfig, 'frameHosts', hosts, envelope('frameHosts', { companyId: null, version })),
  ]);
  await eventually(async () => {
    expect(await auth.sql('select hosts from frame_host')).toEqual([{ hosts }]);
  });
}

beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({
    topics: [authAccess.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) {
        const { data } = fromRecord(authAccess, r)!;
        if (data) published.push({ userId: data.userId, permissions: data.permissions, at: Date.now() });
      }
    },
  });
  const rows = await auth.sql<{ id: string; username: string; role: string }>(
    'select u.id, u.username, x.role_id as role from user_account u join user_role x on x.user_id = u.id',
  );
  const userNamed = (name: string) => rows.find((r) => r.username === name)!;
  admin = { companyId: auth.companyId, orgId: auth.orgId, userId: userNamed('admin').id, permissions: permissionKeys };
  viewer = {
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: userNamed('viewer').id,
    permissions: ['home', 'device', 'task'],
    roleId: userNamed('viewer').role,
  };
});
afterAll(() => auth.close());

test('roles are added, listed, edited and deleted, and changes spread within a second [ROLE-01/server]', async () => {
  const made = await call()(addRole, {
    body: { name: 'Desk', description: 'Answers the phone', permissions: ['home', 'device', 'device'] },
  });
  expect(made).toMatchObject({
    name: 'Desk',
    description: 'Answers the phone',
    permissions: ['home', 'device'],
    users: 0,
    updatedAt: expect.any(String),
  });
  expect(await error(call()(addRole, { body: { name: 'dESK', description: '', permissions: ['home'] } }))).toBe(
    'role.nameTaken',
  );
  expect((await call()(listRoles, { query: { search: 'answers' } })).records.map((r) => r.name)).toEqual(['Desk']);
  expect((await call()(listRoles, { query: { sort: '-name' } })).records.map((r) => r.name.toLowerCase())).toEqual(
    (await call()(listRoles, { query: {} })).records.map((r) => r.name.toLowerCase()).toReversed(),
  );
  for (const permissions of [[], ['nothing'], ['home', 'nothing']])
    expect(
      await error(
        call()(addRole, { body: { name: 'x', description: '', permissions: permissions as PermissionKey[] } }),
      ),
    ).toBe('common.invalid');
  await auth.sql('insert into user_role (id, company_id, user_id, role_id) values ($1, $2, $3, $4)', [
    randomUUID(),
    auth.companyId,
    viewer.userId,
    made.id,
  ]);
  const before = Date.now();
  const edited = await call()(editRole, {
    body: { id: made.id, name: 'Desk 2', description: '', permissions: ['home', 'task', 'addTask'] },
  });
  expect(edited).toMatchObject({ name: 'Desk 2', users: 1, permissions: ['home', 'task', 'addTask'] });
  await eventually(() =>
    expect(published.findLast((t) => t.userId === viewer.userId)?.permissions).toContain('addTask'),
  );
  expect(published.findLast((t) => t.userId === viewer.userId)!.at - before).toBeLessThan(1_000);
  expect(await error(call()(deleteRoles, { query: { ids: [made.id] } }))).toBe('role.inUse');
  expect((await call()(getRole, { params: { id: made.id } })).users).toBe(1);
  await auth.sql('delete from user_role where role_id = $1', [made.id]);
  expect(await call()(deleteRoles, { query: { ids: [made.id] } })).toEqual({ deleted: 1 });
  expect(await error(call()(getRole, { params: { id: made.id } }))).toBe('common.notFound');
});

test('the user who deleted a role gets it back with its rights and its menu entries [ROLE-01/restore]', async () => {
  const made = await role(['home', 'addDevice']);
  const restore = (actor: Actor = admin) => call(actor)(restoreRoles, { body: { ids: [made.id] } });
  // A page of this console, so no host has to be allowed.
  const own = { ...entry, path: '/manual/start.html' };
  const menus = [
    await call()(addMenu, { body: { ...own, meta: { keepAlive: false, roles: [made.id, viewer.roleId] } } }),
    await call()(addMenu, { body: { ...own, meta: { keepAlive: false, roles: [made.id] } } }),
  ];
  const rolesOf = async (i: number) =>
    (await call()(getMenu, { params: { id: menus[i]!.id } })).meta.roles?.toSorted() ?? null;
  await call()(deleteRoles, { query: { ids: [made.id] } });
  expect([await rolesOf(0), await rolesOf(1)]).toEqual([[viewer.roleId], []]);
  expect(await error(restore({ ...admin, userId: randomUUID() }))).toBe('common.restoreOver');
  expect(await error(restore({ ...admin, permissions: ['home', 'deleteRole'] }))).toBe('user.beyondOwnRights');
  const follower = await call()(addRole, {
    body: { name: made.name.toUpperCase(), description: '', permissions: ['home'] },
  });
  expect(await error(restore())).toBe('role.nameTaken');
  await call()(deleteRoles, { query: { ids: [follower.id] } });
  // It is for everyone now and must stay so.
  await call()(editMenu, { body: { id: menus[1]!.id, ...own } });
  expect(await restore()).toEqual({ restored: 1 });
  expect(await call()(getRole, { params: { id: made.id } })).toEqual(made);
  expect([await rolesOf(0), await rolesOf(1)]).toEqual([[made.id, viewer.roleId].toSorted(), null]);
  expect(await restore()).toEqual({ restored: 0 });
  expect(await call()(getRole, { params: { id: made.id } })).toEqual(made);
  await call()(deleteMenus, { query: { ids: menus.map((m) => m.id) } });
});

test('no user edits a role that holds more than theirs, or loses their own permission to edit roles', async () => {
  const [own] = await auth.sql<{ id: string }>(`select id from role where name = 'administrator'`);
  const lesser: Actor = {
    ...admin,
    userId: randomUUID(),
    permissions: permissionKeys.filter((k) => k !== 'deleteDevice'),
  };
  expect(
    await error(
      call(lesser)(editRole, { body: { id: own!.id, name: 'administrator', description: '', permissions: ['home'] } }),
    ),
  ).toBe('user.beyondOwnRights');
  expect(await error(call(lesser)(deleteRoles, { query: { ids: [own!.id] } }))).toBe('user.beyondOwnRights');
  expect(
    await error(
      call()(editRole, { body: { id: own!.id, name: 'administrator', description: '', permissions: ['home'] } }),
    ),
  ).toBe('user.notYourself');
  expect((await call()(getRole, { params: { id: own!.id } })).permissions).toHaveLength(permissionKeys.length);
});

test('the tree of a role shows what the caller may give, and marks what the role has [ROLE-02/tree]', async () => {
  const made = await role(['home', 'addDevice']);
  const all = nodes(await call()(menuTreeOf, { query: { roleId: made.id } }));
  expect(new Set(all.map((n) => n.id))).toEqual(new Set(permissionKeys));
  expect(all.filter((n) => n.granted).map((n) => n.id)).toEqual(['home', 'addDevice']);
  for (const n of all) expect(n.roleId).toBe(n.granted ? made.id : null);
  expect(all.find((n) => n.id === 'addDevice')).toMatchObject({ type: 'button', parent: 'device' });
  for (const key of ['addRole', 'editRole', 'deleteRole'])
    expect(all.find((n) => n.id === key)).toMatchObject({ parent: 'role' });
  const some = nodes(await call({ ...viewer, permissions: ['role', 'home'] })(menuTreeOf, { query: {} }));
  expect(some.map((n) => n.id)).toEqual(['home', 'system', 'role']);
});

test('a preview shows the menu and the buttons of unsaved rights', async () => {
  const seen = await call()(previewMenu, { query: { permissions: ['home', 'device', 'addDevice', 'company'] } });
  expect(paths(seen.menu)).toEqual(['/wel/home', '/device/list', '/system/company']);
  expect(seen.buttons).toEqual(['addDevice']);
  expect(
    paths(
      (await call({ ...admin, permissions: ['role'] })(previewMenu, { query: { permissions: ['home', ...superKeys] } }))
        .menu,
    ),
  ).toEqual(['/wel/home']);
});

test('every menu call answers with names, icons, order, roles and embedded pages [ROLE-02/calls]', async () => {
  const list = await call()(listMenus);
  expect(await error(call()(addMenu, { body: entry }))).toBe('config.appHostNotAllowed');
  await allowHosts(1, ['wiki.example.com']);
  expect(list.find((m) => m.id === 'device')).toMatchObject({
    name: 'device',
    langKey: 'menu.devices',
    path: '/device/list',
    source: 'device',
    parent: null,
    builtIn: true,
    meta: { keepAlive: true, i18n: 'menu.devices', roles: null },
  });
  expect((await call()(listParentMenus)).map((m) => m.id)).toEqual(groups);
  const wiki = await call()(addMenu, { body: { ...entry, parent: 'system' } });
  expect(await call()(getMenu, { params: { id: wiki.id } })).toEqual(wiki);
  const inMenu = async (actor: Actor = viewer) => {
    const menu = await call(actor)(menuRoute);
    return { menu, all: ids(menu) };
  };
  expect((await inMenu()).all).toEqual(['home', 'device', 'task', 'system', wiki.id]);
  await call()(editMenu, { body: { id: wiki.id, ...entry, meta: { keepAlive: true, roles: [viewer.roleId] } } });
  const { menu } = await inMenu();
  expect(menu[0]).toMatchObject({
    id: wiki.id,
    name: 'Wiki',
    path: entry.path,
    source: 'link',
    meta: { keepAlive: true, roles: ['viewer'] },
  });
  expect((await inMenu(admin)).all).not.toContain(wiki.id);
  const device = list.find((m) => m.id === 'device')!;
  const change = (more: object) =>
    call()(editMenu, {
      body: {
        id: 'device',
        parent: device.parent,
        name: null,
        source: device.source,
        sort: device.sort,
        hidden: false,
        meta: { keepAlive: true, roles: null },
        ...more,
      },
    });
  await change({ name: 'Telefone', sort: 1, source: 'phone' });
  expect((await inMenu()).menu[0]).toMatchObject({
    id: 'device',
    name: 'Telefone',
    langKey: '',
    source: 'phone',
    path: '/device/list',
  });
  await change({ parent: 'system', meta: { keepAlive: false, roles: null }, hidden: true });
  expect((await inMenu()).menu.find((m) => m.id === 'system')!.children[0]).toMatchObject({
    id: 'device',
    langKey: 'menu.devices',
    meta: { hidden: true },
  });
  await change({});
  expect(await error(call()(deleteMenus, { query: { ids: ['device'] } }))).toBe('menu.builtIn');
  // A host that the operator removes disappears from every menu, but administrators still see the entry.
  await allowHosts(2, []);
  expect((await inMenu()).all).not.toContain(wiki.id);
  expect((await call()(listMenus)).map((m) => m.id)).toContain(wiki.id);
  await allowHosts(3, ['wiki.example.com', 'evil.example:8443']);
  for (const path of [
    'https://evil.example/',
    'https://wiki.example.com.evil.example/',
    'https://wiki.example.com@evil.example/',
    'http:\\\\evil.example',
    'https://evil.example:8444/x.html',
    'https://wiki.example.com:8443/',
    'http://127.0.0.1/',
    'https://evil.example\\@wiki.example.com/',
  ])
    expect(await error(call()(addMenu, { body: { ...entry, path } })), path).toMatch(
      /^(config\.appHostNotAllowed|menu\.pathFormat)$/,
    );
  const group = await call()(addMenu, { body: { ...entry, name: 'Links', path: null } });
  await call()(editMenu, { body: { id: wiki.id, ...entry, parent: group.id } });
  expect(await error(call()(deleteMenus, { query: { ids: [group.id] } }))).toBe('menu.hasChildren');
  expect(await error(call()(editMenu, { body: { id: group.id, ...entry, path: null, parent: wiki.id } }))).toBe(
    'menu.parentLoop',
  );
  expect(await error(call()(editMenu, { body: { id: group.id, ...entry, path: null, parent: group.id } }))).toBe(
    'menu.parentLoop',
  );
  expect(
    await error(
      call()(editMenu, {
        body: { id: 'menu', ...entry, path: undefined, name: null, parent: 'system', hidden: true } as never,
      }),
    ),
  ).toBe('menu.selfHidden');
  for (const path of ['javascript:alert(1)', '//evil.example', 'data:text/html,x', 'https://'])
    expect(await error(call()(addMenu, { body: { ...entry, path } })), path).toBe('menu.pathFormat');
  expect(await error(call()(addMenu, { body: { ...entry, parent: randomUUID() } }))).toBe('common.notFound');
  expect(await error(call()(addMenu, { body: { ...entry, meta: { keepAlive: false, roles: [randomUUID()] } } }))).toBe(
    'common.notFound',
  );
  expect(await call()(deleteMenus, { query: { ids: [group.id, wiki.id] } })).toEqual({ deleted: 2 });
  expect(ids(await call()(menuRoute)).toSorted()).toEqual(
    (await call()(listMenus))
      .filter((m) => m.path !== null || groups.includes(m.id))
      .map((m) => m.id)
      .toSorted(),
  );
});

test('the menu and the button keys match every single permission exactly [SHELL-03/server]', async () => {
  for (const key of permissionKeys) {
    const actor: Actor = { ...viewer, userId: randomUUID(), permissions: [key] };
    const menu = ids(await call(actor)(menuRoute)).filter((id) => !groups.includes(id));
    const buttons = await call(actor)(menuButtons);
    // The entries above the hidden pages.
    for (const other of [...menu, ...buttons]) expect(['role', 'company', key]).toContain(other);
    if (!groups.includes(key)) expect([...menu, ...buttons], key).toContain(key);
  }
});

test('a seeded role gains the rights of a new version at the start, except those that were removed from it', async () => {
  const [administrator, onlooker] = await auth.sql<{ id: string; permissions: string[] }>(
    `select id, permissions from role where built_in in ('administrator', 'viewer') order by built_in`,
  );
  const own = await role(['home']);
  // Simulates an older version: two permissions did not exist yet, one was removed from the role, and the role was
  // renamed.
  const older = permissionKeys.filter((key) => !['addTask', 'addApiToken'].includes(key));
  await auth.sql('update role set permissions = $2, known_keys = $3, name = $4 where id = $1', [
    administrator!.id,
    older.filter((key) => key !== 'deleteDevice'),
    older,
    'Bosses',
  ]);
  published.length = 0;
  const start = () => auth.service.app.get(BuiltInRoles, { strict: false }).onApplicationBootstrap();
  await Promise.all([start(), start()]);
  const permissionsOf = async (id: string) =>
    (
      await auth.sql<{ permissions: string[] }>('select permissions from role where id = $1', [id])
    )[0]!.permissions.toSorted();
  const expected = permissionKeys.filter((key) => key !== 'deleteDevice').toSorted();
  expect(await permissionsOf(administrator!.id)).toEqual(expected);
  await eventually(() => {
    expect(published.find((t) => t.userId === admin.userId)?.permissions.toSorted()).toEqual(expected);
  });
  expect(published.filter((t) => t.userId === admin.userId)).toHaveLength(1);
  expect(await permissionsOf(onlooker!.id)).toEqual(onlooker!.permissions.toSorted());
  expect(await permissionsOf(own.id)).toEqual(['home']);
  await auth.sql('update role set permissions = $2, name = $3 where id = $1', [
    administrator!.id,
    administrator!.permissions,
    'administrator',
  ]);
});
