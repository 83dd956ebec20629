import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addApiToken,
  audit,
  authApiToken,
  closeApiAccess,
  getApiAccess,
  getCompanyAdministrator,
  getUser,
  listApiTokens,
  neverProgram,
  openApiAccess,
  permissionKeys,
  revokeApiToken,
  type EventData,
  type PermissionKey,
} from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { setLogDestination } from '@carillon/observability';
import { uuidv7 } from '@carillon/persistence';
import { eventually } from '@carillon/testing';
import { md5, password, startAuth, type AuthUnderTest } from '../auth-test.ts';
import { ApiTokens } from './api-token.service.ts';

let auth: AuthUnderTest;
const published: (EventData<typeof authApiToken, 'apiToken'> & { raw: string })[] = [];
const entries: (EventData<typeof audit, 'entry'> & { raw: string })[] = [];
let as: (permissions: readonly PermissionKey[]) => ReturnType<AuthUnderTest['service']['as']>;
let viewer: ReturnType<AuthUnderTest['service']['as']>;
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({
    topics: [authApiToken.name, audit.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const r of records)
        if (topic === audit.name) entries.push({ ...fromRecord(audit, r)!.data!, raw: r.value! });
        else published.push({ ...fromRecord(authApiToken, r)!.data!, raw: r.value! });
    },
  });
  const { body } = await auth.login('admin');
  as = (permissions) =>
    auth.service.as({ companyId: auth.companyId, orgId: auth.orgId, userId: body['userId'], permissions });
  const [row] = await auth.sql<{ id: string }>(`select id from user_account where username = 'viewer'`);
  viewer = auth.service.as({
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: row!.id,
    permissions: permissionKeys,
  });
});
afterAll(() => auth.close());

test('a company opts in, makes limited tokens, sees each once and revokes them [AUTH-17/tokens]', async () => {
  const admin = as(permissionKeys);
  const grantable = permissionKeys.filter((key) => !neverProgram.includes(key));
  expect(await admin(getApiAccess)).toEqual({ open: false, scopes: grantable, passwordNeeded: true });
  const wish = { name: 'Monitoring', scopes: ['device', 'task'] as PermissionKey[], expiresAt: inDays(30), password };
  await expect(admin(addApiToken, { body: wish })).rejects.toMatchObject({ error: 'auth.apiClosed' });
  await admin(openApiAccess);
  for (const expiresAt of [inDays(-1), inDays(400)])
    await expect(admin(addApiToken, { body: { ...wish, expiresAt } })).rejects.toMatchObject({
      error: 'auth.apiExpiry',
      fields: [{ path: 'expiresAt' }],
    });
  for (const key of neverProgram)
    await expect(admin(addApiToken, { body: { ...wish, scopes: [key] } })).rejects.toMatchObject({
      error: 'common.forbidden',
    });
  await expect(as(['apiToken', 'addApiToken', 'device'])(addApiToken, { body: wish })).rejects.toMatchObject({
    code: 403,
    error: 'common.forbidden',
  });
  const { id, token } = await admin(addApiToken, { body: wish });
  expect(token).toMatch(/^carillon_[\w-]{43}$/);
  const [row] = (await admin(listApiTokens)).records;
  expect(row).toMatchObject({
    id,
    name: 'Monitoring',
    scopes: ['device', 'task'],
    createdBy: expect.any(String),
    state: 'active',
  });
  await eventually(() => {
    expect(published).toHaveLength(1);
  });
  expect(published[0]).toMatchObject({
    tokenId: id,
    hash: createHash('sha256').update(token).digest('base64url'),
    scopes: ['device', 'task'],
    revoked: false,
  });
  for (const text of [
    JSON.stringify(row),
    published[0]!.raw,
    JSON.stringify(await auth.sql('select t from api_token t')),
  ])
    expect(text).not.toContain(token.slice(9));

  await admin(revokeApiToken, { params: { id } });
  await expect(admin(revokeApiToken, { params: { id } })).rejects.toMatchObject({ code: 404 });
  await eventually(() => {
    expect(published.at(-1)).toMatchObject({ tokenId: id, revoked: true });
  });
  expect((await admin(listApiTokens)).records[0]!.state).toBe('revoked');
  const second = await admin(addApiToken, { body: { ...wish, name: 'Second' } });
  await admin(closeApiAccess);
  await eventually(() => {
    expect(published.at(-1)).toMatchObject({ tokenId: second.id, revoked: true });
  });
  expect((await admin(getApiAccess)).open).toBe(false);
});

test('publishes tokens that the topic lost again at the start', async () => {
  const admin = as(permissionKeys);
  await admin(openApiAccess);
  const { id } = await admin(addApiToken, {
    body: { name: 'Third', scopes: ['device'], expiresAt: inDays(1), password },
  });
  await eventually(() => {
    expect(published.at(-1)!.tokenId).toBe(id);
  });
  const count = published.length;
  await auth.service.app.get(ApiTokens, { strict: false }).onApplicationBootstrap();
  await auth.sql(
    `
      insert into api_token (id, company_id, user_id, name, scopes, hash, created_at, expires_at)
      select gen_random_uuid(), company_id, user_id, 'Lost', scopes, '\\x01', now(), expires_at
      from api_token
      where id = $1
    `,
    [id],
  );
  await auth.service.app.get(ApiTokens, { strict: false }).onApplicationBootstrap();
  await eventually(() => {
    expect(published.slice(count).map((t) => t.name)).toEqual(['Lost']);
  });
});

describe('the password for a token', () => {
  const own = () => auth.sql(`select id from api_token where name = 'Guarded'`);
  const wish = (secret: string) => ({
    body: { name: 'Guarded', scopes: ['device'] as PermissionKey[], expiresAt: inDays(1), password: secret },
  });
  const make = (secret: string): Promise<string> =>
    viewer(addApiToken, wish(secret)).then(
      () => 'none',
      (e: { error: string }) => e.error,
    );
  beforeEach(async () => {
    await as(permissionKeys)(openApiAccess);
    await auth.sql('delete from login_failure');
    await auth.sql('update user_account set locked_until = null');
    await auth.sql('delete from api_token');
  });

  test('without it or with a wrong one no token is made, and the error is at the field [AUTH-17/password]', async () => {
    const { password: _, ...without } = wish('').body;
    await expect(viewer(addApiToken, { body: without as never })).rejects.toMatchObject({
      error: 'common.invalid',
      fields: [{ path: 'password' }],
    });
    for (const wrong of ['', 'Wrong-Secret-9'])
      await expect(viewer(addApiToken, wish(wrong))).rejects.toMatchObject({
        error: 'auth.oldPasswordWrong',
        fields: [{ path: 'password' }],
      });
    expect(await own()).toEqual([]);
    expect(await make(password)).toBe('none');
    expect(await own()).toHaveLength(1);
  });

  test('five of 60 wrong passwords for a token are checked and lock the account', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => make('Wrong-Secret-9')));
    expect(answers.filter((a) => a === 'auth.oldPasswordWrong')).toHaveLength(5);
    expect(answers.filter((a) => a === 'auth.accountLocked')).toHaveLength(55);
    expect(await make(password)).toBe('auth.accountLocked');
    expect((await auth.login('viewer')).body['error']).toBe('auth.accountLocked');
    expect(await own()).toEqual([]);
  });

  test('no log line, operation log entry or event contains the right or a wrong password', async () => {
    const lines: string[] = [];
    setLogDestination(
      {
        write: (line: string) => {
          lines.push(line);
        },
      },
      'trace',
    );
    try {
      const [wrong, count] = ['Wrong-Secret-Canary-9', entries.length];
      await make(wrong);
      await make(password);
      await eventually(() => {
        expect(entries.slice(count)).toContainEqual(
          expect.objectContaining({ action: 'apiToken.add', result: 'success', objectName: 'Guarded' }),
        );
        expect(published.at(-1)!.name).toBe('Guarded');
      });
      const texts = [...lines, ...entries.map((e) => e.raw), ...published.map((t) => t.raw)];
      for (const secret of [wrong, password])
        expect(texts.filter((text) => text.includes(secret) || text.includes(md5(secret)))).toEqual([]);
    } finally {
      setLogDestination(undefined);
    }
  });

  test('a user of an identity provider has no password and makes a token without one', async () => {
    const change = (hash: unknown) =>
      auth.sql(`update user_account set password_hash = $1 where username = 'viewer'`, [hash]);
    const [{ hash }] = (await auth.sql(`select password_hash as hash from user_account where username = 'viewer'`)) as [
      { hash: string },
    ];
    await change('');
    try {
      expect((await viewer(getApiAccess)).passwordNeeded).toBe(false);
      expect(await make('')).toBe('none');
      expect(await own()).toHaveLength(1);
    } finally {
      await change(hash);
    }
  });
});

test('reads of a program are logged, also those with own transactions and failed ones [AUTH-17/reads]', async () => {
  const program = auth.service.as({
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: (await auth.login('admin')).body['userId'],
    permissions: permissionKeys,
    apiToken: 'Reader',
  });
  await program(getCompanyAdministrator, { params: { id: auth.companyId } });
  await expect(program(getUser, { params: { id: uuidv7() } })).rejects.toMatchObject({ error: 'user.missing' });
  await eventually(() =>
    expect(entries.filter((e) => e.action === 'api.read').map((e) => [e.objectName, e.result])).toEqual([
      [`GET ${getCompanyAdministrator.path}`, 'success'],
      [`GET ${getUser.path}`, 'user.missing'],
    ]),
  );
});
