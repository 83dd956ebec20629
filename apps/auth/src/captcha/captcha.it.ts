import { afterAll, beforeAll, expect, test } from 'vitest';
import { unlockUsers } from '@carillon/contracts';
import { doWork } from '@carillon/testing';
import { readPicture } from '@carillon/testing/captcha-picture';
import { md5, password, startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
let always: AuthUnderTest;
beforeAll(async () => {
  // Attempts without a captcha also count for the lock, which these tests do not cover.
  auth = await startAuth({ captchaAfterFailures: 3, lockFailures: 100 });
  always = await startAuth({ captchaMode: 'on' });
});
afterAll(async () => {
  await auth?.close();
  await always?.close();
});

const get = (server: AuthUnderTest, url: string) =>
  server.service.app.getHttpAdapter().getInstance().inject({ method: 'GET', url });
const data = async (server: AuthUnderTest, url: string): Promise<any> =>
  (await get(server, url)).json<{ data: unknown }>().data;
const needed = (server: AuthUnderTest, name: string): Promise<boolean> =>
  data(server, `/api/f/auth/oauth/showCaptcha?username=${encodeURIComponent(name)}`);
const picture = async (server: AuthUnderTest): Promise<{ key: string; code: string }> => {
  const { key, image } = (await data(server, '/api/f/auth/oauth/captcha')) as { key: string; image: string };
  expect(image).toMatch(/^data:image\/svg\+xml;base64,/);
  return { key, code: readPicture(Buffer.from(image.split(',')[1]!, 'base64').toString()) };
};
const log = async (
  server: AuthUnderTest,
  name: string,
  secret: string,
  answer: { key?: string; code?: string } = {},
  as: 'headers' | 'fields' = 'headers',
) =>
  server.token(
    { grant_type: 'captcha', scope: 'all', username: name, password: md5(secret), ...(as === 'fields' ? answer : {}) },
    {
      headers:
        as === 'headers'
          ? {
              ...(answer.key === undefined ? {} : { 'captcha-key': answer.key }),
              ...(answer.code === undefined ? {} : { 'captcha-code': answer.code }),
            }
          : {},
    },
  );

test('a captcha does not reveal that a name and an email are one account: each counts its own failures', async () => {
  await auth.sql(`update user_account set email = 'viewer-captcha@example.com' where username = 'viewer'`);
  const [name, email] = ['viewer', 'Viewer-Captcha@example.com'];
  for (let i = 0; i < 3; i++) await log(auth, name, 'wrong');
  expect([await needed(auth, name), await needed(auth, email)]).toEqual([true, false]);
  expect((await log(auth, email, 'wrong')).body['error']).toBe('auth.wrongCredentials');
  expect((await log(auth, name, 'wrong')).body['error']).toBe('auth.captchaRequired');
  expect((await log(auth, email, password)).status).toBe(200);
  expect([await needed(auth, name), await needed(auth, email)]).toEqual([true, false]);
  expect((await log(auth, name, password, await picture(auth))).status).toBe(200);
  expect(await needed(auth, name)).toBe(false);
});

test('unlocking an account ends the captcha for its name and its email', async () => {
  const [row] = await auth.sql<{ id: string }>(
    `update user_account set email = 'viewer-captcha@example.com' where username = 'viewer' returning id`,
  );
  const [admin] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  const actor = { companyId: auth.companyId, orgId: auth.orgId, userId: admin!.id };
  for (const name of ['viewer', 'viewer-captcha@example.com']) {
    for (let i = 0; i < 3; i++) await log(auth, name, 'wrong');
    expect(await needed(auth, name)).toBe(true);
    await auth.service.as(actor)(unlockUsers, { body: { ids: [row!.id] } });
    expect(await needed(auth, name)).toBe(false);
  }
});

test('a captcha is required after three failures and in captcha mode, for any name [AUTH-02/server]', async () => {
  for (const name of ['admin', 'nobody-captcha']) {
    expect(await needed(auth, name)).toBe(false);
    for (let i = 0; i < 3; i++)
      expect((await log(auth, name, 'wrong')).body['error'], `${name} ${i}`).toBe('auth.wrongCredentials');
    expect(await needed(auth, name)).toBe(true);
    for (const answer of [{}, { key: 'x' }, { key: '', code: '' }, { code: 'ABCDE' }])
      expect((await log(auth, name, password, answer)).body, JSON.stringify(answer)).toMatchObject({
        code: 400,
        error: 'auth.captchaRequired',
        error_description: 'The verification code is required.',
      });
    expect((await log(auth, name, password, { key: (await picture(auth)).key, code: '00000' })).body).toMatchObject({
      code: 400,
      error: 'auth.captchaWrong',
      error_description: 'The verification code is wrong.',
    });
  }
  expect((await log(auth, 'admin', password, await picture(auth))).status).toBe(200);
  expect(await needed(auth, 'admin')).toBe(false);

  expect(await needed(always, '')).toBe(true);
  expect((await log(always, 'admin', password)).body['error']).toBe('auth.captchaRequired');
  expect((await log(always, 'admin', password, await picture(always))).status).toBe(200);
  const lower = await picture(always);
  expect((await log(always, 'admin', password, { ...lower, code: lower.code.toLowerCase() }, 'fields')).status).toBe(
    200,
  );
  for (const name of ['key', 'randomStr']) {
    const key = `chosen-by-the-client-${name}`;
    const image = await get(always, `/api/code?${name}=${key}`);
    expect([image.statusCode, image.headers['content-type'], image.headers['cache-control']]).toEqual([
      200,
      'image/svg+xml',
      'no-store',
    ]);
    expect((await log(always, 'admin', password, { key, code: readPicture(image.body) })).status).toBe(200);
  }
  const work = (await data(always, '/api/f/auth/oauth/captcha/work')) as {
    key: string;
    challenge: string;
    rounds: number;
    bits: number;
  };
  const done = doWork(work);
  expect(
    (await log(always, 'admin', password, { key: work.key, code: done.replace(/\d+$/, (n) => String(Number(n) + 1)) }))
      .body['error'],
  ).toBe('auth.captchaWrong');
  const again = (await data(always, '/api/f/auth/oauth/captcha/work')) as typeof work;
  expect((await log(always, 'admin', password, { key: again.key, code: doWork(again) })).status).toBe(200);
});

test('an answer counts once, and for its own key', async () => {
  const [one, two] = [await picture(always), await picture(always)];
  expect((await log(always, 'admin', password, { key: one.key, code: two.code })).body['error']).toBe(
    'auth.captchaWrong',
  );
  expect((await log(always, 'admin', password, one)).body['error']).toBe('auth.captchaWrong');
  expect((await log(always, 'admin', password, two)).status).toBe(200);
  expect((await log(always, 'admin', password, two)).body['error']).toBe('auth.captchaWrong');
});

test('the fifth failure still locks the account when captchas are answered', async () => {
  const locking = await startAuth({ captchaAfterFailures: 3 });
  const errors: unknown[] = [];
  for (let i = 0; i < 5; i++)
    errors.push((await log(locking, 'viewer', 'wrong', i < 3 ? {} : await picture(locking))).body['error']);
  expect(errors).toEqual([...Array<string>(4).fill('auth.wrongCredentials'), 'auth.accountLocked']);
  expect((await log(locking, 'viewer', password, await picture(locking))).body['error']).toBe('auth.accountLocked');
  await locking.close();
});
