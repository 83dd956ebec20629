import { createServer, type Server } from 'node:http';
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
// @ts-expect-error The package brings no types.
import Provider from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookieNames, verifyAccessToken } from '@carillon/tenancy';
import { startAuth, type AuthUnderTest } from '../auth-test.ts';

/** Users at the provider. */
const accounts: Record<string, Record<string, unknown>> = {
  anna: {
    email: 'Anna@Example.com',
    email_verified: true,
    name: 'Anna',
    preferred_username: 'anna',
    groups: ['phones'],
  },
  new: {
    email: 'new@example.com',
    email_verified: true,
    name: 'New One',
    preferred_username: 'new-one',
    groups: ['phones'],
  },
  nobody: {
    email: 'nobody@example.com',
    email_verified: true,
    name: 'No Role',
    preferred_username: 'norole',
    groups: ['others'],
  },
  thief: {
    email: 'admin@example.com',
    email_verified: false,
    name: 'Thief',
    preferred_username: 'admin',
    groups: ['admins'],
  },
};
const callback = 'https://carillon.example/api/f/auth/oidc/callback';
let issuer: string;
let server: Server;
let auth: AuthUnderTest;

beforeAll(async () => {
  server = createServer();
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'carillon',
        client_secret: 'secret-of-the-test-0123456789',
        redirect_uris: [callback],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
  });
  server.on('request', provider.callback());
  const ids = { companyId: randomUUID() as string, orgId: randomUUID() as string };
  const configOf = (id: string, more: object) => ({
    id,
    name: `By ${id}`,
    issuer,
    clientId: 'carillon',
    clientSecret: 'secret-of-the-test-0123456789',
    scope: 'openid email profile groups',
    ...more,
  });
  auth = await startAuth(
    {
      oidcProviders: [
        configOf('known', {}),
        configOf('groups', { roles: { phones: 'viewer', admins: 'administrator' }, create: ids }),
      ],
    },
    ids,
  );
});
afterAll(async () => {
  await auth?.close();
  server?.closeAllConnections();
  await new Promise((done) => {
    server?.close(done);
  });
});
const get = (url: string, headers: Record<string, string> = {}) =>
  auth.service.app.getHttpAdapter().getInstance().inject({ method: 'GET', url, headers });
const jarOf = (jar: Map<string, string>): string => [...jar].map(([k, v]) => `${k}=${v}`).join('; ');

/**
 * Acts as a browser at the provider: follows redirects and fills in the forms. Returns the address of the redirect
 * back.
 */
async function atProvider(start: string, login: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (let hops = 0; hops < 20; hops++) {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: jarOf(jar) },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair] = cookie.split(';');
      const at = pair!.indexOf('=');
      jar.set(pair!.slice(0, at), pair!.slice(at + 1));
    }
    form = undefined;
    const location = answer.headers.get('location');
    if (location) {
      url = new URL(location, url).href;
      if (url.startsWith(callback)) return url;
      continue;
    }
    const page = await answer.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (!action) throw new Error(`no way on at ${url}: ${page.slice(0, 300)}`);
    url = new URL(action, url).href;
    form = new URLSearchParams(
      page.includes('name="login"') ? { prompt: 'login', login, password: 'x' } : { prompt: 'consent' },
    );
  }
  throw new Error('the provider leads round in circles');
}

async function begin(provider: string, to?: string): Promise<{ url: URL; cookie: string }> {
  const answer = await get(`/api/f/auth/oidc/start?${new URLSearchParams({ provider, ...(to ? { to } : {}) })}`);
  expect(answer.statusCode).toBe(302);
  const cookie = String(answer.headers['set-cookie']);
  expect(cookie).toMatch(/^carillon-oidc=\S+; Path=\/api\/f\/auth\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/);
  return { url: new URL(answer.headers.location!), cookie: cookie.split(';')[0]! };
}
const back = async (url: string, cookie: string) => {
  const answer = await get(new URL(url).pathname + new URL(url).search, cookie ? { cookie } : {});
  return { to: answer.headers.location!, cookies: [answer.headers['set-cookie'] ?? []].flat() };
};

test('a user with a verified email logs in by PKCE, and no URL contains a token [AUTH-01/oidc]', async () => {
  expect((await get('/api/f/auth/oidc/list')).json<{ data: unknown }>().data).toEqual([
    { id: 'known', name: 'By known' },
    { id: 'groups', name: 'By groups' },
  ]);
  await auth.sql(`update user_account set email = 'anna@example.com' where username = 'viewer'`);
  const { url, cookie } = await begin('known', '/device/list?state=online');
  expect(url.origin).toBe(issuer);
  const asked = url.searchParams;
  expect([
    asked.get('response_type'),
    asked.get('code_challenge_method'),
    asked.get('redirect_uri'),
    asked.get('client_id'),
  ]).toEqual(['code', 'S256', callback, 'carillon']);
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)!.length).toBeGreaterThanOrEqual(32);
  const returned = await atProvider(url.href, 'anna');
  const done = await back(returned, cookie);
  expect(done.to).toBe(`/login?${new URLSearchParams({ signedIn: '1', to: '/device/list?state=online' })}`);
  const access = done.cookies.find((c) => c.startsWith(`${cookieNames(auth.tokenKey, false).access}=`))!;
  const token = access.split(';')[0]!.split('=')[1]!;
  const [viewer] = await auth.sql<{ id: string }>(`select id from user_account where username = 'viewer'`);
  expect(verifyAccessToken(token, auth.tokenKey)).toMatchObject({ userId: viewer!.id, companyId: auth.companyId });
  expect(done.to).not.toContain(token);
  // The provider's answer counts once.
  expect((await back(returned, cookie)).to).toBe('/login?refused=failed');
});

test('the redirect back counts only in the same browser, with its state and a code of the provider', async () => {
  const first = await begin('known', '/x');
  const returned = await atProvider(first.url.href, 'anna');
  const stranger = await begin('known');
  expect((await back(returned, stranger.cookie)).to).toBe('/login?refused=failed&to=%2Fx');
  expect((await back(returned, first.cookie)).to).toBe('/login?refused=failed');
  const second = await begin('known');
  const other = new URL(await atProvider(second.url.href, 'anna'));
  other.searchParams.set('code', 'made-up');
  expect((await back(other.href, second.cookie)).to).toBe('/login?refused=failed');
  for (const query of ['', '?code=x', '?state=unknown&code=x', '?error=access_denied&state=unknown'])
    expect((await back(`${callback}${query}`, first.cookie)).to, query).toBe('/login?refused=failed');
  expect((await get('/api/f/auth/oidc/start?provider=unknown')).statusCode).toBe(404);
});

test('an unverified email or a taken name takes over no account, and a locked or disabled one stays closed', async () => {
  await auth.sql(`update user_account set email = 'admin@example.com' where username = 'admin'`);
  for (const provider of ['known', 'groups']) {
    const { url, cookie } = await begin(provider);
    expect((await back(await atProvider(url.href, 'thief'), cookie)).to, provider).toMatch(
      /^\/login\?refused=(noAccount|noRole)$/,
    );
  }
  await auth.sql(`update user_account set status = 'disabled' where username = 'viewer'`);
  const { url, cookie } = await begin('known');
  const refused = await back(await atProvider(url.href, 'anna'), cookie);
  expect(refused.to).toBe('/login?refused=closed');
  expect(refused.cookies.some((c) => c.startsWith('carillon-access'))).toBe(false);
  await auth.sql(`update user_account set status = 'normal' where username = 'viewer'`);
});

test('groups set the roles at each login; without a matching group there is no access', async () => {
  const rolesOf = async (): Promise<string[]> =>
    (
      await auth.sql<{ name: string }>(
        `
          select r.name
          from role r
          join user_role x on x.role_id = r.id
          join user_account u on u.id = x.user_id
          where u.username = 'viewer'
          order by 1
        `,
      )
    ).map((r) => r.name);
  const login = async (who: string) => {
    const { url, cookie } = await begin('groups');
    return (await back(await atProvider(url.href, who), cookie)).to;
  };
  accounts['anna']!['groups'] = ['phones', 'admins'];
  expect(await login('anna')).toBe('/login?signedIn=1');
  expect(await rolesOf()).toEqual(['administrator', 'viewer']);
  accounts['anna']!['groups'] = ['phones'];
  expect(await login('anna')).toBe('/login?signedIn=1');
  expect(await rolesOf()).toEqual(['viewer']);
  expect(await login('nobody')).toMatch(/refused=noRole/);
  expect(await auth.sql(`select 1 as one from user_account where username = 'norole'`)).toEqual([]);
  // A new user is created with the roles of their groups and without a usable password.
  expect(await login('new')).toBe('/login?signedIn=1');
  expect(
    await auth.sql(
      `
        select u.nickname, u.email, u.default_org_id, r.name
        from user_account u
        join user_role x on x.user_id = u.id
        join role r on r.id = x.role_id
        where u.username = 'new-one'
      `,
    ),
  ).toEqual([{ nickname: 'New One', email: 'new@example.com', default_org_id: auth.orgId, name: 'viewer' }]);
  expect((await auth.login('new-one', '')).body['error']).toBe('auth.wrongCredentials');
  accounts['anna']!['groups'] = [];
  expect(await login('anna')).toMatch(/refused=noRole/);
  expect(await rolesOf()).toEqual(['viewer']);
});

test('requests to the provider contain no secret of a login', async () => {
  const { url, cookie } = await begin('known');
  const browser = cookie.split('=')[1]!;
  expect(url.href).not.toContain(browser);
  expect(url.href).not.toContain(createHash('sha256').update(browser).digest('base64url'));
});
