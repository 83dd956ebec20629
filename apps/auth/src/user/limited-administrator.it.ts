import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  addRole,
  countUsers,
  deleteUsers,
  disableUsers,
  editUser,
  getUser,
  listRoleNames,
  listUsers,
  permissionKeys,
  resendActivation,
  superKeys,
  unlockUsers,
  type PermissionKey,
  listRoles,
} from '@carillon/contracts';
import { eventually, type Actor, filterFaults } from '@carillon/testing';
import { password } from '../auth-test.ts';
import { orgs, error, startUsers } from './user-test.ts';

const { auth, access, admin, roleId, call, add, edited } = await startUsers();

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

  test('can give no permission that they lack and change no user who has one [USER-02/rights]', async () => {
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

test('lists and counts distinguish super administrators, channel users and users [USER-03/calls]', async () => {
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
