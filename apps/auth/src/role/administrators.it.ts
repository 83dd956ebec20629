import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addRole,
  addUser,
  deleteUsers,
  disableUsers,
  editRole,
  editUser,
  permissionKeys,
  superKeys,
  type RouteCall,
} from '@carillon/contracts';
import type { Actor } from '@carillon/testing';
import { password, startAuth, type AuthUnderTest } from '../auth-test.ts';
import { restoreAdministrator } from './restore-administrator.ts';

let auth: AuthUnderTest;
let first: Actor;

const error = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
type NewUser = RouteCall<typeof addUser>['body'];
const keys = permissionKeys.filter((key) => !superKeys.includes(key));

async function administrator(type: 'ordinary' | 'super' = 'super'): Promise<Actor & { roleId: string; name: string }> {
  const name = `a${randomUUID().slice(0, 8)}`;
  const role = await auth.service.as(first)(addRole, {
    body: { name, description: '', permissions: [...(type === 'super' ? permissionKeys : keys)] },
  });
  const user = await auth.service.as(first)(addUser, {
    body: {
      username: name,
      nickname: name,
      email: null,
      activation: 'password',
      oldEnough: true,
      password,
      roleIds: [role.id],
      accountType: type,
      allOrgs: true,
      orgIds: [],
    } satisfies NewUser,
  });
  await auth.sql(`update user_account set status = 'normal', activated_at = now() where id = $1`, [user.id]);
  return { ...first, userId: user.id, roleId: role.id, name, permissions: type === 'super' ? permissionKeys : keys };
}

const states = async (...users: Actor[]) =>
  (
    await auth.sql<{ status: string }>('select status from user_account where id = any ($1::uuid[]) order by id', [
      users.map((u) => u.userId),
    ])
  ).map((r) => r.status);

beforeAll(async () => {
  auth = await startAuth();
  await auth.sql(`insert into organization_copy (id, company_id, name, version, era) values ($1, $2, 'head', 0, 1)`, [
    auth.orgId,
    auth.companyId,
  ]);
  const [own] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  first = { companyId: auth.companyId, orgId: auth.orgId, userId: own!.id, permissions: permissionKeys };
});
afterAll(() => auth.close());

test('the only administrator cannot cut the role that they have, in no way that leaves nobody who mends it', async () => {
  const [own] = await auth.sql<{ id: string }>(`select id from role where name = 'administrator'`);
  const cut = (without: string) =>
    auth.service.as(first)(editRole, {
      body: {
        id: own!.id,
        name: 'administrator',
        description: '',
        permissions: permissionKeys.filter((key) => key !== without),
      },
    });
  for (const key of ['user', 'editUser', 'addUser', 'role', 'addRole']) {
    expect(await error(cut(key)), key).toBe('user.lastAdministrator');
  }
  expect(await error(cut('rebootDevice'))).toBe('none');
  // Allowed while there is another administrator.
  const second = await administrator();
  expect(await error(cut('addUser'))).toBe('none');
  await auth.sql('update role set permissions = $2 where id = $1', [own!.id, [...permissionKeys]]);
  await auth.service.as(first)(deleteUsers, { query: { ids: [second.userId] } });
});

test('the last active administrator cannot be deleted, disabled, demoted or moved', async () => {
  const second = await administrator('ordinary');
  // The other administrator cannot grant the permissions that only super administrators have.
  const third = await administrator();
  const byThird = auth.service.as(third);
  await byThird(deleteUsers, { query: { ids: [first.userId] } });
  const bySecond = auth.service.as({ ...second, permissions: permissionKeys });
  await auth.sql(`update user_account set account_type = 'super' where id = $1`, [second.userId]);
  await auth.sql(`update user_account set status = 'inactive' where id = $1`, [second.userId]);
  const [viewer] = await auth.sql<{ id: string }>(`select id from role where name = 'viewer'`);
  const fields = { id: third.userId, username: third.name, nickname: 'x', email: null };
  for (const attempt of [
    () => bySecond(deleteUsers, { query: { ids: [third.userId] } }),
    () => bySecond(disableUsers, { body: { ids: [third.userId] } }),
    () => bySecond(editUser, { body: { ...fields, roleIds: [viewer!.id], allOrgs: true, orgIds: [] } }),
    () => bySecond(editUser, { body: { ...fields, roleIds: [third.roleId], allOrgs: false, orgIds: [auth.orgId] } }),
    () =>
      bySecond(editUser, {
        body: { ...fields, roleIds: [third.roleId], allOrgs: true, orgIds: [], accountType: 'ordinary' },
      }),
  ])
    expect(await error(attempt()), String(attempt)).toBe('user.lastAdministrator');
  expect(await states(third)).toEqual(['normal']);
  first = third;
});

test('of two administrators who remove each other at the same time one is refused, whatever the way', async () => {
  for (const way of ['disable', 'delete', 'role'] as const) {
    const [one, two] = [await administrator(), await administrator()];
    await auth.sql(`update user_account set status = 'disabled' where not id = any ($1::uuid[])`, [
      [one.userId, two.userId],
    ]);
    const remove = (by: Actor, other: typeof one) => {
      const as = auth.service.as(by);
      if (way === 'disable') return as(disableUsers, { body: { ids: [other.userId] } });
      if (way === 'delete') return as(deleteUsers, { query: { ids: [other.userId] } });
      return as(editRole, { body: { id: other.roleId, name: other.name, description: '', permissions: ['home'] } });
    };
    const both = await Promise.all([error(remove(one, two)), error(remove(two, one))]);
    // The user who was deleted first has no permissions left.
    const refused = way === 'delete' ? 'user.beyondOwnRights' : 'user.lastAdministrator';
    expect(both.toSorted(), way).toEqual(['none', refused]);
    await auth.sql(`update user_account set status = 'normal' where status = 'disabled'`);
  }
});

test('an operator restores a user as administrator: active, with every permission, and logged', async () => {
  const lost = await administrator('ordinary');
  await auth.sql(`update role set permissions = array['home'] where id = $1`, [lost.roleId]);
  await auth.sql(
    `
      update user_account
      set status = 'disabled', all_orgs = false, org_ids = array[$2::uuid]
      where id = $1
    `,
    [lost.userId, auth.orgId],
  );
  expect(await restoreAdministrator(auth.service.database, lost.name.toUpperCase())).toBe(lost.name);
  const [row] = await auth.sql<{ status: string; all_orgs: boolean; rights: string[] }>(
    `
      select status, all_orgs, array(
        select k
        from user_role x
        join role r on r.id = x.role_id
        cross join unnest(r.permissions) k
        where x.user_id = u.id
      ) as rights
      from user_account u
      where id = $1
    `,
    [lost.userId],
  );
  expect(row).toMatchObject({ status: 'normal', all_orgs: true, rights: expect.arrayContaining([...keys]) });
  expect(await restoreAdministrator(auth.service.database, 'nobody-at-all')).toBeUndefined();
});
