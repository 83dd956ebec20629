import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  authAccess,
  bladeUserInfo,
  getUserInfo,
  menuButtons,
  menuRoute,
  menuTree,
  permissionKeys,
  seededRoles,
  superKeys,
  type MenuDefinition,
  type PermissionKey,
} from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { orgCompany } from '@carillon/contracts';
import { envelope, fromRecord, PostgresBus, toRecord } from '@carillon/messaging';
import { checkPolicies, companySession, currentSql, platform, transaction } from '@carillon/persistence';
import { badRequests, eventually, unguarded, violations, wrongAnswer } from '@carillon/testing';
import { client, password, startAuth, type AuthUnderTest } from '../auth-test.ts';
import { accessChanged, authService, republishAccess, seedInstallation } from '../auth.module.ts';
import { AccessPublisher } from './access.service.ts';
import { usersOfRole } from './user.queries.ts';

const routes = allRoutes.filter((r) => r.owner === 'auth');
let auth: AuthUnderTest;
let admin: {
  companyId: string;
  orgId: string;
  userId: string;
  sessionId: string;
  permissions: readonly PermissionKey[];
};
const copies: { key: string; version: number | undefined; permissions: string[] | undefined }[] = [];

beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({
    topics: [authAccess.name],
    from: 'start',
    handle: ({ records }) => {
      copies.push(
        ...records.map((r) => {
          const m = fromRecord(authAccess, r)!;
          return { key: r.key, version: m.version, permissions: m.data?.permissions };
        }),
      );
    },
  });
  admin = {
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: (await auth.login('admin')).body['userId'],
    sessionId: randomUUID(),
    permissions: permissionKeys,
  };
});
afterAll(() => auth.close());

test('publishes the two users of a new installation with the keys of their roles [ROLE-03/seed]', async () => {
  await eventually(() => {
    expect(copies).toHaveLength(2);
  });
  expect(copies.map((c) => c.permissions?.length).toSorted()).toEqual(
    [seededRoles.viewer.length, seededRoles.administrator.length].toSorted(),
  );
  expect(
    await seedInstallation(auth.service.database, {
      companyId: auth.companyId,
      orgId: auth.orgId,
      passwordPepper: randomBytes(32),
      administrator: { username: 'second', password },
    }),
  ).toBe(false);
  expect((await auth.login('second')).status).toBe(400);
});

test('a change of a role raises the access version of each of its users', async () => {
  const [role] = await auth.sql<{ id: string }>(`select id from role where name = 'viewer'`);
  const [viewer] = await auth.sql<{ id: string }>(`select id from user_account where username = 'viewer'`);
  await transaction(auth.service.database, companySession(auth.companyId), async () => {
    await currentSql().query(`update role set permissions = array['device'] where id = $1`, [role!.id]);
    await accessChanged(await usersOfRole(role!.id));
  });
  await eventually(() => {
    expect(copies.at(-1)).toEqual({ key: viewer!.id, version: 2, permissions: ['device'] });
  });
});

test('publishes users whom the topic lost again at the start, and all users on demand', async () => {
  const before = copies.length;
  await auth.service.app.get(AccessPublisher, { strict: false }).onApplicationBootstrap();
  await auth.sql(`update user_account set version = version + 1 where username = 'viewer'`);
  await auth.service.app.get(AccessPublisher, { strict: false }).onApplicationBootstrap();
  await eventually(() => {
    expect(copies).toHaveLength(before + 1);
  });
  await republishAccess(auth.service.database);
  await eventually(() => {
    expect(copies).toHaveLength(before + 3);
  });
});

test('menu and buttons follow the keys of the caller [SHELL-03/menu] [ROLE-03/buttons]', async () => {
  const seenWith = async (permissions: readonly PermissionKey[]) => {
    const call = auth.service.as({ ...admin, permissions });
    return { menu: (await call(menuRoute)).map((m) => m.path), buttons: await call(menuButtons) };
  };
  // libs/contracts/contracts.snap.json records the order of the menu.
  const shown = (entries: readonly MenuDefinition[] = []) => entries.filter((entry) => entry.hidden !== true);
  const keysOf = (entries: readonly MenuDefinition[]): string[] =>
    shown(entries).flatMap((entry) => [entry.key, ...keysOf(entry.children ?? [])]);
  const pathsOf = (entries?: readonly MenuDefinition[]) => shown(entries).map((entry) => entry.path ?? null);
  expect(await seenWith(permissionKeys)).toEqual({
    menu: pathsOf(menuTree),
    buttons: permissionKeys.filter((key) => !keysOf(menuTree).includes(key)),
  });
  expect((await auth.service.as(admin)(menuRoute)).map((entry) => entry.children.map(({ path }) => path))).toEqual(
    shown(menuTree).map((entry) => pathsOf(entry.children)),
  );
  expect(await seenWith(seededRoles.viewer)).toEqual({
    menu: ['/wel/home', '/device/list', '/device/deviceLog', '/task/list', '/alarm'],
    buttons: [],
  });
  expect(await seenWith(['addTask'])).toEqual({ menu: [], buttons: ['addTask'] });
  const [device] = (await auth.service.as(admin)(menuRoute)).filter((m) => m.id === 'device');
  expect(device).toEqual({
    id: 'device',
    name: 'device',
    langKey: 'menu.devices',
    path: '/device/list',
    source: 'device',
    children: [],
    meta: { i18n: 'menu.devices', keepAlive: true },
  });
});

test("both user info calls return the user and the company's name, and no secret", async () => {
  await auth.bus.publish([
    toRecord(
      orgCompany,
      auth.companyId,
      {
        id: auth.companyId,
        name: 'Bells',
        path: `/${auth.companyId}/`,
        type: 'enterprise',
        status: 'normal',
        fcsLimit: 0,
        fcsEnabled: false,
      },
      envelope('company', { companyId: auth.companyId, version: 1 }),
    ),
  ]);
  const info = await eventually(async () => {
    const answer = await auth.service.as(admin)(getUserInfo);
    expect(answer.companyName).toBe('Bells');
    return answer;
  });
  expect(info).toEqual({
    userId: admin.userId,
    username: 'admin',
    nickname: 'admin',
    email: null,
    accountType: 'super',
    companyId: auth.companyId,
    companyName: 'Bells',
    orgId: auth.orgId,
    roles: ['administrator'],
    countryId: 1,
    avatar: null,
    erpId: null,
    createdBy: null,
    dismissed: [],
    editor: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    allOrgs: true,
    pendingEmail: null,
    enterprise: { contact: '', phone: '', address: '', website: '' },
    language: null,
    timezoneId: 1,
    zoneChosen: false,
    lastLoginAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(await auth.service.as(admin)(bladeUserInfo)).toEqual(info);
});

test('refuses every call to a stranger and to a caller with every permission but its own [ROLE-03/auth]', async () => {
  expect(
    await unguarded({
      routes,
      ask: async (one, permissions) => {
        const { status, body } = await auth.service.raw(permissions && { ...admin, permissions }, {
          method: one.method,
          url: one.url,
          ...(one.body ? { payload: one.body, headers: { 'content-type': 'application/json' } } : {}),
        });
        return { status, error: body['error'] };
      },
    }),
  ).toEqual([]);
});

const ordinaryKeys = permissionKeys.filter((key) => !superKeys.includes(key));

test('another company gets nothing by any call [ROLE-03/isolation-auth]', async () => {
  const foreign = { companyId: randomUUID(), orgId: randomUUID() };
  await seedInstallation(auth.service.database, {
    ...foreign,
    passwordPepper: randomBytes(32),
    administrator: { username: 'Foreign-Mark', password },
  });
  const state = (): Promise<string> =>
    transaction(auth.service.database, companySession(foreign.companyId), async () =>
      JSON.stringify((await currentSql().query('select u, r from user_account u, role r')).rows),
    );
  const ids = await transaction(auth.service.database, companySession(foreign.companyId), async () =>
    (await currentSql().query<{ id: string }>('select id from user_account union select id from role')).rows.map(
      (r) => r.id,
    ),
  );
  expect(
    await violations({
      routes,
      ids: [...ids, foreign.companyId, foreign.orgId],
      marks: ['Foreign-Mark'],
      state,
      ask: async (one) => {
        // As a company's administrator: the operator's calls concern every company by design.
        const { status, body } = await auth.service.raw(
          { ...admin, permissions: ordinaryKeys },
          {
            method: one.method,
            url: one.url,
            headers: { authorization: client },
            ...(one.body ? { payload: one.body } : {}),
          },
        );
        return { status, text: JSON.stringify(body) };
      },
    }),
  ).toEqual([]);
});

test('every table has a policy, or a stated reason why it has none', async () => {
  expect(
    await transaction(auth.service.database, companySession(null), () =>
      checkPolicies(Object.keys(authService.database!.untenanted)),
    ),
  ).toEqual([]);
});

// Bad requests to all other calls: apps/standalone/src/isolation.it.ts.
test('a malformed request to a public call gets an error of the catalogue, never a 5xx', async () => {
  for (const named of routes.filter((r) => r.route.permission === 'public')) {
    for (const request of badRequests(named)) {
      const answer = await auth.service.raw(admin, {
        method: request.method,
        url: request.url,
        headers: { ...request.headers, authorization: client },
        ...(request.body === undefined ? {} : { payload: request.body as string }),
      });
      expect(wrongAnswer(request, answer)).toBeUndefined();
    }
  }
});

test('no secret of a login reaches the outbox, the bus or the log [AUTH-03/secrets]', async () => {
  const secrets: string[] = [];
  const { body } = await auth.login('admin');
  secrets.push(body['access_token'], body['refresh_token']);
  const seen: string[] = [];
  const feed = await (auth.bus as PostgresBus).fanout({
    topics: ['audit.v1', 'auth.session.v1', 'auth.access.v1', 'live.v1'],
    from: 'start',
    handle: ({ records }) => {
      seen.push(...records.map((r) => `${JSON.stringify(r.headers)}${r.value}`));
    },
  });
  await feed.caughtUp;
  await feed.close();
  const stored = await platform(auth.service.database, 'a test looks for secrets', async () =>
    JSON.stringify((await currentSql().query('select s, r from session s, refresh_token r')).rows),
  );
  for (const secret of secrets) expect([...seen, stored].some((text) => text.includes(secret))).toBe(false);
});
