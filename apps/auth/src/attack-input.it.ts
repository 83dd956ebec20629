import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  addRole,
  addUser,
  editOwnUser,
  editUser,
  listRoles,
  listUsers,
  menuTreeOf,
  permissionKeys,
  resendActivation,
} from '@carillon/contracts';
import type { Actor } from '@carillon/testing';
import { client, md5, password } from './auth-test.ts';
import { error, startAttack } from './attack-test.ts';

/** Attacks by the fields of requests that no other test covers; docs/attack-cases.md lists each. */
const { auth, admin, fastify, forget, person } = await startAttack();

test('two values of one field are none: nobody chooses which of them a check reads', async () => {
  const good = `grant_type=captcha&scope=all&password=${md5(password)}`;
  for (const twice of [
    'username=admin&username=viewer',
    'username[]=admin',
    'username[0]=admin&username[1]=viewer',
    'username=admin&password=x',
    'username=admin&grant_type=refresh_token',
    'username=admin&__proto__=x',
    'username=admin&constructor[prototype][polluted]=1',
  ]) {
    for (const as of ['query', 'form'] as const) {
      const text = `${good}&${twice}`;
      const answer = await fastify().inject({
        method: 'POST',
        url: `/api/f/auth/oauth/token${as === 'query' ? `?${text}` : ''}`,
        headers: {
          authorization: client,
          ...(as === 'form' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        },
        ...(as === 'form' ? { payload: text } : {}),
      });
      // Unknown fields are ignored; a repeated known field is refused.
      if (/__proto__|constructor/.test(twice)) expect(answer.statusCode, `${as} ${twice}`).toBeLessThan(500);
      else expect(answer.statusCode, `${as} ${twice}`).toBe(400);
    }
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  await forget();
});

test('B14: no user gains permissions by a field that their own form does not have', async () => {
  const user = await person();
  const own: Actor = { companyId: auth.companyId, orgId: auth.orgId, userId: user.id, permissions: ['home'] };
  const before = JSON.stringify(
    await auth.sql(`select to_jsonb(u) - 'updated_at' - 'version' from user_account u where id = $1`, [user.id]),
  );
  const fields = { nickname: 'Pia', language: null, countryId: 1 };
  for (const more of [
    { roleIds: [user.roleId] },
    { roleId: user.roleId },
    { orgIds: [auth.orgId] },
    { orgId: auth.orgId },
    { isAdmin: true },
    { accountType: 'super' },
    { status: 'normal' },
    { companyId: randomUUID() },
    { createSubLimit: 9 },
    { fcsLimit: 9 },
    { createdBy: 'me' },
    { passwordHash: 'x' },
    { email: 'other@example.com' },
    { allOrgs: true },
    { id: admin.userId },
    { userId: admin.userId },
    { mustChangePassword: false },
    { tokensValidAfter: 0 },
  ]) {
    const { status, body } = await auth.service.raw(own, {
      method: editOwnUser.method,
      url: editOwnUser.path,
      payload: { ...fields, ...more },
    });
    expect([status, body['error']], JSON.stringify(more)).toEqual([400, 'common.invalid']);
  }
  for (const more of [
    { isAdmin: true },
    { companyId: randomUUID() },
    { createSubLimit: 9 },
    { fcsLimit: 9 },
    { createdBy: 'me' },
    { status: 'normal' },
    { passwordHash: 'x' },
  ]) {
    const full = {
      id: user.id,
      username: user.username,
      nickname: 'Pia',
      email: user.email,
      roleIds: [user.roleId],
      allOrgs: true,
      orgIds: [],
      ...more,
    };
    expect(
      (await auth.service.raw(admin, { method: editUser.method, url: editUser.path, payload: full })).body['error'],
      JSON.stringify(more),
    ).toBe('common.invalid');
  }
  expect(
    JSON.stringify(
      await auth.sql(`select to_jsonb(u) - 'updated_at' - 'version' from user_account u where id = $1`, [user.id]),
    ),
  ).toBe(before);
});

test("B15, B16: a role grants no more than its creator has, and another company's role does not exist", async () => {
  const lesser: Actor = {
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: randomUUID(),
    permissions: ['home', 'role', 'addRole', 'editRole'],
  };
  expect(
    await error(
      auth.service.as(lesser)(addRole, {
        body: { name: 'More', description: '', permissions: ['home', 'deleteDevice'] },
      }),
    ),
  ).toBe('user.beyondOwnRights');
  const stranger: Actor = {
    companyId: randomUUID(),
    orgId: randomUUID(),
    userId: randomUUID(),
    permissions: permissionKeys,
  };
  const theirs = await auth.service.as(stranger)(addRole, {
    body: { name: 'Theirs', description: '', permissions: ['home'] },
  });
  const read = async (roleId: string) => {
    const { status, body } = await auth.service.raw(admin, {
      method: 'GET',
      url: `${menuTreeOf.path}?roleId=${roleId}`,
    });
    return JSON.stringify([status, { ...body, requestId: '' }]);
  };
  expect(await read(theirs.id)).toBe(await read(randomUUID()));
  expect(JSON.parse(await read(theirs.id))[0]).toBe(404);
  expect(
    await error(
      auth.service.as(stranger)(addUser, {
        body: {
          username: 'st.ranger',
          nickname: 'x',
          email: null,
          activation: 'password',
          oldEnough: true,
          password,
          roleIds: [(await auth.service.as(admin)(listRoles, { query: {} })).records[0]!.id],
          allOrgs: true,
          orgIds: [],
        },
      }),
    ),
  ).not.toBe('none');
});

test('C1, C2: what a search says is text, and what a list is sorted by is one of a few names', async () => {
  const marked = await person({ nickname: `50%_'"\\;--` });
  const list = async (query: Record<string, string>) => {
    const { status, body } = await auth.service.raw(admin, {
      method: 'GET',
      url: `${listUsers.path}?${new URLSearchParams(query)}`,
    });
    return {
      status,
      error: body['error'],
      found: (body['data'] as { records: { id: string }[] } | null)?.records?.map((u) => u.id),
    };
  };
  const everyone = (await list({ limit: '200' })).found!.length;
  for (const search of [`50%_'"\\;--`, `%_'`, `'"`, '"\\', '\\;', ';--'])
    expect((await list({ search })).found, search).toEqual([marked.id]);
  for (const search of [
    `' or '1'='1`,
    `') or true--`,
    '%%',
    '__',
    '\\',
    `'; drop table user_account;--`,
    '$1',
    '${7*7}',
    '*',
    '(?=.*)',
  ]) {
    const { status, found } = await list({ search });
    expect(status, search).toBe(200);
    expect(found!.length, search).toBeLessThan(everyone);
  }
  expect((await list({ search: 'a\u0000b' })).status).toBe(400);
  for (const query of [
    { sort: 'password_hash' },
    { sort: '(select 1)' },
    { sort: `username;drop table user_account` },
    { sort: '-' },
    { sort: 'username,email' },
    { sort: '__proto__' },
    { limit: '-1' },
    { limit: '1e9' },
    { limit: '201' },
    { limit: '0x10' },
    { size: '1;select 1' },
    { page: '0' },
    { current: '1.5' },
    { current: 'NaN' },
  ] as Record<string, string>[]) {
    // Hexadecimal sixteen is a valid number.
    expect((await list(query)).status, JSON.stringify(query)).toBe(
      'limit' in query && query['limit'] === '0x10' ? 200 : 400,
    );
  }
  expect((await list({ sort: '-username' })).status).toBe(200);
});

test('C15: an address is one address', async () => {
  for (const email of [
    'a@b\r\nBcc: c@d.example',
    'a@b.example\nSubject: x',
    'a@b.example, c@d.example',
    'a@b.example;c@d.example',
    '<a@b.example>',
    'A <a@b.example>',
    'a@b.example\u0000',
    Array.from({ length: 10_000 }, (_, i) => `a${i}@b.example`).join(','),
    `${'a'.repeat(300)}@b.example`,
    '"a b"@b.example\r\n',
    'a@b..example',
    'a@[127.0.0.1]',
  ]) {
    const user = {
      username: `m${randomUUID().slice(0, 8)}`,
      nickname: 'x',
      email,
      activation: 'password',
      oldEnough: true,
      password,
      roleIds: [randomUUID()],
      allOrgs: true,
      orgIds: [],
    };
    const { status } = await auth.service.raw(admin, { method: addUser.method, url: addUser.path, payload: user });
    expect(status, email.slice(0, 40)).toBe(400);
  }
  expect(await error(auth.service.as(admin)(resendActivation, { body: { id: randomUUID() } }))).toBe('user.missing');
});
