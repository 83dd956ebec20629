import { argon2Sync, createHash, createHmac, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { eventually } from '@carillon/testing';
import { fillLogin, useProduct } from '../../test/browser.ts';
import { authSql } from '../../test/mail.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const traceFile = `/tmp/carillon-token-trace-${process.pid}.jsonl`;
const product = useProduct({ name: 'token', devices: 1, env: { CARILLON_TRACE_FILE: traceFile, CARILLON_LOG_LEVEL: 'trace' } });
afterAll(() => { rmSync(traceFile, { force: true }); });

const path = '/api/f/auth/oauth/token';
interface Reply { status: number; body: Record<string, string>; cookies: string[] }

it('the token call takes name and MD5 in the query or in a form, as the console does, and answers flat with every field and both cookies; it refreshes; refusals are flat; only it takes an MD5, of which a slow salted hash is all that is stored; nothing of it is in a log or a trace [AUTH-03/product]', async () => {
  const { viewer, folder, ready: { url, admin, client } } = product.platform;
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const canaries: string[] = [];
  const token = async (fields: Record<string, string>, as: 'query' | 'form' = 'form', headers: Record<string, string> = {}): Promise<Reply> => {
    const text = new URLSearchParams(fields);
    const answer = await fetch(url + path + (as === 'query' ? `?${text.toString()}` : ''), { method: 'POST', headers: { authorization, 'carillon-language': 'en_US', ...headers }, ...(as === 'form' ? { body: text } : {}) });
    const body = await answer.json() as Reply['body'];
    // The name of an account is no secret; what somebody typed for one may be.
    for (const [name, value] of Object.entries(fields)) if (['password', 'refresh_token', 'key', 'code'].includes(name) || (name === 'username' && value.length > 30)) canaries.push(value);
    canaries.push(...[body['access_token'], body['refresh_token']].filter((value) => value !== undefined) as string[]);
    return { status: answer.status, body, cookies: answer.headers.getSetCookie() };
  };
  const own = { grant_type: 'captcha', scope: 'all', username: admin.username, password: md5(admin.password) };
  const whole = {
    access_token: expect.any(String), refresh_token: expect.any(String), token_type: 'bearer', expires_in: 3_000, scope: 'all', companyId: product.platform.companyId, orgId: expect.stringMatching(/^[\da-f-]{36}$/), createSubLimit: expect.any(Number), fcsLimit: expect.any(Number),
    countryId: expect.any(Number), timezoneId: expect.any(Number), avatar: expect.stringMatching(/^data:image\/svg\+xml,/), userId: expect.any(String), username: admin.username, nickname: expect.any(String), mustChangePassword: false,
  };
  const enters = async ({ cookies }: Reply) => (await fetch(`${url}/api/f/mc/user/info`, { headers: { 'carillon-language': 'en_US', cookie: cookies.map((c) => c.split(';')[0]!).join('; ') } })).status;

  // Both places, with `type` and without; and refreshed in both.
  for (const as of ['query', 'form'] as const) {
    for (const fields of [own, { ...own, type: 'account' }]) {
      const answer = await token(fields, as);
      expect([answer.status, answer.body], as).toEqual([200, whole]);
      expect(answer.cookies.map((c) => c.split(';')[0]!.split('=')[1])).toEqual([answer.body['access_token'], answer.body['refresh_token']]);
      expect(await enters(answer)).toBe(200);
      const next = await token({ grant_type: 'refresh_token', scope: 'all', refresh_token: answer.body['refresh_token']! }, as);
      expect([next.status, next.body]).toEqual([200, whole]);
      expect(next.body['refresh_token']).not.toBe(answer.body['refresh_token']);
      expect(await enters(next)).toBe(200);
    }
  }
  // The console: a form, and nothing in the address.
  const { page } = await product.visit();
  await page.goto('/login');
  const asked = page.waitForRequest(`**${path}*`);
  await fillLogin(page, admin);
  const sent = await asked;
  await page.waitForURL('**/wel/home');
  expect([sent.method(), new URL(sent.url()).search, sent.headers()['content-type']]).toEqual(['POST', '', expect.stringMatching(/^application\/x-www-form-urlencoded/)]);
  expect(Object.fromEntries(new URLSearchParams(sent.postData()!))).toEqual(own);
  const inBrowser = await (await sent.response())!.json() as Reply['body'];
  canaries.push(inBrowser['access_token']!, inBrowser['refresh_token']!);

  // Refusals are flat too, in either place.
  const flat = (error: string) => ({ error, error_description: expect.stringMatching(/\w/), msg: expect.any(String), code: 400, requestId: expect.stringMatching(/\S/) });
  const refusals: [string, Record<string, string>, Record<string, string>?][] = [
    ['auth.wrongCredentials', { ...own, username: `somebody-${randomUUID()}` }], ['auth.wrongCredentials', { ...own, username: `somebody-${randomUUID()}`, password: md5(randomUUID()), type: 'account' }],
    ['auth.grantUnsupported', { ...own, grant_type: 'password' }], ['auth.logonFailure', { grant_type: 'refresh_token', refresh_token: randomUUID() }], ['auth.clientInvalid', own, { authorization: 'Basic eDp5' }],
  ];
  for (const as of ['query', 'form'] as const) for (const [error, fields, headers] of refusals) {
    const { status, body, cookies } = await token(fields, as, headers);
    expect([status, body, cookies], `${as} ${error}`).toEqual([400, flat(error), []]);
  }
  // In clear it is no password here, and as MD5 it is none anywhere else.
  expect((await token({ ...own, password: admin.password }, 'query')).body).toEqual(flat('auth.wrongCredentials'));
  const { body: { access_token: session } } = await token(own);
  const change = async (oldPassword: string, newPassword: string) => (await (await fetch(`${url}/api/f/auth/password/change`, { method: 'POST', headers: { 'carillon-token': session!, 'content-type': 'application/json' }, body: JSON.stringify({ oldPassword, newPassword, confirmation: newPassword }) })).json() as { error?: string }).error;
  expect(await change(md5(admin.password), viewer.password)).toBe('auth.oldPasswordWrong');
  const ruled = await (await fetch(`${url}/api/f/auth/password/change`, { method: 'POST', headers: { 'carillon-token': session!, 'content-type': 'application/json' }, body: JSON.stringify({ oldPassword: admin.password, newPassword: md5(viewer.password), confirmation: md5(viewer.password) }) })).text();
  expect(ruled).toContain('auth.passwordRule');
  expect(await change(admin.password, viewer.password)).toBeUndefined();
  canaries.push(admin.password, viewer.password, md5(viewer.password));
  expect((await token({ ...own, password: md5(viewer.password) })).status).toBe(200);

  // Two with one password: two hashes, each an Argon2id of the keyed MD5 with a salt of its own.
  const stored = await authSql<{ password_hash: string }>(product.platform, `select password_hash from user_account where username in ('viewer', $1)`, [admin.username]);
  const { pepper } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as { pepper: string };
  const salts = stored.map(({ password_hash: hash }) => {
    const [, memory, passes, parallelism, salt, tag] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash)!;
    expect(Number(memory) * Number(passes)).toBeGreaterThanOrEqual(19_456 * 2);
    const message = createHmac('sha256', Buffer.from(pepper, 'base64url')).update(md5(viewer.password)).digest();
    const made = argon2Sync('argon2id', { message, nonce: Buffer.from(salt!, 'base64'), tagLength: 32, memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) });
    expect(Buffer.from(made).equals(Buffer.from(tag!, 'base64'))).toBe(true);
    return salt;
  });
  expect(new Set(salts).size).toBe(2);
  const rows = await authSql<{ all: string }>(product.platform, `select coalesce(string_agg(t, ' '), '') as all from (select u::text t from user_account u union all select s::text from session s union all select r::text from refresh_token r) x`);

  // A last call, so that all before it has been written when its trace is there.
  const traceId = randomUUID().replaceAll('-', '');
  await token({ ...own, username: `somebody-${randomUUID()}` }, 'query', { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await eventually(() => { expect(readFileSync(traceFile, 'utf8')).toContain(traceId); });
  const written = [...readdirSync(join(folder, 'logs')).map((name) => join(folder, 'logs', name)), traceFile].map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  expect(written.find(({ file }) => file === traceFile)!.text).toContain(path);
  expect(written.find(({ file }) => file.endsWith('standalone.log'))!.text.length).toBeGreaterThan(500);
  expect(new Set(canaries).size).toBeGreaterThan(25);
  for (const secret of new Set(canaries)) for (const { file, text } of [...written, { file: 'tables', text: rows[0]!.all }]) expect(text.includes(secret), `${file}: ${secret}`).toBe(false);
});
