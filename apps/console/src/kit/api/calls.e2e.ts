import { expect, it } from 'vitest';
import { addRole, deleteRoles, listDevices } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';
import { publishMessage } from '../../../test/publish.ts';
import { useWrittenCalls, type Json } from '../../../test/written-calls.ts';

/** Tests the published calls (SYS-06) with an independent client, written from their description alone. */
const product = useProduct();
const { ask, data, logIn, carry, undo, asClient } = useWrittenCalls(product);

async function menuCalls(): Promise<void> {
  const { platform } = product;
  const role = await platform.call(addRole, {
    body: { name: `Menu reader ${undo.length}`, description: '', permissions: ['home', 'device', 'addDevice'] },
  });
  undo.push(() => platform.call(deleteRoles, { query: { ids: [role.id] } }));
  const flat = (entries: Json[]): Json[] => entries.flatMap((n) => [n, ...flat(n.children)]);
  const list = async () => (await data('GET', '/api/f/mc/menu/list')) as Json[];

  const route = await data('GET', '/api/f/mc/menu/route');
  expect(flat(route).find((m) => m.id === 'device')).toEqual({
    id: 'device',
    name: 'device',
    langKey: 'menu.devices',
    path: '/device/list',
    source: 'device',
    children: [],
    meta: { i18n: 'menu.devices', keepAlive: true },
  });
  expect(flat(route).map((m) => m.path)).toContain('/menu/index');
  const buttons = await data('GET', '/api/f/mc/menu/buttons');
  for (const key of ['addDevice', 'deleteDevice', 'addTask', 'addRole', 'editRole', 'deleteRole'])
    expect(buttons).toContain(key);

  const tree = flat(await data('GET', '/api/f/mc/menu/tree', { query: [['roleId', role.id]] }));
  expect(tree.filter((n) => n.granted).map((n) => n.id)).toEqual(['home', 'device', 'addDevice']);
  expect({ ...tree.find((n) => n.id === 'device'), children: 'its own' }).toEqual({
    id: 'device',
    name: 'device',
    langKey: 'menu.devices',
    path: '/device/list',
    source: 'device',
    children: 'its own',
    meta: { keepAlive: true, i18n: 'menu.devices', roles: null },
    parent: null,
    roleId: role.id,
    type: 'menu',
    granted: true,
  });
  expect(tree.find((n) => n.id === 'addDevice')).toMatchObject({
    type: 'button',
    parent: 'device',
    roleId: role.id,
    children: [],
  });
  expect(tree.find((n) => n.id === 'editDevice')).toMatchObject({ parent: 'device', roleId: null, granted: false });
  const ofNobody = flat(await data('GET', '/api/f/mc/menu/tree'));
  expect(ofNobody.map((n) => n.id)).toEqual(tree.map((n) => n.id));
  for (const n of ofNobody) expect([n.roleId, n.granted]).toEqual([null, false]);

  expect((await list()).map((m) => m.id)).toEqual(expect.arrayContaining(['home', 'device', 'system', 'menu']));
  const parents = (await data('GET', '/api/f/mc/menu/parent')) as Json[];
  expect(parents.map((m) => m.id)).toEqual(expect.arrayContaining(['system', 'channels', 'resources']));
  for (const parent of parents) expect(parent.path).toBeNull();
  expect(await data('GET', '/api/f/mc/menu/device')).toMatchObject({
    id: 'device',
    path: '/device/list',
    source: 'device',
    parent: null,
    meta: { keepAlive: true, i18n: 'menu.devices', roles: null },
  });

  // Pages of another host are in the menu when the operator allows it.
  await data('PUT', '/api/f/mc/sysConfig', { json: { configKey: 'frameHosts', value: ['books.example.com'] } });
  undo.push(() => data('PUT', '/api/f/mc/sysConfig', { json: { configKey: 'frameHosts', value: [] } }));
  const entry = {
    parent: 'system',
    name: 'Bell book',
    source: 'book',
    sort: 7,
    hidden: false,
    path: 'https://books.example.com/bells',
    meta: { keepAlive: true, roles: [role.id] },
  };
  await expect
    .poll(
      async () =>
        (await ask('POST', '/api/f/mc/menu/', { json: { ...entry, path: 'https://other.example/' } })).body.error,
    )
    .toBe('config.appHostNotAllowed');
  const added = await eventually(() => data('POST', '/api/f/mc/menu/', { json: entry }));
  expect(await data('GET', `/api/f/mc/menu/${added.id}`)).toMatchObject({ ...entry, id: added.id });
  const { id } = await data('POST', '/api/f/mc/menu/', {
    json: { ...entry, name: 'Second', meta: { keepAlive: false, roles: null } },
  });
  expect(
    await data('PUT', '/api/f/mc/menu', {
      json: { id: added.id, ...entry, name: 'Bell books', sort: 8, meta: { keepAlive: false, roles: null } },
    }),
  ).toMatchObject({ name: 'Bell books', sort: 8, meta: { keepAlive: false, roles: null } });
  expect(flat(await data('GET', '/api/f/mc/menu/route')).find((m) => m.id === added.id)).toMatchObject({
    name: 'Bell books',
    path: entry.path,
    source: 'book',
    meta: {},
  });
  // Several at once, by the repeated key and as some clients write it.
  expect(
    await data('DELETE', '/api/f/mc/menu/', {
      query: [
        ['ids', added.id],
        ['ids', id],
      ],
    }),
  ).toEqual({ deleted: 2 });
  expect((await list()).map((m) => m.id)).not.toContain(added.id);
  expect((await ask('DELETE', '/api/f/mc/menu/', { query: [['ids', 'device']] })).body).toMatchObject({
    code: 409,
    error: 'menu.builtIn',
  });
}

async function bothWaysOut(): Promise<void> {
  for (const way of ['GET', 'POST'] as const) {
    const { access_token: token, refresh_token } = await logIn();
    const as = carry(token);
    expect(await data('GET', '/api/blade-auth/oauth/user-info', { as })).toMatchObject({ username: 'admin' });
    const { version } = await data('GET', '/api/f/stun/cache', { as });
    expect(await data('GET', '/api/blade-auth/oauth/clear-cache', { as })).toBeNull();
    expect((await data('GET', '/api/f/stun/cache', { as })).version).toBe(version + 1);
    const log = {
      url: '/device/list',
      time: '2026-11-21T10:00:00Z',
      type: 'error',
      message: 'boom at the end',
      stack: '',
      info: '',
    };
    expect(
      await (way === 'GET'
        ? data('GET', '/api/f/auth/oauth/logout', { as })
        : data('POST', '/api/blade-auth/oauth/logout', { as, json: { logs: [log] } })),
    ).toBeNull();
    // After either logout the token is invalid and cannot be refreshed.
    await expect.poll(async () => (await ask('GET', '/api/f/mc/user/info', { as })).status).toBe(401);
    const refreshed = await ask('POST', '/api/f/auth/oauth/token', {
      as: asClient(),
      form: { grant_type: 'refresh_token', scope: 'all', refresh_token },
    });
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'auth.logonFailure']);
  }
}

it('both logouts end the session and its tokens, and one reports browser errors [AUTH-15]', bothWaysOut);

it('every menu call of section 7 answers as specified, with all fields of an item [ROLE-02]', menuCalls);

it('every call of section 7 answers by method, path and paging; unknown ones are 404 [SYS-06]', async () => {
  const { platform } = product;
  await menuCalls();
  // Login, refresh and the captcha.
  const first = await logIn();
  expect(first).toMatchObject({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    companyId: platform.companyId,
  });
  const { body: second } = await ask('POST', '/api/f/auth/oauth/token', {
    as: asClient(),
    query: [
      ['refresh_token', first['refresh_token']],
      ['grant_type', 'refresh_token'],
      ['scope', 'all'],
    ],
  });
  expect(second['refresh_token']).not.toBe(first['refresh_token']);
  expect((await ask('GET', '/api/f/auth/oauth/captcha', { as: asClient() })).body.data).toMatchObject({
    key: expect.any(String),
    image: expect.stringMatching(/^data:image\//),
  });
  expect((await ask('GET', '/api/code', { as: {}, query: [['key', 'abcdefghijklmnopqrst']] })).type).toMatch(
    /^image\//,
  );
  expect(
    await data('GET', '/api/f/auth/oauth/showCaptcha', {
      as: asClient(),
      query: [['username', 'nobody-at-all']],
    }),
  ).toBe(false);

  // The user and their session.
  for (const path of ['/api/blade-auth/oauth/user-info', '/api/f/mc/user/info'])
    expect(await data('GET', path)).toMatchObject({ username: 'admin', companyId: platform.companyId, timezoneId: 1 });
  const before = await data('GET', '/api/f/stun/cache');
  expect(before).toEqual({ version: expect.any(Number), since: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(await data('GET', '/api/blade-auth/oauth/clear-cache')).toBeNull();
  expect((await data('GET', '/api/f/stun/cache')).version).toBe(before.version + 1);
  for (const timezoneId of ['25', '1']) {
    expect(await data('POST', '/api/f/mc/user/modify', { form: { timezoneId } })).toBeNull();
    expect((await data('GET', '/api/f/mc/user/info')).timezoneId).toBe(Number(timezoneId));
  }
  expect(
    await data('POST', '/api/f/mc/user/enterprise', {
      json: { contact: 'Anna', phone: '+49 40 12345', address: 'Hamburg', website: 'https://bells.example' },
    }),
  ).toMatchObject({ contact: 'Anna' });
  expect((await data('GET', '/api/f/mc/user/info')).enterprise.contact).toBe('Anna');
  expect(await data('POST', '/api/f/mc/user/erpID', { json: { erpId: 'ERP-7' } })).toBeNull();
  expect((await data('GET', '/api/f/mc/user/info')).erpId).toBe('ERP-7');
  await data('POST', '/api/f/mc/user/erpID', { json: { erpId: null } });
  await data('POST', '/api/f/mc/user/enterprise', { json: { contact: '', phone: '', address: '', website: '' } });

  // System configuration: saved by either method, one setting read by its key, and the public settings.
  const copyright = async () =>
    (await data('GET', '/api/f/mc/sysConfig/sys_info', { as: asClient() })).copyright as string | null;
  for (const [method, value] of [
    ['POST', '© Bells of section 7'],
    ['PUT', '© Bells again'],
    ['PUT', null],
  ] as const) {
    expect(await data(method, '/api/f/mc/sysConfig', { json: { configKey: 'copyright', value } })).toMatchObject({
      configKey: 'copyright',
    });
    await expect.poll(copyright).toBe(value);
    expect(await data('GET', '/api/f/mc/sysConfig/detail', { query: [['configKey', 'copyright']] })).toEqual({
      configKey: 'copyright',
      value,
    });
  }

  // Messages.
  for (const type of [-2, -2, 6]) await publishMessage(platform, { type });
  const messages = async (query: [string, string][] = []) =>
    (await data('GET', '/api/f/mc/message/list', { query })) as {
      records: { id: string; type: number; read: boolean }[];
      total: number;
      size: number;
      current: number;
    };
  await expect
    .poll(
      async () =>
        (
          await messages([
            ['type', '-2'],
            ['type', '6'],
            ['read', 'false'],
          ])
        ).total,
    )
    .toBeGreaterThanOrEqual(3);
  const notices = (await ask('GET', '/api/f/mc/message/notice')).body;
  expect(notices).toMatchObject({
    code: 200,
    data: expect.arrayContaining([
      expect.objectContaining({ type: -2, total: expect.any(Number), createTime: expect.any(String) }),
    ]),
  });
  const [one, two] = (
    await messages([
      ['type', '-2'],
      ['read', 'false'],
    ])
  ).records;
  expect(await data('POST', '/api/f/mc/message/read', { json: [one!.id] })).toEqual({ read: 1 });
  expect(
    (
      await messages([
        ['type', '-2'],
        ['limit', '200'],
      ])
    ).records.find((m) => m.id === one!.id)!.read,
  ).toBe(true);
  // Messages of other tests may arrive at any time.
  for (const [type, filter] of [
    ['-2', [['type', '-2']]],
    ['-1', []],
  ] as const)
    await eventually(async () => {
      await publishMessage(platform, { type: -2 });
      expect((await data('GET', `/api/f/mc/message/clear/${type}`)).read).toBeGreaterThanOrEqual(1);
      expect(
        (await messages([...filter.map(([key, value]): [string, string] => [key, value]), ['read', 'false']])).total,
      ).toBe(0);
    });
  expect(await data('DELETE', '/api/f/mc/message', { json: [one!.id, two!.id] })).toEqual({ deleted: 2 });

  // Organizations: the nine calls.
  const org = await data('POST', '/api/f/mc/org/insert', {
    json: { name: 'Section seven', description: 'as printed' },
  });
  const other = await data('POST', '/api/f/mc/org/insert', { json: { name: 'Section eight', description: '' } });
  // A user who sees all organizations sees new ones within moments.
  for (const { id } of [org, other])
    await expect.poll(async () => (await ask('GET', `/api/f/mc/org/${id}`)).status, { timeout: 45_000 }).toBe(200);
  expect(
    await data('PUT', '/api/f/mc/org/edit', { json: { id: org.id, name: 'Section 7', description: 'edited' } }),
  ).toMatchObject({ name: 'Section 7' });
  expect(await data('GET', `/api/f/mc/org/${org.id}`)).toMatchObject({
    id: org.id,
    name: 'Section 7',
    description: 'edited',
    users: expect.any(Number),
    updatedAt: expect.any(String),
  });
  const page = await data('GET', '/api/f/mc/org/list', {
    query: [
      ['current', '1'],
      ['size', '5'],
    ],
  });
  expect(page).toMatchObject({
    current: 1,
    size: 5,
    total: expect.any(Number),
    records: expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]),
  });
  expect(await data('GET', '/api/f/mc/org')).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: org.id, name: 'Section 7' })]),
  );
  expect(await data('GET', '/api/f/mc/org/users')).toEqual(
    expect.arrayContaining([expect.objectContaining({ username: 'admin' })]),
  );
  expect(await data('POST', '/api/f/mc/org/hasDevice', { json: { id: org.id } })).toMatchObject({
    hasDevice: false,
    devices: 0,
  });
  expect(await data('POST', '/api/f/mc/org/transferOrg', { json: { id: org.id, to: other.id } })).toMatchObject({
    devices: 0,
  });
  for (const { id } of [org, other]) expect(await data('POST', '/api/f/mc/org/delete', { json: { id } })).toBeNull();
  expect((await ask('GET', `/api/f/mc/org/${org.id}`)).body).toMatchObject({ code: 404, error: 'common.notFound' });

  // Pages and arrays.
  const devices = async (query: [string, string][]) => await data('GET', listDevices.path, { query });
  expect(await devices([])).toMatchObject({ current: 1, size: 20, records: { length: 20 } });
  const third = await devices([
    ['page', '3'],
    ['limit', '5'],
  ]);
  expect(third).toMatchObject({ current: 3, size: 5, records: { length: 5 } });
  expect(
    (
      await devices([
        ['current', '3'],
        ['size', '5'],
      ])
    ).records.map((d: { id: string }) => d.id),
  ).toEqual(third.records.map((d: { id: string }) => d.id));
  const [offline, online, both] = await Promise.all(
    [
      [['state', 'offline']],
      [['state', 'online']],
      [
        ['state', 'offline'],
        ['state', 'online'],
      ],
    ].map((query) => devices(query as [string, string][])),
  );
  expect(both.total).toBe(offline.total + online.total);

  // Unknown calls; a known path with another method says so.
  for (const [method, path] of [
    ['GET', '/api/f/nothing'],
    ['POST', '/api/f/mc/menu/no/such'],
    ['DELETE', '/api/blade-auth/x'],
    ['PUT', '/api/'],
    ['GET', '/api/f/mc/org/no/such/one'],
  ] as const) {
    const answer = await ask(method, path);
    expect([answer.status, answer.type, answer.body], path).toEqual([
      404,
      expect.stringMatching(/^application\/json/),
      expect.objectContaining({
        code: 404,
        success: false,
        error: 'common.routeUnknown',
        msg: 'There is no such call.',
        requestId: expect.any(String),
      }),
    ]);
  }
  expect((await ask('DELETE', '/api/f/mc/org')).body).toMatchObject({ code: 405, error: 'common.methodNotAllowed' });

  // The logout with logs has written the browser's entries into the product's log.
  const logs = platform.logs();
  try {
    await bothWaysOut();
    await logs.line((line) => JSON.stringify(line).includes('boom at the end'));
  } finally {
    logs.close();
  }
});
