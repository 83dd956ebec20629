import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRole, addUsers, audit, listUsers, orgOrganization, permissionKeys, superKeys } from '@carillon/contracts';
import { usersAtOnce } from '@carillon/contracts/constants';
import { envelope, toRecord } from '@carillon/messaging';
import { newActor, eventually, type Actor } from '@carillon/testing';
import { password, startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
let admin: Actor;
let roleId: string;
const entries: { action: string; objectName: string | null; result: string }[] = [];

beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.publish([
    toRecord(
      orgOrganization,
      auth.orgId,
      {
        id: auth.orgId,
        companyId: auth.companyId,
        name: 'Head office',
        description: '',
        updatedAt: new Date().toISOString(),
      },
      envelope('organization', { companyId: auth.companyId, version: 1 }),
    ),
  ]);
  const [own] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  admin = { companyId: auth.companyId, orgId: auth.orgId, userId: own!.id, permissions: permissionKeys };
  await eventually(async () =>
    expect(await auth.sql(`select 1 from organization_copy where name = 'Head office'`)).toHaveLength(1),
  );
  roleId = (
    await auth.service.as(admin)(addRole, {
      body: { name: 'Ringer', description: '', permissions: ['home', 'device'] },
    })
  ).id;
  const feed = await auth.bus.fanout({
    topics: [audit.name],
    from: 'end',
    handle: ({ records }) => {
      entries.push(...records.map((r) => JSON.parse(r.value!) as (typeof entries)[number]));
    },
  });
  await feed.caughtUp;
});
afterAll(() => auth?.close());

const several = (users: object[], change: object = {}, actor = admin) =>
  auth.service.as(actor)(addUsers, {
    body: {
      activation: 'password',
      oldEnough: true,
      roleIds: [roleId],
      allOrgs: false,
      orgIds: [auth.orgId],
      language: 'ko',
      timezoneId: 17,
      users: users as never,
      ...change,
    },
  });
const row = (name: string, change: object = {}) => ({
  username: name,
  nickname: name.toUpperCase(),
  email: `${name}@example.com`,
  password,
  ...change,
});
const usernames = async () =>
  (await auth.service.as(admin)(listUsers, { query: { limit: 200 } })).records.map((u) => u.username);

test('adds or refuses each of several users separately, with its field and a translated reason', async () => {
  const name = (letter: string) => `${letter}${randomUUID().slice(0, 8)}`;
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(name) as [string, string, string, string];
  const { rows } = await several(
    [
      row(a),
      row(b, { email: 'no address' }),
      row('with space'),
      row('admin'),
      row(c, { email: `${a}@example.com` }),
      row(c, { password: 'short' }),
      row(d, { nickname: '' }),
      row(d),
    ],
    {},
    { ...admin, language: 'pt_BR' },
  );
  expect(rows.map((r) => [r.user?.username ?? null, r.error, r.path])).toEqual([
    [a, null, null],
    [null, 'user.emailInvalid', 'email'],
    [null, 'user.nameFormat', 'username'],
    [null, 'user.nameTaken', 'username'],
    [null, 'user.emailTaken', 'email'],
    [null, 'auth.passwordRule', 'password'],
    [null, 'common.fieldTooShort', 'nickname'],
    [d, null, null],
  ]);
  expect(rows[3]!.msg).toMatch(/nome/i);
  const known = await usernames();
  expect(known).toEqual(expect.arrayContaining([a, d]));
  for (const nobody of [b, c, 'with space']) expect(known).not.toContain(nobody);
  const { records } = await auth.service.as(admin)(listUsers, { query: { search: a } });
  expect(records).toMatchObject([
    { language: 'ko', timezoneId: 17, roles: [{ name: 'Ringer' }], orgs: [{ id: auth.orgId }], status: 'inactive' },
  ]);
  expect(
    await auth.sql('select 1 from user_role r where not exists (select 1 from user_account u where u.id = r.user_id)'),
  ).toEqual([]);
  // Each user has an own log entry; a row with an invalid field has none.
  await eventually(() => {
    expect(entries.filter((e) => e.action === 'user.add').map((e) => [e.objectName, e.result])).toEqual([
      [a, 'success'],
      ['admin', 'user.nameTaken'],
      [c, 'user.emailTaken'],
      [d, 'success'],
    ]);
  });
});

test('refuses grants beyond the caller for each row, and too many rows or a minor for all rows', async () => {
  const name = `e${randomUUID().slice(0, 8)}`;
  const branch = newActor({
    companyId: auth.companyId,
    orgId: randomUUID(),
    permissions: permissionKeys.filter((k) => !superKeys.includes(k)),
    orgIds: [randomUUID()],
  });
  expect((await several([row(name)], {}, branch)).rows).toMatchObject([
    { user: null, error: 'user.beyondOwnOrganizations' },
  ]);
  await expect(several([row(name)], { oldEnough: false })).rejects.toMatchObject({ error: 'user.tooYoung' });
  await expect(several(Array.from({ length: usersAtOnce + 1 }, (_, n) => row(`${name}${n}`)))).rejects.toMatchObject({
    code: 400,
  });
  await expect(several([row(name)], {}, { ...admin, permissions: ['user'] })).rejects.toMatchObject({ code: 403 });
  expect(await usernames()).not.toContain(name);
});
