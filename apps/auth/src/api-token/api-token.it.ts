import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addApiToken,
  authApiToken,
  closeApiAccess,
  getApiAccess,
  listApiTokens,
  openApiAccess,
  permissionKeys,
  revokeApiToken,
  type EventData,
  type PermissionKey,
} from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { eventually } from '@carillon/testing';
import { startAuth, type AuthUnderTest } from '../auth-test.ts';
import { ApiTokens } from './api-token.service.ts';

let auth: AuthUnderTest;
const told: (EventData<typeof authApiToken, 'apiToken'> & { raw: string })[] = [];
let as: (permissions: readonly PermissionKey[]) => ReturnType<AuthUnderTest['service']['as']>;
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({
    topics: [authApiToken.name],
    from: 'start',
    handle: ({ records }) => {
      told.push(...records.map((r) => ({ ...fromRecord(authApiToken, r)!.data!, raw: r.value! })));
    },
  });
  const { body } = await auth.login('admin');
  as = (permissions) =>
    auth.service.as({ companyId: auth.companyId, orgId: auth.orgId, userId: body['userId'], permissions });
});
afterAll(() => auth.close());

test('a company opts in, makes limited tokens, sees each once and revokes them; closing revokes all [AUTH-17/tokens]', async () => {
  const admin = as(permissionKeys);
  expect(await admin(getApiAccess)).toEqual({ open: false, scopes: [...permissionKeys] });
  const wish = { name: 'Monitoring', scopes: ['device', 'task'] as PermissionKey[], expiresAt: inDays(30) };
  await expect(admin(addApiToken, { body: wish })).rejects.toMatchObject({ error: 'auth.apiClosed' });
  await admin(openApiAccess);
  for (const expiresAt of [inDays(-1), inDays(400)])
    await expect(admin(addApiToken, { body: { ...wish, expiresAt } })).rejects.toMatchObject({
      error: 'auth.apiExpiry',
      fields: [{ path: 'expiresAt' }],
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
    expect(told).toHaveLength(1);
  });
  expect(told[0]).toMatchObject({
    tokenId: id,
    hash: createHash('sha256').update(token).digest('base64url'),
    scopes: ['device', 'task'],
    revoked: false,
  });
  for (const text of [JSON.stringify(row), told[0]!.raw, JSON.stringify(await auth.sql('select t from api_token t'))])
    expect(text).not.toContain(token.slice(9));

  await admin(revokeApiToken, { params: { id } });
  await expect(admin(revokeApiToken, { params: { id } })).rejects.toMatchObject({ code: 404 });
  await eventually(() => {
    expect(told.at(-1)).toMatchObject({ tokenId: id, revoked: true });
  });
  expect((await admin(listApiTokens)).records[0]!.state).toBe('revoked');
  const second = await admin(addApiToken, { body: { ...wish, name: 'Second' } });
  await admin(closeApiAccess);
  await eventually(() => {
    expect(told.at(-1)).toMatchObject({ tokenId: second.id, revoked: true });
  });
  expect((await admin(getApiAccess)).open).toBe(false);
});

test('publishes tokens that the topic lost again at the start', async () => {
  const admin = as(permissionKeys);
  await admin(openApiAccess);
  const { id } = await admin(addApiToken, { body: { name: 'Third', scopes: ['device'], expiresAt: inDays(1) } });
  await eventually(() => {
    expect(told.at(-1)!.tokenId).toBe(id);
  });
  const count = told.length;
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
    expect(told.slice(count).map((t) => t.name)).toEqual(['Lost']);
  });
});
