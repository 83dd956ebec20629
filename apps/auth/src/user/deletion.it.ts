import { randomBytes, randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addApiToken,
  addRole,
  addUser,
  authAccess,
  authApiToken,
  beginTotp,
  closeApiAccess,
  confirmTotp,
  deleteRoles,
  deleteUsers,
  editOwnUser,
  editRole,
  getUser,
  openApiAccess,
  orgOrganization,
  orgTransfer,
  permissionKeys,
  restoreRoles,
  restoreUsers,
  setAvatar,
  type RouteCall,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord } from '@carillon/messaging';
import { DeletedRetention } from '@carillon/service';
import { eventually, newActor, type Actor, png } from '@carillon/testing';
import { password, startAuth, type AuthUnderTest } from '../auth-test.ts';
import { belongings } from './deleted-user.queries.ts';

let auth: AuthUnderTest;
let admin: Actor;
const orgs = { south: randomUUID() as string, north: randomUUID() as string, east: randomUUID() as string };
let roleId: string;
const access = new Map<string, { orgIds: string[]; permissions: string[]; tokensValidAfter: number } | null>();
const revoked = new Map<string, boolean>();
const audits: { action: string; objectId: string | null; objectName: string | null; result: string }[] = [];

const call = () => auth.service.as(admin);
const restore = (ids: string[], as = admin) => auth.service.as(as)(restoreUsers, { body: { ids } });
const remove = (...ids: string[]) => call()(deleteUsers, { query: { ids } });
const get = (id: string) => call()(getUser, { params: { id } });
const error = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
async function add(change: Partial<RouteCall<typeof addUser>['body']> = {}) {
  const name = `u${randomUUID().slice(0, 8)}`;
  const user = await call()(addUser, {
    body: {
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
    },
  });
  await auth.sql(`update user_account set status = 'normal', activated_at = now() where id = $1`, [user.id]);
  return user;
}
const publishOrganization = (id: string, name: string | null) =>
  auth.bus.publish([
    toRecord(
      orgOrganization,
      id,
      name === null ? null : { id, companyId: auth.companyId, name, description: '', updatedAt: '' },
      envelope('organization', { companyId: auth.companyId, version: 2 }),
    ),
  ]);

beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({
    topics: [authAccess.name, authApiToken.name, 'audit.v1'],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const r of records) {
        if (topic === authAccess.name) access.set(r.key, fromRecord(authAccess, r)!.data);
        else if (topic === authApiToken.name) revoked.set(r.key, fromRecord(authApiToken, r)!.data!.revoked);
        else audits.push(JSON.parse(r.value!) as (typeof audits)[number]);
      }
    },
  });
  for (const [name, id] of [...Object.entries(orgs), ['head', auth.orgId] as const])
    await publishOrganization(id, name);
  const [own] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  admin = { companyId: auth.companyId, orgId: auth.orgId, userId: own!.id, permissions: permissionKeys };
  await eventually(() => expect(access.get(own!.id)?.orgIds).toHaveLength(4));
  roleId = (await call()(addRole, { body: { name: 'Helpers', description: '', permissions: ['home', 'device'] } })).id;
});
afterAll(() => auth.close());

test('a deleted user is restored with all data, but earlier sessions stay ended [USER-01/restore]', async () => {
  const user = await add({
    orgIds: [orgs.south, orgs.north],
    language: 'ko',
    timezoneId: 12,
    countryId: 49,
    erpId: 'ERP-9',
  });
  const own: Actor = {
    companyId: auth.companyId,
    orgId: orgs.south,
    userId: user.id,
    permissions: ['home', 'device', 'addApiToken'],
  };
  const as = auth.service.as(own);
  const { body: tokens } = await auth.login(user.username);
  expect(tokens['refresh_token']).toEqual(expect.any(String));
  const { secret } = await as(beginTotp, { body: { password } });
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' }).generate();
  await as(confirmTotp, { body: { code: code() } });
  await as(setAvatar, { body: { image: png.toString('base64') } });
  await as(editOwnUser, { body: { nickname: 'Anna 100%' } });
  await call()(openApiAccess);
  const { id: tokenId } = await as(addApiToken, {
    body: {
      name: 'Monitoring',
      scopes: ['device'],
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      password,
    },
  });
  await auth.sql(
    `
      insert into passkey (
        id, company_id, user_id, credential_id, public_key, counter, transports, name, created_at
      )
      values (gen_random_uuid(), $1, $2, $3, $4, 5, $5, $6, now())
    `,
    [auth.companyId, user.id, randomUUID(), randomBytes(77), ['usb', 'nfc'], 'Key'],
  );
  await auth.sql(
    `
      insert into oidc_link (id, company_id, user_id, issuer, subject, created_at)
      values (gen_random_uuid(), $1, $2, 'https://id.example', $3, now())
    `,
    [auth.companyId, user.id, user.id],
  );
  await auth.sql(
    `
      insert into account_link (id, company_id, user_id, kind, hash, created_at, expires_at)
      values (gen_random_uuid(), $1, $2, 'passwordReset', $3, now(), now())
    `,
    [auth.companyId, user.id, randomBytes(32)],
  );

  const whole = async () =>
    Object.fromEntries(
      await Promise.all(
        ['user_account', ...belongings].map(async (table): Promise<[string, object[]]> => [
          table,
          await auth.sql(
            `
              select to_jsonb(x) - 'tokens_valid_after' - 'version' - 'updated_at' as row
              from ${table} x
              where ${table === 'user_account' ? 'id' : 'user_id'} = $1
              order by x.id
            `,
            [user.id],
          ),
        ]),
      ),
    );
  const before = await whole();
  for (const [table, rows] of Object.entries(before)) expect(rows.length, table).toBeGreaterThan(0);
  const { updatedAt: _, ...record } = await get(user.id);
  const gone = Date.now();
  await remove(user.id);
  expect((await auth.login(user.username)).body['error']).toBe('auth.wrongCredentials');
  expect(await restore([user.id])).toEqual({ restored: 1, taken: [] });
  expect(await whole()).toEqual(before);
  expect(await get(user.id)).toMatchObject(record);
  await eventually(() =>
    expect(access.get(user.id)).toMatchObject({ orgIds: [orgs.south, orgs.north], permissions: ['device', 'home'] }),
  );
  // The API gateways must refuse every earlier token, whatever happened to its session.
  expect(access.get(user.id)!.tokensValidAfter).toBeGreaterThanOrEqual(gone);
  expect(
    (await auth.token({ grant_type: 'refresh_token', scope: 'all', refresh_token: tokens['refresh_token'] })).status,
  ).not.toBe(200);
  expect(await auth.sql('select 1 from session where user_id = $1 and ended_at is null', [user.id])).toEqual([]);
  const first = await auth.login(user.username);
  expect([first.body['error'], first.body['methods']]).toEqual([
    'auth.twoStepRequired',
    expect.arrayContaining(['totp', 'passkey']),
  ]);
  await eventually(() =>
    expect(
      audits
        .filter((e) => e.objectId === user.id && e.action.startsWith('user.'))
        .map((e) => [e.action, e.objectName, e.result])
        .slice(-2),
    ).toEqual([
      ['user.delete', user.username, 'success'],
      ['user.restore', user.username, 'success'],
    ]),
  );
  expect(JSON.stringify(audits)).not.toMatch(/argon2/);

  // The company closed API access while the user was deleted.
  expect(revoked.get(tokenId)).toBe(false);
  await remove(user.id);
  await call()(closeApiAccess);
  await restore([user.id]);
  await eventually(() => expect(revoked.get(tokenId)).toBe(true));
});

test('every table that is deleted with an account is restored with it', async () => {
  const rows = await auth.sql<{ name: string }>(
    `
      select conrelid::regclass::text as name
      from pg_constraint
      where contype = 'f' and confdeltype = 'c' and confrelid = 'user_account'::regclass
    `,
  );
  expect(rows.map((r) => r.name).toSorted()).toEqual([...belongings].toSorted());
});

test('only the user who deleted users restores them, within five minutes and within their own rights', async () => {
  const [user, over] = [await add(), await add()];
  await remove(user.id, over.id);
  expect([
    await error(restore([user.id], { ...admin, userId: randomUUID() })),
    await error(restore([user.id], newActor())),
    await error(restore([randomUUID()])),
  ]).toEqual(['common.restoreOver', 'common.restoreOver', 'common.restoreOver']);
  // The role gained permissions that the caller lacks now.
  const lesser: Actor = { ...admin, permissions: ['home', 'device', 'user', 'deleteUser'] };
  await call()(editRole, {
    body: { id: roleId, name: 'Helpers', description: '', permissions: ['home', 'device', 'rebootDevice'] },
  });
  expect(await error(restore([user.id], lesser))).toBe('user.beyondOwnRights');
  await call()(editRole, { body: { id: roleId, name: 'Helpers', description: '', permissions: ['home', 'device'] } });
  expect(await restore([user.id], lesser)).toEqual({ restored: 1, taken: [] });
  // A repetition, such as from a second tab or after a lost answer.
  expect(await restore([user.id])).toEqual({ restored: 0, taken: [] });
  await auth.sql(`update deleted set deleted_at = now() - interval '6 minutes' where id = $1`, [over.id]);
  expect(await error(restore([over.id]))).toBe('common.restoreOver');
  expect(await auth.sql('select 1 from deleted where id = $1', [over.id])).toHaveLength(1);
  await auth.service.app.get(DeletedRetention).forget();
  expect(await auth.sql('select 1 from deleted where id = $1', [over.id])).toEqual([]);
});

test('refuses to restore a login name or email that is taken since, and restores the others', async () => {
  const [one, two, three] = [await add(), await add(), await add()];
  await remove(one.id, two.id, three.id);
  const [name, mail] = [
    await add({ username: one.username.toUpperCase() }),
    await add({ email: two.email!.toUpperCase() }),
  ];
  const answer = await auth.service.raw(admin, {
    method: 'POST',
    url: '/api/f/auth/user/restore',
    payload: { ids: [one.id, two.id] },
  });
  expect(answer).toMatchObject({ status: 409, body: { error: 'user.restoreTaken' } });
  for (const gone of [one, two]) expect(answer.body['msg']).toContain(gone.username);
  const mixed = await restore([one.id, two.id, three.id]);
  expect([mixed.restored, mixed.taken.toSorted()]).toEqual([1, [one.username, two.username].toSorted()]);
  expect((await get(three.id)).username).toBe(three.username);
  // They can be restored once the names are free again.
  await remove(name.id, mail.id);
  expect(await restore([one.id, two.id])).toEqual({ restored: 2, taken: [] });
});

test('a restored user has the roles and organizations that still exist, and follows a transfer', async () => {
  const { id: shortLived } = await call()(addRole, {
    body: { name: 'Short-lived', description: '', permissions: ['home'] },
  });
  const [user, lone] = [
    await add({ roleIds: [roleId, shortLived], orgIds: [orgs.south, orgs.east] }),
    await add({ orgIds: [orgs.east] }),
  ];
  await remove(user.id, lone.id);
  await call()(deleteRoles, { query: { ids: [shortLived] } });
  await auth.bus.publish([
    toRecord(
      orgTransfer,
      auth.companyId,
      { fromId: orgs.south, toId: orgs.north },
      envelope('transfer', { companyId: auth.companyId }),
    ),
  ]);
  await publishOrganization(orgs.east, null);
  await eventually(() => expect(access.get(admin.userId)?.orgIds).not.toContain(orgs.east));
  await restore([user.id, lone.id]);
  const [back, alone] = [await get(user.id), await get(lone.id)];
  expect([back.roles.map((r) => r.name), back.orgs.map((o) => o.name), back.defaultOrgId]).toEqual([
    ['Helpers'],
    ['north'],
    orgs.north,
  ]);
  expect([alone.orgs, alone.defaultOrgId]).toEqual([[], auth.orgId]);
  // The role can be restored as well, to be assigned again.
  expect(await call()(restoreRoles, { body: { ids: [shortLived] } })).toEqual({ restored: 1 });
});
