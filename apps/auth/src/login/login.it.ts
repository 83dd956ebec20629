import { argon2Sync, createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyAccessToken } from '@carillon/tenancy';
import { rawRequest } from '@carillon/testing';
import { CONFIG, readConfig } from '@carillon/service';
import { authConfig } from '../config.ts';
import { client, md5, password, startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.close());
const refusalOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
  status,
  error: body['error'],
});

describe('the token call', () => {
  test('answers with the flat fields for a query, a JSON body and a form [AUTH-03/login]', async () => {
    for (const as of ['query', 'json', 'form'] as const) {
      const { status, body } = await auth.token(
        { grant_type: 'captcha', scope: 'all', type: 'account', username: 'admin', password: md5(password) },
        { as },
      );
      expect(status, as).toBe(200);
      expect(body).toMatchObject({
        token_type: 'bearer',
        expires_in: 3_000,
        scope: 'all',
        companyId: auth.companyId,
        orgId: auth.orgId,
        createSubLimit: 0,
        fcsLimit: 0,
        countryId: 1,
        timezoneId: 1,
        username: 'admin',
      });
      expect(body['avatar']).toMatch(/^data:image\/svg\+xml,/);
      expect(body['code']).toBeUndefined();
      expect(verifyAccessToken(body['access_token'], auth.tokenKey)).toMatchObject({
        userId: body['userId'],
        companyId: auth.companyId,
      });
    }
    expect(
      (await auth.token({ grant_type: 'captcha', username: 'ADMIN', password: md5(password).toUpperCase() })).status,
    ).toBe(200);
  });

  test('sets both cookies for scripts to leave alone, and over https for that only [AUTH-07/cookies]', async () => {
    const fields = { grant_type: 'captcha', username: 'admin', password: md5(password) };
    const plain = await auth.token(fields);
    expect(plain.cookies).toEqual([
      expect.stringMatching(/^carillon-access-\w+=\S+; Path=\/; Max-Age=3000; HttpOnly; SameSite=Strict$/),
      expect.stringMatching(/^carillon-refresh-\w+=\S+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Strict$/),
    ]);
    const encrypted = await auth.token(fields, { headers: { 'x-forwarded-proto': 'https' } });
    for (const cookie of encrypted.cookies) expect(cookie).toMatch(/^__Host-carillon-.*; Secure$/);
    expect(plain.headers['cache-control']).toBe('no-store');
  });

  test('refuses an unidentified client, an unknown grant and a wider scope, each with its own message', async () => {
    const fields = { grant_type: 'captcha', username: 'admin', password: md5(password) };
    for (const authorization of [
      '',
      'Basic',
      `Basic ${Buffer.from('web:wrong').toString('base64')}`,
      `Basic ${Buffer.from('saber:saber_secret').toString('base64')}`,
      `Bearer ${client.slice(6)}`,
    ]) {
      expect(refusalOf(await auth.token(fields, { headers: { authorization } })), authorization).toEqual({
        status: 400,
        error: 'auth.clientInvalid',
      });
    }
    const changes: Record<string, string>[] = [
      { grant_type: 'password' },
      { grant_type: 'client_credentials' },
      { grant_type: '' },
      { scope: 'all admin' },
    ];
    for (const change of changes) {
      expect(refusalOf(await auth.token({ ...fields, ...change })), JSON.stringify(change)).toEqual({
        status: 400,
        error: 'auth.grantUnsupported',
      });
    }
    const flat = await auth.token({ ...fields, grant_type: 'password' }, { headers: { 'carillon-language': 'zh_CN' } });
    expect(flat.body).toEqual({
      error: 'auth.grantUnsupported',
      error_description: '不支持此授权类型。',
      code: 400,
      msg: '不支持此授权类型。',
      requestId: expect.any(String),
    });
  });

  test('stays flat for a body that cannot be read', async () => {
    for (const [type, payload] of [
      ['application/json', '{'],
      ['application/json', '{"__proto__":{"a":1}}'],
      ['application/x-www-form-urlencoded', '__proto__=x'],
    ] as const) {
      const answer = await auth.service.app
        .getHttpAdapter()
        .getInstance()
        .inject({
          method: 'POST',
          url: '/api/f/auth/oauth/token',
          headers: { authorization: client, 'content-type': type },
          payload,
        });
      expect(answer.json(), payload).toMatchObject({
        code: 400,
        error: expect.stringMatching(/^(common|auth)\./),
        error_description: expect.any(String),
      });
    }
  });

  test('takes no password that is not an MD5, so that nobody sends one in clear', async () => {
    for (const given of [password, '', md5(password).slice(1), `${md5(password)}0`, 'z'.repeat(32)])
      expect(refusalOf(await auth.token({ grant_type: 'captcha', username: 'nobody-5', password: given })).status).toBe(
        400,
      );
  });
});

test('a service accepts the context of a user with a thousand organizations', async () => {
  const fastify = auth.service.app.getHttpAdapter().getInstance();
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  const { port } = fastify.server.address() as { port: number };
  const answer = await rawRequest(
    { port },
    {
      path: '/api/f/auth/oauth/showCaptcha',
      headers: { 'carillon-context': 'x'.repeat(1_000 * 52), 'x-own': 'y'.repeat(15_000) },
    },
  );
  expect(answer.status).toBe(200);
});

test('weak and well-known keys prevent the start', () => {
  const good = {
    tokenKey: randomBytes(32).toString('base64url'),
    passwordPepper: randomBytes(32),
    mailKey: randomBytes(32),
    clientId: 'web',
    clientSecret: 'web-secret-of-test',
  };
  expect(readConfig(authConfig, good, {}).tokenKey).toHaveLength(32);
  for (const tokenKey of [
    'secret',
    'changeme',
    '',
    Buffer.alloc(32),
    randomBytes(31).toString('base64url'),
    'A'.repeat(64),
    'not base64 at all, but quite long enough to be a key',
  ]) {
    expect(() => readConfig(authConfig, { ...good, tokenKey }, {}), String(tokenKey)).toThrow(/^CARILLON_TOKEN_KEY/);
  }
});

test('a login rehashes a password that was hashed at another cost', async () => {
  const config = auth.service.app.get<{ passwordPepper: Buffer }>(CONFIG, { strict: false });
  const nonce = randomBytes(16);
  const message = createHmac('sha256', config.passwordPepper).update(md5(password)).digest();
  const cheap = argon2Sync('argon2id', { message, nonce, tagLength: 32, memory: 1_024, passes: 1, parallelism: 1 });
  const plain = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
  await auth.sql(`update user_account set password_hash = $1 where username = 'admin'`, [
    `$argon2id$v=19$m=1024,t=1,p=1$${plain(nonce)}$${plain(Buffer.from(cheap))}`,
  ]);
  const stored = async (): Promise<string> =>
    (await auth.sql<{ password_hash: string }>(`select password_hash from user_account where username = 'admin'`))[0]!
      .password_hash;
  expect((await auth.login('admin', 'x')).status).toBe(400);
  expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=1024,/);
  expect((await auth.login('admin')).status).toBe(200);
  expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect((await auth.login('admin')).status).toBe(200);
});
