import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  activateByLink,
  activateByPassword,
  addChannel,
  addCompany,
  addUser,
  addUsers,
  changePassword,
  createClient,
  deleteUsers,
  listRoles,
  resendActivation,
  resetPassword,
  setAvatar,
  type CallError,
} from '@carillon/contracts';
import { eventually, png } from '@carillon/testing';
import { authSql, type Platform } from '@carillon/testing/platform';
import { fillLogin, lane, useProduct } from '../../../test/browser.ts';

const product = useProduct();
/** Untyped: the expectations check the content. */
type Json = ReturnType<typeof JSON.parse>;
const path = '/api/f/auth/oauth/token';
/** Expects that no call that sets a password takes an MD5 for one. */
async function refusesHash(platform: Platform, hash: string): Promise<void> {
  const chosen = { newPassword: hash, confirmation: hash };
  for (const [route, body] of [
    [addUser, { password: hash }],
    [resendActivation, { password: hash }],
    [addCompany, { password: hash }],
    [addChannel, { password: hash }],
    [resetPassword, chosen],
    [activateByLink, chosen],
    [changePassword, chosen],
  ] as const) {
    const refusal: unknown = await platform.call(route, { body } as never).catch((e: unknown) => e);
    const [path] = Object.keys(body);
    expect((refusal as CallError).fields, route.path).toContainEqual(
      expect.objectContaining({ path, error: 'auth.passwordRule' }),
    );
  }
  const several = {
    activation: 'password' as const,
    oldEnough: true,
    roleIds: [randomUUID()],
    allOrgs: true,
    orgIds: [],
  };
  const user = { username: `hash-${randomUUID().slice(0, 8)}`, nickname: 'Hash', email: null, password: hash };
  const { rows } = await platform.call(addUsers, { body: { ...several, users: [user] } });
  expect(rows).toMatchObject([{ user: null, error: 'auth.passwordRule', path: 'password' }]);
}
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

it('the token call works by query, form and JSON, sets cookies, and leaks no secret [AUTH-03]', async () => {
  const { platform } = product;
  const { url, client } = platform.ready;
  const basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const ask = async (
    fields: Record<string, string>,
    as: 'query' | 'form' | 'json' = 'query',
    headers: Record<string, string> = {},
  ) => {
    const text = new URLSearchParams(fields).toString();
    const sent = as === 'query' ? {} : { body: as === 'json' ? JSON.stringify(fields) : text };
    const type: Record<string, string> =
      as === 'query'
        ? {}
        : { 'content-type': as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded' };
    const response = await fetch(`${url}${path}${as === 'query' ? `?${text}` : ''}`, {
      method: 'POST',
      headers: { authorization: basic, 'carillon-language': 'en_US', ...type, ...headers },
      ...sent,
    });
    return {
      status: response.status,
      body: (await response.json()) as Record<string, Json>,
      cookies: response.headers.getSetCookie(),
    };
  };
  const [role] = (await platform.call(listRoles, { query: { search: 'viewer' } })).records;
  const first = `First-${randomUUID()}`;
  const own = `Own-${randomUUID()}`;
  const username = `token-${randomUUID().slice(0, 8)}`;
  const user = await platform.call(addUser, {
    body: {
      username,
      nickname: username,
      email: null,
      activation: 'password',
      oldEnough: true,
      password: first,
      roleIds: [role!.id],
      allOrgs: true,
      orgIds: [],
      timezoneId: 25,
      countryId: 76,
    },
  });
  const secrets = [first, own, md5(first), md5(own)];
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => 'taken',
      (e: { error: string }) => e.error,
    );
  const hash = md5('Another-1');
  try {
    // The first own password in clear too, and the one-time one beside it.
    const activate = (password: string, newPassword: string) =>
      failure(
        platform.plainClient()(activateByPassword, {
          body: { username, password, newPassword, confirmation: newPassword },
        }),
      );
    expect(await activate(first, hash)).toBe('auth.passwordRule');
    expect(await activate(md5(first), own)).toBe('auth.wrongCredentials');
    await refusesHash(platform, hash);
    await platform.plainClient()(activateByPassword, {
      body: { username, password: first, newPassword: own, confirmation: own },
    });

    // A login in each form, with and without `type`, and a refresh in each form.
    for (const as of ['query', 'form', 'json'] as const) {
      const login = await ask(
        {
          grant_type: 'captcha',
          scope: 'all',
          username,
          password: md5(own),
          ...(as === 'form' ? {} : { type: 'account', key: '', code: '' }),
        },
        as,
      );
      let last = login;
      for (const answer of [
        login,
        await ask({ grant_type: 'refresh_token', scope: 'all', refresh_token: login.body['refresh_token'] }, as),
      ]) {
        expect(answer.status, as).toBe(200);
        expect(answer.body, as).toMatchObject({
          access_token: expect.stringMatching(/\S{40,}/),
          refresh_token: expect.stringMatching(/\S{20,}/),
          companyId: platform.companyId,
          orgId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          createSubLimit: 1_000_000,
          fcsLimit: 1_000_000,
          countryId: 76,
          timezoneId: 25,
        });
        // Without a picture of their own: the default one.
        expect(answer.body['avatar']).toMatch(/^data:image\/svg\+xml,/);
        for (const name of ['data', 'msg', 'success', 'code'])
          expect(answer.body, `${as} ${name}`).not.toHaveProperty(name);
        expect(answer.cookies).toEqual([
          expect.stringMatching(new RegExp(`^carillon-access-\\w+=${answer.body['access_token']}; .*HttpOnly`)),
          expect.stringMatching(new RegExp(`^carillon-refresh-\\w+=${answer.body['refresh_token']}; .*HttpOnly`)),
        ]);
        secrets.push(answer.body['access_token'], answer.body['refresh_token']);
        last = answer;
      }
      expect(
        (await fetch(`${url}/api/f/mc/user/info`, { headers: { 'carillon-token': last.body['access_token'] } })).status,
      ).toBe(200);
    }

    // A picture of their own is in the response.
    const avatar = `data:image/png;base64,${png.toString('base64')}`;
    const loggedIn = async () =>
      (await ask({ grant_type: 'captcha', scope: 'all', username, password: md5(own) }, 'form')).body;
    const { access_token: his } = await loggedIn();
    secrets.push(his);
    await createClient({ baseUrl: url, headers: () => ({ 'carillon-token': his }) })(setAvatar, {
      body: { image: png.toString('base64') },
    });
    expect((await loggedIn())['avatar']).toBe(avatar);

    // Refused: flat too, in the requested language, and without the given values.
    for (const as of ['query', 'form', 'json'] as const) {
      const canary = {
        username: `canary-${randomUUID()}`,
        password: md5(randomUUID()),
        refresh_token: randomUUID(),
        key: randomUUID(),
        code: randomUUID(),
      };
      secrets.push(...Object.values(canary).slice(1));
      for (const [fields, error, description] of [
        [{ grant_type: 'captcha', scope: 'all', ...canary }, 'auth.', /\S/],
        [
          { grant_type: 'captcha', scope: 'all', username: canary.username, password: canary.password },
          'auth.wrongCredentials',
          /^Wrong username or password\.$/,
        ],
        [
          { grant_type: 'refresh_token', scope: 'all', refresh_token: canary.refresh_token },
          'auth.logonFailure',
          /^Sign-in failed/,
        ],
        [{ grant_type: 'password', scope: 'all', ...canary }, 'auth.grantUnsupported', /not supported/],
        [{ grant_type: 'captcha', scope: 'some', ...canary }, 'auth.grantUnsupported', /not supported/],
      ] as const) {
        const { status, body, cookies } = await ask(fields as Record<string, string>, as);
        expect([status, cookies], `${as} ${error}`).toEqual([400, []]);
        expect(body).toMatchObject({
          error: expect.stringContaining(error),
          error_description: expect.stringMatching(description),
          code: 400,
          requestId: expect.stringMatching(/\S{16,}/),
        });
        expect(body).not.toHaveProperty('data');
      }
    }
    expect(
      (
        await ask({ grant_type: 'captcha', username: 'nobody', password: md5('x') }, 'query', {
          'carillon-language': 'zh_CN',
        })
      ).body['error_description'],
    ).toBe('用户名或密码错误。');

    // The console's own call: form only, nothing in the address, the password as its MD5.
    const { page } = await product.visit();
    const sent: { url: string; type: string | undefined; body: string | null }[] = [];
    page.on('request', (r) => {
      if (new URL(r.url()).pathname === path)
        sent.push({ url: r.url(), type: r.headers()['content-type'], body: r.postData() });
    });
    await page.goto('/resetPassword');
    await fillLogin(page, { username, password: own });
    await page.locator('[name=newPassword]').waitFor();
    expect(sent[0]).toMatchObject({
      url: `${url}${path}`,
      type: expect.stringMatching(/^application\/x-www-form-urlencoded/),
      body: expect.stringContaining(`password=${md5(own)}`),
    });
    // A new password is sent in clear, so that the server checks the rule; no call accepts an MD5 for it.
    const chosen = `Chosen-${randomUUID()}`;
    secrets.push(chosen, md5(chosen));
    await page.locator('[name=oldPassword]').fill(own);
    await page.locator('[name=newPassword]').fill(chosen);
    await page.locator('[name=confirmation]').fill(chosen);
    const changed = page.waitForRequest(
      (r) => r.method() === 'POST' && new URL(r.url()).pathname === changePassword.path,
    );
    await page.getByRole('button', { name: 'Save password' }).click();
    expect((await changed).postDataJSON()).toEqual({ oldPassword: own, newPassword: chosen, confirmation: chosen });
    await eventually(async () => {
      expect((await ask({ grant_type: 'captcha', scope: 'all', username, password: md5(chosen) }, 'form')).status).toBe(
        200,
      );
    });
    const {
      body: { access_token: token },
    } = await ask({ grant_type: 'captcha', scope: 'all', username, password: md5(chosen) }, 'form');
    secrets.push(token);
    const him = createClient({ baseUrl: url, headers: () => ({ 'carillon-token': token }) });
    expect(
      await failure(him(changePassword, { body: { oldPassword: chosen, newPassword: hash, confirmation: hash } })),
    ).toBe('auth.passwordRule');
    expect(
      await failure(him(changePassword, { body: { oldPassword: md5(chosen), newPassword: own, confirmation: own } })),
    ).toBe('auth.oldPasswordWrong');
    expect(
      await failure(
        platform.call(addUser, {
          body: {
            username: `${username}-2`,
            nickname: 'x',
            email: null,
            activation: 'password',
            oldEnough: true,
            password: hash,
            roleIds: [role!.id],
            allOrgs: true,
            orgIds: [],
          },
        }),
      ),
    ).toBe('auth.passwordRule');

    // At rest: Argon2id with its own salt, and neither the password nor its MD5 in the row.
    const rows = await authSql<{ hash: string; whole: string }>(
      platform,
      'select password_hash as hash, to_jsonb(u)::text as whole from user_account u where username in ($1, $2)',
      [username, 'viewer'],
    );
    expect(rows).toHaveLength(2);
    for (const { hash: kept } of rows)
      expect(kept).toMatch(/^\$argon2id\$v=19\$m=\d{4,},t=\d+,p=\d+\$[\w+/]{20,}\$[\w+/]{40,}$/);
    expect(new Set(rows.map((r) => r.hash.split('$')[4])).size).toBe(2);
    for (const secret of secrets) for (const { whole } of rows) expect(whole.includes(secret)).toBe(false);

    // Once the last call's trace is written, earlier ones are too. No trace and no log contains a given value.
    const { traceFile } = lane();
    const trace = randomUUID().replaceAll('-', '');
    await ask({ grant_type: 'refresh_token', refresh_token: randomUUID() }, 'form', {
      traceparent: `00-${trace}-${trace.slice(16)}-01`,
    });
    await eventually(() => {
      expect(readFileSync(traceFile, 'utf8')).toContain(trace);
    }, 30_000);
    const logs = readdirSync(join(platform.folder, 'logs')).map((name) => join(platform.folder, 'logs', name));
    expect(logs.length).toBeGreaterThan(1);
    const spans = readFileSync(traceFile, 'utf8');
    expect(spans).toContain(path);
    for (const file of [...logs, traceFile].filter((name) => existsSync(name))) {
      const text = readFileSync(file, 'utf8');
      for (const secret of secrets) expect(text.includes(secret), file).toBe(false);
    }
  } finally {
    await platform.call(deleteUsers, { query: { ids: [user.id] } });
  }
});
