import { createHash, randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import {
  deleteUsers,
  changePassword,
  forgotPassword,
  mailTwoStepCode,
  openTwoStep,
  resendForgotPassword,
  resetPassword,
  twoStepSeconds,
} from '@carillon/contracts';
import { readConfig } from '@carillon/service';
import { verifyAccessToken } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { readPicture } from '@carillon/testing/captcha-picture';
import { md5, password, startAuth } from './auth-test.ts';
import { authConfig } from './config.ts';
import { error, startAttack } from './attack-test.ts';

/** Attacks on logins, sessions and links that no other test covers; docs/attack-cases.md lists each. */
const { auth, access, ended, mails, admin, fastify, forget, person } = await startAttack();
const refresh = (refreshToken: string) =>
  auth.token({ grant_type: 'refresh_token', scope: 'all', refresh_token: refreshToken });
const sessionOf = (accessToken: string): string => verifyAccessToken(accessToken, auth.tokenKey)!.sessionId;
const fail = async (times: number, name = 'viewer') => {
  for (let i = 0; i < times; i++) await auth.login(name, 'wrong');
};
const ask = async (path: string, payload: object, headers: Record<string, string> = {}) => {
  const answer = await fastify().inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/json',
      'carillon-address': `10.3.${Math.floor(Math.random() * 250)}.1`,
      ...headers,
    },
    payload: JSON.stringify(payload),
  });
  return {
    status: answer.statusCode,
    error: answer.json<{ error?: string }>().error,
    data: answer.json<{ data: Record<string, string> | null }>().data,
  };
};
const mailTo = (to: string, template: string, from: number) =>
  eventually(() => {
    const found = mails.slice(from).findLast((m) => m.to === to && m.template === template);
    expect(found).toBeDefined();
    return found!;
  });
async function at<T>(ms: number, fn: () => Promise<T>): Promise<T> {
  // The cache uses the monotonic clock.
  const steady = performance.now.bind(performance);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => steady() + ms);
  try {
    return await fn();
  } finally {
    vi.useRealTimers();
    clock.mockRestore();
  }
}

test('A4: a locked account refreshes and consumes no token, and gateways see its programs as locked', async () => {
  const { body } = await auth.login('viewer');
  await fail(5);
  expect((await auth.login('viewer')).body['error']).toBe('auth.accountLocked');
  expect(await refresh(body['refresh_token'])).toMatchObject({
    status: 400,
    body: { error: 'auth.logonFailure' },
    cookies: [],
  });
  await eventually(() => {
    expect(access.get(body['userId'])?.lockedUntil).toBeGreaterThan(Date.now() + 1_700_000);
  });
  // Wrong passwords must not end the session itself.
  expect(ended).not.toContain(sessionOf(body['access_token']));
  await at(1_801_000, async () => {
    await auth.sql('update session set last_active_at = $1', [new Date()]);
    expect((await refresh(body['refresh_token'])).status).toBe(200);
  });
  await forget();
});

test('A6: a user whom another locked out on purpose is back at once by the link in their mailbox', async () => {
  const user = await person();
  await fail(5, user.username);
  expect((await auth.login(user.username)).body['error']).toBe('auth.accountLocked');
  const from = mails.length;
  expect((await ask(forgotPassword.path, { name: user.username })).status).toBe(200);
  const { link } = await mailTo(user.email, 'passwordReset', from);
  const newPassword = 'Another-Secret-2';
  expect(
    (await ask(resetPassword.path, { token: link.split('#')[1], newPassword, confirmation: newPassword })).status,
  ).toBe(200);
  expect((await auth.login(user.username, newPassword)).status).toBe(200);
  await eventually(() => {
    expect(access.get(user.id)?.lockedUntil).toBeUndefined();
  });
});

test('A7: a captcha is dead after two minutes, and nothing on both sides is no answer', async () => {
  const always = await startAuth({ captchaMode: 'on' });
  try {
    const image = async (key: string) =>
      readPicture(
        (
          await always.service.app
            .getHttpAdapter()
            .getInstance()
            .inject({ url: `/api/code?key=${key}` })
        ).body,
      );
    const log = async (key: string, code: string) =>
      (await always.token({ grant_type: 'captcha', username: 'admin', password: md5(password), key, code })).body[
        'error'
      ] as string | undefined;
    const [old, young] = ['a-key-of-an-old-picture', 'a-key-of-a-young-picture'];
    const code = await image(old);
    await at(121_000, async () => {
      expect(await log(old, code)).toBe('auth.captchaWrong');
    });
    const other = await image(young);
    await at(115_000, async () => {
      expect(await log(young, other)).toBeUndefined();
    });
    for (const [key, given] of [
      ['', ''],
      ['never-asked-for-this-key', ''],
      ['never-asked-for-this-key', 'null'],
      ['never-asked-for-this-key', 'undefined'],
    ] as const)
      expect(await log(key, given)).toMatch(/^auth\.captcha(Required|Wrong)$/);
  } finally {
    await always.close();
  }
});

test('A9, A10: a code expires after ten minutes, and the state between login steps opens no call', async () => {
  const boss = auth.service.as(admin);
  const from = mails.length;
  await boss(mailTwoStepCode);
  await boss(openTwoStep, { body: { code: (await mailTo('admin@example.com', 'code', from)).code } });
  try {
    const before = mails.length;
    const { body, cookies } = await auth.login('viewer');
    expect([body['error'], cookies]).toEqual(['auth.twoStepRequired', []]);
    const { code } = await mailTo('viewer@example.com', 'code', before);
    // The key is neither an access token nor a refresh token.
    expect(verifyAccessToken(body['key'], auth.tokenKey)).toBeUndefined();
    expect((await refresh(body['key'])).body['error']).toBe('auth.logonFailure');
    await at(twoStepSeconds * 1_000 + 1_000, async () => {
      expect((await auth.token({ grant_type: 'captcha', scope: 'all', key: body['key'], code })).body['error']).toBe(
        'auth.codeExpired',
      );
    });
    // A call that names two users logs in the user of the second step.
    const later = mails.length;
    const { key } = (await auth.login('viewer')).body;
    const next = await mailTo('viewer@example.com', 'code', later);
    expect(
      (
        await auth.token({
          grant_type: 'captcha',
          scope: 'all',
          key,
          code: next.code,
          username: 'admin',
          password: md5(password),
        })
      ).body['username'],
    ).toBe('viewer');
  } finally {
    await auth.sql('update company_login set two_step = false');
  }
});

test('A14: keys that others ship as their default stop the start, also those that are long enough', () => {
  const good = {
    passwordPepper: Buffer.from(createHash('sha256').update('pepper').digest()),
    mailKey: Buffer.from(createHash('sha256').update('mail').digest()),
    clientId: 'web',
    clientSecret: 'web-secret-of-test',
  };
  for (const tokenKey of [
    'bladexisapowerfulmicroservicearchitectureupgradedandoptimizedfromacommercialproject',
    'SpringBladeIsAPowerfulMicroserviceArchitecture-UpgradedAndOptimizedFromACommercialProject',
    'thingsboardDefaultSigningKey',
    Buffer.from('thingsboardDefaultSigningKey').toString('base64'),
    Buffer.from('bladexisapowerfulmicroservicearchitectureupgradedandoptimizedfromacommercialproject').toString(
      'base64url',
    ),
    'secret',
    'changeme',
    'changemechangemechangemechangemechangemechangeme',
    '',
    'your-256-bit-secret',
    'a-very-long-secret-that-is-not-random-at-all-but-typed-by-hand',
    '0123456789abcdef0123456789abcdef0123456789abcdef',
  ])
    expect(() => readConfig(authConfig, { ...good, tokenKey }, {}), tokenKey).toThrow(/CARILLON_TOKEN_KEY/);
});

test('A18: after a password change no other session refreshes and earlier reset links are invalid', async () => {
  const user = await person();
  const [own, other] = [await auth.login(user.username), await auth.login(user.username)];
  const from = mails.length;
  await ask(forgotPassword.path, { name: user.username });
  const { link } = await mailTo(user.email, 'passwordReset', from);
  const newPassword = 'Mended-Kettle-3';
  await auth.service.as({
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: user.id,
    sessionId: sessionOf(own.body['access_token']),
  })(changePassword, { body: { oldPassword: password, newPassword, confirmation: newPassword } });
  expect((await refresh(other.body['refresh_token'])).body['error']).toBe('auth.logonFailure');
  expect((await refresh(own.body['refresh_token'])).status).toBe(200);
  await eventually(() => {
    expect(ended).toContain(sessionOf(other.body['access_token']));
  });
  expect(
    await ask(resetPassword.path, {
      token: link.split('#')[1],
      newPassword: 'Undone-Secret-4',
      confirmation: 'Undone-Secret-4',
    }),
  ).toMatchObject({ status: 400, error: 'link.resetInvalid' });
});

test("A23: a link is its own user's: no field of the request names another", async () => {
  const [one, other] = [await person(), await person()];
  const from = mails.length;
  await ask(forgotPassword.path, { name: one.username });
  const token = (await mailTo(one.email, 'passwordReset', from)).link.split('#')[1];
  const body = { token, newPassword: 'Another-Secret-2', confirmation: 'Another-Secret-2' };
  for (const more of [{ userId: other.id }, { username: other.username }, { id: other.id }])
    expect((await ask(resetPassword.path, { ...body, ...more })).error).toBe('common.invalid');
  expect((await ask(resetPassword.path, body)).status).toBe(200);
  expect((await auth.login(other.username)).status).toBe(200);
});

test('A24: whatever a request says of its host, the link of a mail begins with the configured address', async () => {
  for (const headers of [
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { forwarded: 'host=evil.example;proto=http' },
    { origin: 'https://evil.example', referer: 'https://evil.example/x' },
    { 'x-original-host': 'evil.example', 'x-host': 'evil.example' },
  ] as Record<string, string>[]) {
    const user = await person();
    const from = mails.length;
    const answer = await ask(forgotPassword.path, { name: user.username }, headers);
    expect(answer.status).toBe(200);
    expect((await mailTo(user.email, 'passwordReset', from)).link).toMatch(
      /^https:\/\/carillon\.example\/forgetPasswordResult#/,
    );
    expect(JSON.stringify(answer)).not.toContain('evil');
  }
});

test('A26: a hundred requests for a password reset are three mails, from any caller and address', async () => {
  const user = await person();
  const from = mails.length;
  const { data } = await ask(forgotPassword.path, { name: user.username });
  const answers = await Promise.all(
    Array.from({ length: 99 }, (_, i) =>
      i % 3
        ? ask(forgotPassword.path, { name: i % 2 ? user.username : user.email.toUpperCase() })
        : ask(resendForgotPassword.path, { ticket: data!['ticket'] }),
    ),
  );
  expect(new Set(answers.map((a) => a.status))).toEqual(new Set([200]));
  // Mails keep their order, so this one arrives after all the others.
  const last = await person();
  await ask(forgotPassword.path, { name: last.username });
  await mailTo(last.email, 'passwordReset', from);
  expect(mails.slice(from).filter((m) => m.to === user.email)).toHaveLength(3);
});

test('adding and deleting users sends at most ten activation mails an hour to one address', async () => {
  const email = `victim-${randomUUID().slice(0, 8)}@example.com`;
  const from = mails.length;
  const add = () => person({ activation: 'email', password: undefined, email });
  for (let i = 0; i < 10; i++) await auth.service.as(admin)(deleteUsers, { query: { ids: [(await add()).id] } });
  const count = async () => (await auth.sql<{ n: number }>('select count(*)::int as n from user_account'))[0]!.n;
  const before = await count();
  expect(await error(add())).toBe('common.tooMany');
  expect(await count()).toBe(before);
  await mailTo(email, 'activation', from);
  await eventually(() => {
    expect(mails.slice(from).filter((m) => m.to === email)).toHaveLength(10);
  });
  // Other addresses are not affected.
  await person({ activation: 'email', password: undefined });
});

test('A30: what a browser brought along before the login is no part of the session after it', async () => {
  const { body: stolen } = await auth.login('viewer');
  const fields = { grant_type: 'captcha', scope: 'all', username: 'admin', password: md5(password) };
  const plain = await auth.token(fields);
  const [access1, refresh1] = plain.cookies.map((c) => c.split('=')[0]!);
  const brought = await auth.token(fields, {
    headers: {
      cookie: `${access1}=${stolen['access_token']}; ${refresh1}=${stolen['refresh_token']}; carillon-session=fixed`,
      'carillon-token': stolen['access_token'],
    },
  });
  const now = verifyAccessToken(brought.body['access_token'], auth.tokenKey)!;
  expect(now.userId).toBe(admin.userId);
  expect(now.sessionId).not.toBe(sessionOf(stolen['access_token']));
  expect(now.sessionId).not.toBe(sessionOf(plain.body['access_token']));
  for (const [i, cookie] of brought.cookies.entries())
    expect(cookie).toContain(brought.body[i === 0 ? 'access_token' : 'refresh_token']);
});
