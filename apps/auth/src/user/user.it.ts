import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  addRole,
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
  listUsers,
  modifyUser,
  orgOrganization,
  orgTransfer,
  resendActivation,
  setAvatar,
  unlockUsers,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { eventually, newActor, png } from '@carillon/testing';
import { password } from '../auth-test.ts';
import { orgs, error, startUsers } from './user-test.ts';

const { auth, access, ended, mails, admin, roleId, call, add, edited } = await startUsers();
const activate = (id: string) =>
  auth.sql(`update user_account set status = 'normal', activated_at = now() where id = $1`, [id]);

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
