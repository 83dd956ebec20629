import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addApiToken,
  addRole,
  addUser,
  audit,
  closeApiAccess,
  deleteUsers,
  disableUsers,
  editOwnUser,
  editRole,
  editUser,
  enableUsers,
  getTwoStep,
  listApiTokens,
  listUsers,
  lockSession,
  openApiAccess,
  orgOrganization,
  permissionKeys,
  resendActivation,
  restoreUsers,
  revokeApiToken,
  superKeys,
  unlockUsers,
  type EventData,
  type PermissionKey,
  type RouteCall,
} from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { envelope, fromRecord, toRecord } from '@carillon/messaging';
import { eventually, isolationCases, type Actor } from '@carillon/testing';
import { client, password, startAuth, type AuthUnderTest } from '../auth-test.ts';

type Entry = EventData<typeof audit, 'entry'>;
type NewUser = RouteCall<typeof addUser>['body'];

const orgs = { a: randomUUID(), b: randomUUID() };
const entries: Entry[] = [];
const ordinaryKeys = permissionKeys.filter((key) => !superKeys.includes(key));
let auth: AuthUnderTest;
let admin: Actor;
let ofA: Actor;
let ofBoth: Actor;
let roleId: string;

const call = () => auth.service.as(admin);
const error = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
async function add(orgIds: string[] | 'all', change: Partial<NewUser> = {}, actor = admin) {
  const name = `u${randomUUID().slice(0, 8)}`;
  return auth.service.as(actor)(addUser, {
    body: {
      username: name,
      nickname: name,
      email: `${name}@example.com`,
      activation: 'password',
      oldEnough: true,
      password,
      roleIds: [roleId],
      allOrgs: orgIds === 'all',
      orgIds: orgIds === 'all' ? [] : orgIds,
      ...change,
    },
  });
}
type Added = Awaited<ReturnType<typeof add>>;
const edited = (u: Added, change: object = {}) => ({
  id: u.id,
  username: u.username,
  nickname: u.nickname,
  email: u.email,
  roleIds: u.roles.map((r) => r.id),
  allOrgs: u.allOrgs,
  orgIds: u.orgs.map((o) => o.id),
  ...change,
});
const as = async (orgIds: string[], permissions: readonly PermissionKey[] = ordinaryKeys): Promise<Actor> => {
  const role = await call()(addRole, {
    body: { name: `r${randomUUID()}`, description: '', permissions: [...permissions] },
  });
  const user = await add(orgIds, { roleIds: [role.id] });
  await auth.sql(`update user_account set status = 'normal', activated_at = now() where id = $1`, [user.id]);
  return { companyId: auth.companyId, orgId: orgIds[0]!, orgIds, userId: user.id, permissions };
};
const tokenOf = async (actor: Actor, name: string) =>
  auth.service.as(actor)(addApiToken, {
    body: { name, scopes: ['home'], expiresAt: new Date(Date.now() + 86_400_000).toISOString(), password },
  });

beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({
    topics: [audit.name],
    from: 'start',
    handle: ({ records }) => {
      entries.push(...records.map((r) => fromRecord(audit, r)!.data!));
    },
  });
  await auth.bus.publish(
    Object.entries({ ...orgs, head: auth.orgId }).map(([name, id]) =>
      toRecord(
        orgOrganization,
        id,
        { id, companyId: auth.companyId, name, description: '', updatedAt: '' },
        envelope('organization', { companyId: auth.companyId, version: 1 }),
      ),
    ),
  );
  await eventually(async () => expect(await auth.sql('select 1 from organization_copy')).toHaveLength(3));
  const [own] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  admin = { companyId: auth.companyId, orgId: auth.orgId, userId: own!.id, permissions: permissionKeys };
  roleId = (await call()(addRole, { body: { name: 'Helpers', description: '', permissions: ['home'] } })).id;
  ofA = await as([orgs.a]);
  ofBoth = await as([orgs.a, orgs.b]);
  await call()(openApiAccess);
});
afterAll(() => auth.close());

test(
  "a caller who sees one of a user's two organizations cannot change the user by any call",
  { tags: 'slow' },
  async () => {
    const shared = await add([orgs.a, orgs.b]);
    const [other, everywhere] = [await add([orgs.b]), await add('all')];
    const token = await tokenOf(ofBoth, 'of both');
    const victims = [shared.id, other.id, everywhere.id, ofBoth.userId];
    const state = async (): Promise<string> =>
      JSON.stringify(
        await auth.sql(
          `
          select u, (select jsonb_agg(x order by x.id) from user_role x where x.user_id = u.id) as roles,
            (select jsonb_agg(t order by t.id) from api_token t where t.user_id = u.id) as tokens,
            (select jsonb_agg(s order by s.id) from session s where s.user_id = u.id) as sessions,
            (select jsonb_agg(l order by l.id) from account_link l where l.user_id = u.id) as links,
            (select two_step from company_login) as two_step
          from user_account u
          where u.id = any ($1::uuid[])
          order by u.id
        `,
          [victims],
        ),
      );
    const before = await state();
    const changed: string[] = [];
    for (const named of allRoutes.filter((r) => r.owner === 'auth' && !r.route.stream))
      for (const one of isolationCases(named, { ids: [...victims, token.id], marks: [] })) {
        await auth.service.raw(ofA, {
          method: one.method,
          url: one.url,
          headers: { authorization: client },
          ...(one.body ? { payload: one.body } : {}),
        });
        if ((await state()) !== before) {
          changed.push(one.title);
          break;
        }
      }
    expect(changed).toEqual([]);
    // Valid calls as well, each with its expected error.
    const byA = auth.service.as(ofA);
    for (const attempt of [
      () => byA(editUser, { body: edited(shared, { nickname: 'x' }) }),
      () => byA(editUser, { body: edited(shared, { orgIds: [orgs.a] }) }),
      () => byA(deleteUsers, { query: { ids: [shared.id] } }),
      () => byA(disableUsers, { body: { ids: [shared.id] } }),
      () => byA(enableUsers, { body: { ids: [shared.id] } }),
      () => byA(unlockUsers, { body: { ids: [shared.id] } }),
      () => byA(resendActivation, { body: { id: shared.id } }),
      () => byA(resendActivation, { body: { id: shared.id, password } }),
      () => byA(closeApiAccess),
    ])
      expect(await error(attempt()), String(attempt)).toBe('user.otherOrganizations');
    expect(await error(byA(revokeApiToken, { params: { id: token.id } }))).toBe('common.notFound');
    expect(await state()).toBe(before);
  },
);

test('a caller who sees all organizations of a user can still change them', async () => {
  const shared = await add([orgs.a, orgs.b]);
  const byBoth = auth.service.as(ofBoth);
  expect((await byBoth(editUser, { body: edited(shared, { orgIds: [orgs.a] }) })).orgs).toHaveLength(1);
  expect(await byBoth(deleteUsers, { query: { ids: [shared.id] } })).toEqual({ deleted: 1 });
  expect(await byBoth(restoreUsers, { body: { ids: [shared.id] } })).toEqual({ restored: 1, taken: [] });
  // Narrowing by the organization switcher does not take these away.
  const narrowed = auth.service.as({ ...ofBoth, orgIds: [orgs.a] });
  expect(await narrowed(disableUsers, { body: { ids: [shared.id] } })).toEqual({ changed: 1 });
});

test('a role is edited by nobody who does not see every organization of those who have it', async () => {
  const shared = await call()(addRole, { body: { name: 'Shared', description: '', permissions: ['home', 'device'] } });
  const user = await add([orgs.b], { roleIds: [shared.id] });
  const cut = (by: Actor) =>
    error(
      auth.service.as(by)(editRole, {
        body: { id: shared.id, name: 'Shared', description: '', permissions: ['home'] },
      }),
    );
  expect(await cut(ofA)).toBe('user.otherOrganizations');
  expect(await auth.sql('select permissions from role where id = $1', [shared.id])).toEqual([
    { permissions: ['home', 'device'] },
  ]);
  await call()(editUser, { body: edited(user, { orgIds: [orgs.a] }) });
  expect(await cut(ofA)).toBe('none');
});

test('a deletion is not taken back by someone who has lost an organization of the user since', async () => {
  const actor = await as([orgs.a, orgs.b]);
  const shared = await add([orgs.a, orgs.b]);
  await auth.service.as(actor)(deleteUsers, { query: { ids: [shared.id] } });
  await auth.sql('update user_account set org_ids = array[$2::uuid] where id = $1', [actor.userId, orgs.a]);
  expect(await error(auth.service.as(actor)(restoreUsers, { body: { ids: [shared.id] } }))).toBe(
    'user.otherOrganizations',
  );
  expect(await auth.sql('select 1 from user_account where id = $1', [shared.id])).toEqual([]);
});

test('API tokens are listed only for users who could change their makers', async () => {
  const byBoth = await tokenOf(ofBoth, 'hidden');
  const byA = await tokenOf(ofA, 'seen');
  const names = async (actor: Actor) => (await auth.service.as(actor)(listApiTokens)).records.map((t) => t.id);
  expect(await names(ofA)).toEqual([byA.id]);
  expect(await names(ofBoth)).toEqual(expect.arrayContaining([byA.id, byBoth.id]));
  expect(await names(admin)).toEqual(expect.arrayContaining([byA.id, byBoth.id]));
});

test('who could not log in with two-step login is told by name of those whom the caller sees', async () => {
  const [near, far] = [await add([orgs.a], { email: null }), await add([orgs.b], { email: null })];
  const answer = await auth.service.as(ofA)(getTwoStep);
  expect(answer.names).toContain(near.username);
  expect(answer.names).not.toContain(far.username);
  const all = (await auth.service.as(admin)(getTwoStep)).names;
  expect(all).toEqual(expect.arrayContaining([near.username, far.username]));
  expect(answer.shutOut).toBe((await call()(getTwoStep)).shutOut);
});

test('every entry of the operation log about a user carries the organizations of the user', async () => {
  const [b] = [await add([orgs.b])];
  await auth.sql(`update user_account set status = 'normal', activated_at = now() where id = $1`, [b.id]);
  const { body } = await auth.login(b.username);
  await auth.login(b.username, 'Wrong-Secret-1');
  const [session] = await auth.sql<{ id: string }>('select id from session where user_id = $1', [b.id]);
  const self: Actor = { companyId: auth.companyId, orgId: orgs.b, orgIds: [orgs.b], userId: b.id, permissions: [] };
  const own = auth.service.as({ ...self, sessionId: session!.id } as Actor);
  expect(body['userId']).toBe(b.id);
  await own(editOwnUser, { body: { nickname: 'Bea' } });
  await own(lockSession, { body: { password: 'x' } });
  const everywhere = await add('all');
  await call()(editUser, { body: edited(b, { orgIds: [orgs.a] }) });
  await call()(disableUsers, { body: { ids: [b.id] } });
  await call()(deleteUsers, { query: { ids: [b.id] } });
  const entriesAbout = (objects: string[]) =>
    entries.filter((e) => e.objectId !== null && objects.includes(e.objectId));
  await eventually(() => expect(entriesAbout([b.id]).map((e) => e.action)).toContain('user.delete'));
  const answer = entriesAbout([b.id, session!.id]).map((e) => [e.action, e.orgIds?.toSorted()]);
  expect(answer).toEqual(
    expect.arrayContaining([
      ['user.add', [orgs.b]],
      ['session.login', [orgs.b]],
      ['user.editOwn', [orgs.b]],
      ['session.lock', [orgs.b]],
      // Moved from one organization to the other, so only users who see both see the entry.
      ['user.edit', [orgs.a, orgs.b].toSorted()],
      ['user.disable', [orgs.a]],
      ['user.delete', [orgs.a]],
    ]),
  );
  expect(entriesAbout([everywhere.id])[0]!.orgIds).toHaveLength(3);
  const about = entries.filter((e) => /^(user|session|secondStep|apiToken)\./.test(e.action));
  // An entry that names no user must not reveal one, except the caller.
  expect(about.filter((e) => !e.orgIds).map((e) => `${e.action} ${e.result} ${e.objectName}`)).toEqual([]);
  expect((await call()(listUsers, { query: { search: b.username } })).total).toBe(0);
});
