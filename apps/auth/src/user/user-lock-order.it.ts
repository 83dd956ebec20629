import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  addRole,
  addUser,
  disableUsers,
  editRole,
  orgOrganization,
  orgTransfer,
  permissionKeys,
  type RouteCall,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import { eventually, type Actor } from '@carillon/testing';
import { accessChanged } from '../auth.module.ts';
import { password, startAuth, type AuthUnderTest } from '../auth-test.ts';
import { restoreAdministrator } from '../role/restore-administrator.ts';

let auth: AuthUnderTest;
let admin: Actor;
/** Two users, of whom the later one is an administrator. */
let earlier: { id: string; roleId: string };
let later: { id: string; name: string };
let orgId: string;

const as = (): ReturnType<AuthUnderTest['service']['as']> => auth.service.as(admin);
const inCompany = <T>(work: () => Promise<T>): Promise<T> =>
  transaction(auth.service.database, companySession(auth.companyId), work);

async function add(fields: Partial<RouteCall<typeof addUser>['body']>): Promise<{ id: string; name: string }> {
  const name = `u${randomUUID().slice(0, 8)}`;
  const user = await as()(addUser, {
    body: {
      username: name,
      nickname: name,
      email: null,
      activation: 'password',
      oldEnough: true,
      password,
      roleIds: [],
      allOrgs: false,
      orgIds: [orgId],
      ...fields,
    },
  });
  await auth.sql(`update user_account set status = 'normal', activated_at = now() where id = $1`, [user.id]);
  return { id: user.id, name };
}

async function publishOrganization(id: string, exists: boolean): Promise<void> {
  const data = { id, companyId: auth.companyId, name: id, description: '', updatedAt: '' };
  await auth.bus.publish([
    toRecord(
      orgOrganization,
      id,
      exists ? data : null,
      envelope('organization', { companyId: auth.companyId, version: exists ? 1 : 2 }),
    ),
  ]);
  await eventually(async () =>
    expect(await auth.sql('select 1 from organization_copy where id = $1', [id])).toHaveLength(exists ? 1 : 0),
  );
}

/** Moves the row of the earlier user behind the later one, where a statement without an order reads it second. */
function storeEarlierLast(): Promise<void> {
  return inCompany(async () => {
    const ids = [earlier.id, later.id];
    const first = async () =>
      (await currentSql().query('select id from user_account where id = any ($1) order by ctid', [ids])).rows[0];
    // The versions of one transaction stay until it ends, so each update needs another place.
    while ((await first())!['id'] !== later.id)
      await currentSql().query('update user_account set nickname = nickname where id = $1', [earlier.id]);
  });
}

beforeAll(async () => {
  auth = await startAuth();
  const [own] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  admin = { companyId: auth.companyId, orgId: auth.orgId, userId: own!.id, permissions: permissionKeys };
  await publishOrganization(auth.orgId, true);
});
afterAll(() => auth.close());

beforeEach(async () => {
  orgId = randomUUID();
  await publishOrganization(orgId, true);
  const role = await as()(addRole, { body: { name: randomUUID(), description: '', permissions: ['home'] } });
  const [whole] = await auth.sql<{ id: string }>(`select id from role where built_in = 'administrator'`);
  earlier = { id: (await add({ roleIds: [role.id] })).id, roleId: role.id };
  later = await add({ roleIds: [whole!.id], allOrgs: true, orgIds: [], accountType: 'super' });
  await auth.sql('update user_account set default_org_id = $2 where id = $1', [later.id, orgId]);
  await storeEarlierLast();
});

/** Runs a change while the earlier user is locked, and checks that it waits for them without a lock of the later one. */
async function waitsWithoutLocks(change: () => Promise<unknown>): Promise<void> {
  // The change must not join the transaction that holds the lock.
  const outside = AsyncLocalStorage.snapshot();
  let changed: Promise<unknown> | undefined;
  try {
    await inCompany(async () => {
      await currentSql().query('select 1 from user_account where id = $1 for update', [earlier.id]);
      changed = outside(change);
      await eventually(async () => {
        // Otherwise the transaction keeps seeing its first statistics.
        await currentSql().query('select pg_stat_clear_snapshot()');
        const waiting = await currentSql().query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(waiting.rowCount).toBe(1);
      });
      await currentSql().query('select 1 from user_account where id = $1 for update nowait', [later.id]);
    });
  } finally {
    await changed;
  }
}

it('a change of the access of several users locks them in the order of their ids', () =>
  waitsWithoutLocks(() =>
    inCompany(async () => {
      // An index returns the rows in order. The planner reads a small table without an index.
      await currentSql().query('set local enable_indexscan = off');
      await currentSql().query('set local enable_bitmapscan = off');
      await accessChanged([later.id, earlier.id]);
    }),
  ));

it('disabling a user locks them and the administrators in the order of their ids', () =>
  waitsWithoutLocks(() => as()(disableUsers, { body: { ids: [earlier.id] } })));

it('editing a role locks its users and the administrators in the order of their ids', () =>
  waitsWithoutLocks(() =>
    as()(editRole, { body: { id: earlier.roleId, name: randomUUID(), description: '', permissions: ['home'] } }),
  ));

it('restoring an administrator locks the users of the administrator role in the order of their ids', async () => {
  const [role] = await auth.sql<{ id: string }>(`select id from role where built_in = 'administrator'`);
  await auth.sql('update user_role set role_id = $2 where user_id = $1', [earlier.id, role!.id]);
  await waitsWithoutLocks(() => restoreAdministrator(auth.service.database, later.name));
});

it('a deleted organization locks the users whose access changes in the order of their ids', () =>
  waitsWithoutLocks(() => publishOrganization(orgId, false)));

it('a transfer of an organization locks its users in the order of their ids', async () => {
  const data = { fromId: orgId, toId: auth.orgId };
  await waitsWithoutLocks(() =>
    auth.bus.publish([
      toRecord(orgTransfer, orgId, data as never, envelope('transfer', { companyId: auth.companyId })),
    ]),
  );
  await eventually(async () => {
    const moved = await auth.sql('select 1 from user_account where default_org_id = $1', [orgId]);
    expect(moved).toEqual([]);
  });
});
