import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addRole,
  addUser,
  authAccess,
  authSession,
  countUsers,
  deleteUsers,
  disableUsers,
  editEnterprise,
  editErpId,
  editOwnUser,
  editUser,
  enableUsers,
  getUser,
  getUserInfo,
  listRoleNames,
  listUsers,
  mailRequest,
  modifyUser,
  orgOrganization,
  orgTransfer,
  permissionKeys,
  resendActivation,
  setAvatar,
  superKeys,
  unlockUsers,
  type PermissionKey,
  type RouteCall,
  listRoles,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord } from '@carillon/messaging';
import { eventually, newActor, type Actor, png, filterFaults } from '@carillon/testing';
import { openMail } from '@carillon/service';
import { password, startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
let admin: Actor;
const orgs = { south: randomUUID(), north: randomUUID() };
let roleId: string;
const access = new Map<string, { status: string; permissions: string[]; orgIds: string[] } | null>();
const ended: string[] = [];
const mails: { to: string; link: string }[] = [];

type NewUser = RouteCall<typeof addUser>['body'];
const call = () => auth.service.as(admin);
const fresh = (change: Partial<NewUser> = {}): NewUser => {
  const name = `u${randomUUID().slice(0, 8)}`;
  return {
    username: name,
    nickname: name,
    email: `${name}@example.com`,
    activation: 'password',
    oldEnough: true,
    password,
    roleIds: [roleId],
    allOrgs: false,
    orgIds: [orgs.south],
    ...change,
  };
};
const error = (promise: Promise<unknown>): Promise<{ error: string; fields: string[] }> =>
  promise.then(
    () => ({ error: 'none', fields: [] }),
    (e: { error: string; fields: { path: string }[] }) => ({ error: e.error, fields: e.fields.map((f) => f.path) }),
  );
const edited = (u: Awaited<ReturnType<typeof add>>, change: object = {}) => ({
  id: u.id,
  username: u.username,
  nickname: u.nickname,
  email: u.email,
  roleIds: u.roles.map((r) => r.id),
  allOrgs: u.allOrgs,
  orgIds: u.orgs.map((o) => o.id),
  ...change,
});
const add = (change: Partial<NewUser> = {}, actor = admin) => auth.service.as(actor)(addUser, { body: fresh(change) });
const activate = (id: string) =>
  auth.sql(`update user_account set status = 'normal', activated_at = now() where id = $1`, [id]);

beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({
    topics: [authAccess.name, authSession.name, mailRequest.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const record of records) {
        if (topic === authAccess.name) access.set(record.key, fromRecord(authAccess, record)!.data);
        else if (topic === authSession.name) {
          if (fromRecord(authSession, record)!.type === 'ended') ended.push(record.key);
        } else {
          const { template, sealed } = fromRecord(mailRequest, record)!.data!;
          const body = openMail(auth.mailKey, template, sealed)!;
          mails.push({ to: body.to, link: String(body.data['link'] ?? '') });
        }
      }
    },
  });
  await auth.bus.publish(
    [...Object.entries(orgs), ['head', auth.orgId] as const].map(([name, id]) =>
      toRecord(
        orgOrganization,
        id,
        { id, companyId: auth.companyId, name, description: '', updatedAt: new Date().toISOString() },
        envelope('organization', { companyId: auth.companyId, version: 1 }),
      ),
    ),
  );
  const [own] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  admin = { companyId: auth.companyId, orgId: auth.orgId, userId: own!.id, permissions: permissionKeys };
  await eventually(() => expect(access.get(own!.id)?.orgIds).toHaveLength(3));
  roleId = (await call()(addRole, { body: { name: 'Helpers', description: '', permissions: ['home', 'device'] } })).id;
});
afterAll(() => auth.close());

describe('users', () => {
  test('are added with every field, listed, filtered, counted, searched, edited and deleted', async () => {
    const added = await add({
      username: 'anna.b',
      nickname: 'Anna 100%',
      email: 'Anna@Example.com',
      erpId: 'ERP-7',
      language: 'ko',
      timezoneId: 12,
      countryId: 49,
      orgIds: [orgs.south, orgs.north],
    });
    expect(added).toMatchObject({
      username: 'anna.b',
      nickname: 'Anna 100%',
      email: 'Anna@Example.com',
      accountType: 'ordinary',
      status: 'inactive',
      activation: 'password',
      roles: [{ id: roleId, name: 'Helpers' }],
      allOrgs: false,
      orgs: [{ name: 'north' }, { name: 'south' }],
      erpId: 'ERP-7',
      language: 'ko',
      timezoneId: 12,
      countryId: 49,
      createdBy: 'tester',
      editor: 'tester',
      lastLoginAt: null,
    });
    const found = async (query: object) => (await call()(listUsers, { query })).records.map((u) => u.username);
    for (const search of ['ANNA', '100%', 'anna@example', 'ERP-7']) expect(await found({ search })).toEqual(['anna.b']);
    expect(await found({ search: 'nn_' })).toEqual([]);
    expect(
      await found({ status: ['inactive'], roleId: [roleId], accountType: ['ordinary'], orgId: [orgs.north] }),
    ).toContain('anna.b');
    expect(await found({ status: ['normal'] })).not.toContain('anna.b');
    expect(await found({ orgId: [randomUUID()] })).toEqual(['admin']);
    expect(await call()(listUsers, { query: { sort: '-username', limit: 5, page: 1 } })).toMatchObject({
      size: 5,
      current: 1,
    });
    const counts = await call()(countUsers, { query: {} });
    expect(counts.total).toBe((await call()(listUsers, { query: {} })).total);
    expect(Object.values(counts.status).reduce((a, b) => a + b)).toBe(counts.total);
    expect(counts.accountType).toMatchObject({ super: 1 });
    const after = await call()(editUser, {
      body: edited(added, { username: 'anna.c', email: null, allOrgs: true, orgIds: [], erpId: null }),
    });
    expect(after).toMatchObject({
      username: 'anna.c',
      email: null,
      allOrgs: true,
      orgs: [],
      erpId: null,
      language: 'ko',
    });
    expect(await call()(deleteUsers, { query: { ids: [added.id] } })).toEqual({ deleted: 1 });
    expect((await error(call()(getUser, { params: { id: added.id } }))).error).toBe('user.missing');
    await eventually(() => expect(access.get(added.id)).toBeNull());
  });

  test('are refused when a login name or email is taken, in any company, spelling or parallel call', async () => {
    const one = await add();
    expect(await error(add({ username: one.username.toUpperCase() }))).toEqual({
      error: 'user.nameTaken',
      fields: ['username'],
    });
    expect(await error(add({ email: one.email!.toUpperCase() }))).toEqual({
      error: 'user.emailTaken',
      fields: ['email'],
    });
    const stranger = newActor();
    await auth.bus.publish([
      toRecord(
        orgOrganization,
        stranger.orgId,
        { id: stranger.orgId, companyId: stranger.companyId, name: 'x', description: '', updatedAt: '' },
        envelope('organization', { companyId: stranger.companyId, version: 1 }),
      ),
    ]);
    const theirs = await auth.service.as(stranger)(addRole, {
      body: { name: 'r', description: '', permissions: ['home'] },
    });
    expect(
      await eventually(async () => {
        const e = await error(
          add({ username: one.username, roleIds: [theirs.id], orgIds: [stranger.orgId] }, stranger),
        );
        expect(e.error).not.toBe('user.beyondOwnOrganizations');
        return e;
      }),
    ).toEqual({ error: 'user.nameTaken', fields: ['username'] });
    const name = `race${randomUUID().slice(0, 6)}`;
    const both = await Promise.all([error(add({ username: name })), error(add({ username: name }))]);
    expect(both.map((b) => b.error).toSorted()).toEqual(['none', 'user.nameTaken']);
    for (const [change, wanted] of [
      [{ username: 'a b' }, 'user.nameFormat'],
      [{ username: 'a@b' }, 'user.nameFormat'],
      [{ email: 'no' }, 'user.emailInvalid'],
      [{ email: 'a@b.c\r\nBcc: x@y.z' }, 'user.emailInvalid'],
      [{ password: 'short' }, 'auth.passwordRule'],
      [{ password: undefined }, 'user.passwordMissing'],
      [{ activation: 'email', email: null }, 'user.emailMissing'],
      [{ orgIds: [] }, 'user.organizationMissing'],
    ] as const) {
      expect((await error(add(change as never))).error, JSON.stringify(change)).toBe(wanted);
    }
  });

  test('lose sessions and rights within a second when disabled or deleted, and regain rights when enabled', async () => {
    const [one, two] = [await add(), await add()];
    for (const user of [one, two]) await activate(user.id);
    const sessions: string[] = [];
    for (const user of [one, two]) {
      expect((await auth.login(user.username)).status).toBe(200);
      sessions.push((await auth.sql<{ id: string }>('select id from session where user_id = $1', [user.id]))[0]!.id);
    }
    const before = Date.now();
    expect(await call()(disableUsers, { body: { ids: [one.id] } })).toEqual({ changed: 1 });
    await call()(deleteUsers, { query: { ids: [two.id] } });
    await eventually(() => {
      expect(ended).toEqual(expect.arrayContaining(sessions));
      expect(access.get(one.id)?.status).toBe('disabled');
      expect(access.get(two.id)).toBeNull();
    });
    expect(Date.now() - before).toBeLessThan(1_000);
    expect((await auth.login(one.username)).body['error']).toBe('auth.disabled');
    expect((await auth.login(two.username)).body['error']).toBe('auth.wrongCredentials');
    await call()(enableUsers, { body: { ids: [one.id] } });
    expect((await auth.login(one.username)).status).toBe(200);
    const never = await add();
    await call()(disableUsers, { body: { ids: [never.id] } });
    await call()(enableUsers, { body: { ids: [never.id] } });
    expect((await call()(getUser, { params: { id: never.id } })).status).toBe('inactive');
  });

  test('are listed as locked after failed logins, filtered by it, and unlocked at once', async () => {
    const user = await add();
    await activate(user.id);
    for (let i = 0; i < 5; i++) await auth.login(user.username, 'wrong');
    expect((await auth.login(user.username)).body['error']).toBe('auth.accountLocked');
    expect((await call()(listUsers, { query: { status: ['locked'] } })).records.map((u) => u.id)).toEqual([user.id]);
    expect((await call()(countUsers, { query: {} })).status['locked']).toBe(1);
    await call()(unlockUsers, { body: { ids: [user.id] } });
    expect((await auth.login(user.username)).status).toBe(200);
    expect((await call()(listUsers, { query: { status: ['locked'] } })).total).toBe(0);
  });

  test('get a new activation link, which replaces the older one, or a new first password', async () => {
    const user = await add({ activation: 'email', password: undefined } as never);
    const first = await eventually(() => {
      const m = mails.find((x) => x.to === user.email);
      expect(m).toBeDefined();
      return m!;
    });
    expect(first.link).toMatch(/^https:\/\/carillon\.example\/system\/activeUser#[\w-]{43}$/);
    await call()(resendActivation, { body: { id: user.id } });
    await eventually(() => expect(mails.filter((m) => m.to === user.email)).toHaveLength(2));
    expect(await auth.sql('select 1 from account_link where user_id = $1 and used_at is null', [user.id])).toHaveLength(
      1,
    );
    await call()(resendActivation, { body: { id: user.id } });
    expect((await error(call()(resendActivation, { body: { id: user.id } }))).error).toBe('common.tooMany');
    await call()(resendActivation, { body: { id: user.id, password } });
    expect((await auth.login(user.username)).body['error']).toBe('auth.notActivated');
    await activate(user.id);
    expect((await error(call()(resendActivation, { body: { id: user.id } }))).error).toBe('user.notInactive');
  });

  test('every change logs the values before and after, but no password', async () => {
    const seen: string[] = [];
    const feed = await auth.bus.fanout({
      topics: ['audit.v1'],
      from: 'end',
      handle: ({ records }) => {
        seen.push(...records.map((r) => r.value!));
      },
    });
    const user = await add({ password: 'Secret-Word-77' });
    await call()(editUser, { body: edited(user, { nickname: 'Renamed' }) });
    await call()(disableUsers, { body: { ids: [user.id] } });
    await call()(deleteUsers, { query: { ids: [user.id] } });
    const entries = await eventually(() => {
      const own = seen
        .map((s) => JSON.parse(s) as { action: string; objectId: string; detail: { before: object; after: object } })
        .filter((e) => e.objectId === user.id);
      expect(own).toHaveLength(4);
      return own;
    });
    expect(entries.map((e) => e.action)).toEqual(['user.add', 'user.edit', 'user.disable', 'user.delete']);
    expect(entries[1]!.detail).toMatchObject({ before: { nickname: user.nickname }, after: { nickname: 'Renamed' } });
    expect(seen.join()).not.toMatch(/Secret-Word-77|argon2/);
    await feed.close();
  });
});

describe('an administrator with fewer rights', () => {
  const limited = async (permissions: readonly PermissionKey[], orgIds: string[]) => {
    const role = await call()(addRole, {
      body: { name: `r${randomUUID()}`, description: '', permissions: [...permissions] },
    });
    const user = await add({ roleIds: [role.id], orgIds });
    return {
      role,
      user,
      actor: { companyId: auth.companyId, orgId: orgIds[0]!, orgIds, userId: user.id, permissions } satisfies Actor,
    };
  };
  const may = [
    'home',
    'device',
    'user',
    'addUser',
    'editUser',
    'deleteUser',
    'disableUser',
    'enableUser',
    'unlockUser',
    'resendActivation',
    'role',
    'addRole',
    'editRole',
  ] as const;

  test('sees and changes only users of their own organizations, and can give no other [USER-02/organization]', async () => {
    const { actor } = await limited(may, [orgs.south]);
    const [near, far, over] = [
      await add({ orgIds: [orgs.south] }),
      await add({ orgIds: [orgs.north] }),
      await add({ orgIds: [], allOrgs: true }),
    ];
    const seen = (await auth.service.as(actor)(listUsers, { query: { limit: 200 } })).records.map((u) => u.id);
    expect(seen).toContain(near.id);
    expect(seen).toContain(actor.userId);
    for (const hidden of [far, over]) {
      expect(seen).not.toContain(hidden.id);
      const as = auth.service.as(actor);
      for (const attempt of [
        () => as(getUser, { params: { id: hidden.id } }),
        () => as(deleteUsers, { query: { ids: [hidden.id] } }),
        () => as(disableUsers, { body: { ids: [near.id, hidden.id] } }),
        () => as(editUser, { body: edited(hidden) }),
        () => as(resendActivation, { body: { id: hidden.id } }),
      ])
        expect((await error(attempt())).error).toBe('user.missing');
    }
    expect((await call()(getUser, { params: { id: near.id } })).status).toBe('inactive');
    expect((await auth.service.as(actor)(countUsers, { query: {} })).total).toBe(seen.length);
    for (const change of [
      { orgIds: [orgs.north] },
      { orgIds: [orgs.south, orgs.north] },
      { orgIds: [], allOrgs: true },
    ]) {
      expect((await error(add({ ...change, roleIds: [roleId] }, actor))).error).toBe('user.beyondOwnOrganizations');
      expect((await error(auth.service.as(actor)(editUser, { body: edited(near, change) }))).error).toBe(
        'user.beyondOwnOrganizations',
      );
    }
    expect((await add({ roleIds: [roleId] }, actor)).orgs).toEqual([{ id: orgs.south, name: 'south' }]);
  });

  test('can give no right that he lacks, by no way, and touch nobody who has one; nor make himself more [USER-02/rights]', async () => {
    const { actor, role, user } = await limited(may, [orgs.south]);
    const as = auth.service.as(actor);
    const strong = await call()(addRole, {
      body: { name: `s${randomUUID()}`, description: '', permissions: [...may, 'rebootDevice'] },
    });
    const boss = await add({ roleIds: [strong.id] });
    const peer = await add();
    const refused = async (attempt: Promise<unknown>) =>
      expect((await error(attempt)).error).toBe('user.beyondOwnRights');
    await refused(add({ roleIds: [strong.id] }, actor));
    await refused(as(editUser, { body: edited(peer, { roleIds: [roleId, strong.id] }) }));
    await refused(as(addRole, { body: { name: 'x', description: '', permissions: ['rebootDevice'] } }));
    for (const attempt of [
      () => as(editUser, { body: edited(boss, { email: 'mine@example.com' }) }),
      () => as(deleteUsers, { query: { ids: [boss.id] } }),
      () => as(disableUsers, { body: { ids: [boss.id] } }),
      () => as(unlockUsers, { body: { ids: [boss.id] } }),
      () => as(resendActivation, { body: { id: boss.id, password } }),
    ])
      await refused(attempt());
    await refused(add({ accountType: 'super' }, actor));
    await refused(add({ accountType: 'channel' }, actor));
    expect((await error(as(editUser, { body: edited(user, { roleIds: [role.id, roleId] }) }))).error).toBe(
      'user.notYourself',
    );
    expect((await error(as(deleteUsers, { query: { ids: [user.id] } }))).error).toBe('user.notYourself');
    const names = await as(listRoleNames);
    expect(names.find((r) => r.id === strong.id)?.givable).toBe(false);
    expect(names.find((r) => r.id === roleId)?.givable).toBe(true);
    expect((await add({ accountType: 'channel' })).accountType).toBe('channel');
  });

  test('with a role that holds a right of the super administrator alone does not get it', async () => {
    const [administrator] = await auth.sql<{ id: string }>(`select id from role where name = 'administrator'`);
    const user = await add({ roleIds: [administrator!.id] });
    await eventually(() =>
      expect(access.get(user.id)?.permissions).toHaveLength(permissionKeys.length - superKeys.length),
    );
    expect(access.get(user.id)!.permissions).not.toContain('addCompany');
    expect(access.get(admin.userId)!.permissions).toContain('addCompany');
  });
});

test.each([listUsers, countUsers, listRoles])(
  'answers every filter of every list, and is and is-not add up to all: $path',
  async (route) => {
    const { checked, faults } = await filterFaults(route, (query) => call()(route, { query } as never) as never);
    expect(faults).toEqual([]);
    expect(checked.length).toBeGreaterThan(2);
  },
);

test('lists, filters and counts distinguish super administrators, channel users and ordinary users [USER-03/calls]', async () => {
  const [ordinary, channel, boss] = [
    await add({ nickname: 'Trio' }),
    await add({ nickname: 'Trio', accountType: 'channel' }),
    await add({ nickname: 'Trio', accountType: 'super' }),
  ];
  for (const [type, user] of [
    ['ordinary', ordinary],
    ['channel', channel],
    ['super', boss],
  ] as const) {
    expect((await call()(listUsers, { query: { search: 'Trio', accountType: [type] } })).records).toEqual([
      expect.objectContaining({ id: user.id, accountType: type }),
    ]);
    expect((await call()(getUser, { params: { id: user.id } })).accountType).toBe(type);
  }
  expect((await call()(countUsers, { query: { search: 'Trio' } })).accountType).toEqual({
    super: 1,
    channel: 1,
    ordinary: 1,
  });
  expect((await call()(countUsers, { query: { search: 'Trio', accountType: ['channel', 'super'] } })).total).toBe(2);
});

test('users read and change their own name, zone, ERP ID, enterprise and picture', async () => {
  const user = await add({ erpId: 'E-1' });
  const as = auth.service.as({ companyId: auth.companyId, orgId: auth.orgId, userId: user.id });
  await as(editOwnUser, { body: { nickname: 'Neu', language: 'pt_BR', countryId: 55 } });
  await as(editErpId, { body: { erpId: 'E-2' } });
  await as(editEnterprise, {
    body: { contact: 'Frau Glocke', phone: '+49 12345', address: 'Turmweg 1', website: 'https://example.com' },
  });
  const form = await auth.service.raw(
    { companyId: auth.companyId, orgId: auth.orgId, userId: user.id },
    {
      method: 'POST',
      url: '/api/f/mc/user/modify',
      payload: 'timezoneId=17',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  );
  expect(form).toMatchObject({ status: 200, body: { code: 200 } });
  expect(modifyUser.form).toBe(true);
  await as(setAvatar, { body: { image: png.toString('base64') } });
  const info = await as(getUserInfo);
  expect(info).toMatchObject({
    nickname: 'Neu',
    language: 'pt_BR',
    countryId: 55,
    erpId: 'E-2',
    timezoneId: 17,
    createdBy: 'tester',
    companyName: expect.any(String),
    createdAt: expect.any(String),
    enterprise: { contact: 'Frau Glocke', website: 'https://example.com' },
    avatar: `data:image/png;base64,${png.toString('base64')}`,
  });
  for (const bad of [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    Buffer.from('GIF89a'),
    Buffer.from('MZ'),
    png.subarray(0, 12),
    Buffer.concat([png, Buffer.alloc(102_400)]),
  ]) {
    expect((await error(as(setAvatar, { body: { image: bad.toString('base64') } }))).error).toMatch(
      /user\.imageWrong|common\.invalid/,
    );
  }
  expect((await error(as(setAvatar, { body: { image: `${png.toString('base64')}!` } }))).error).toBe('user.imageWrong');
  expect((await as(getUserInfo)).avatar).toContain('image/png');
  expect((await as(setAvatar, { body: { image: null } })).avatar).toBeNull();
  expect(
    (await error(as(editEnterprise, { body: { contact: '', phone: '', address: '', website: 'javascript:alert(1)' } })))
      .error,
  ).toBe('common.invalid');
  const [row] = await auth.sql<{ password_hash: string }>('select password_hash from user_account where id = $1', [
    user.id,
  ]);
  expect(row!.password_hash).not.toContain(createHash('md5').update(password).digest('hex'));
});

test('users follow the transfer of their organization, and new ones appear for who sees all [ORG-01/users]', async () => {
  const user = await add({ orgIds: [orgs.south] });
  const publish = (id: string, name: string | null) =>
    auth.bus.publish([
      toRecord(
        orgOrganization,
        id,
        name === null ? null : { id, companyId: auth.companyId, name, description: '', updatedAt: '' },
        envelope('organization', { companyId: auth.companyId, version: 9 }),
      ),
    ]);
  await auth.bus.publish([
    toRecord(
      orgTransfer,
      auth.companyId,
      { fromId: orgs.south, toId: orgs.north },
      envelope('transfer', { companyId: auth.companyId }),
    ),
  ]);
  await eventually(() => expect(access.get(user.id)?.orgIds).toEqual([orgs.north]));
  expect(await call()(getUser, { params: { id: user.id } })).toMatchObject({
    orgs: [{ id: orgs.north }],
    defaultOrgId: orgs.north,
  });
  const west = randomUUID();
  await publish(west, 'west');
  await eventually(() => expect(access.get(admin.userId)?.orgIds).toContain(west));
  await publish(west, null);
  await eventually(() => expect(access.get(admin.userId)?.orgIds).not.toContain(west));
});
