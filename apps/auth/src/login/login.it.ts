import { argon2Sync, createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { audit, languages } from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { verifyAccessToken } from '@carillon/tenancy';
import { doWork, eventually, rawRequest } from '@carillon/testing';
import { CONFIG, readConfig } from '@carillon/service';
import { authConfig } from '../config.ts';
import { client, md5, password, startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.close());

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const wrong = { status: 400, error: 'auth.wrongCredentials' };
const of = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({ status, error: body['error'] });

describe('the token call', () => {
  test('answers with the flat fields of the spec for a query, a JSON body and a form [AUTH-03/login]', async () => {
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
      expect(of(await auth.token(fields, { headers: { authorization } })), authorization).toEqual({
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
      expect(of(await auth.token({ ...fields, ...change })), JSON.stringify(change)).toEqual({
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
      expect(of(await auth.token({ grant_type: 'captcha', username: 'nobody-5', password: given })).status).toBe(400);
  });
});

describe('a refused login', () => {
  test('reads the same for an unknown account and a wrong password [AUTH-06/same]', async () => {
    const [unknown, known] = [await auth.login('nobody-1', 'x'), await auth.login('admin', 'x')];
    expect([of(unknown), of(known)]).toEqual([wrong, wrong]);
    const plain = ({ requestId: _, ...body }: Record<string, unknown>) => body;
    expect(plain(unknown.body)).toEqual(plain(known.body));
    await auth.login('admin');
  });

  test('an unknown account and a wrong password take the same work [AUTH-06]', async () => {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let i = 0; i < 12; i += 1) {
      for (const [kind, name] of [
        ['known', 'viewer'],
        ['unknown', `nobody-time-${i}`],
      ] as const) {
        // Measures CPU time: wall-clock time depends on what else runs on the machine.
        const from = process.cpuUsage();
        await auth.login(name, 'x');
        const { user, system } = process.cpuUsage(from);
        times[kind].push((user + system) / 1_000);
      }
      // A correct password resets the count, so that no lock interrupts the comparison.
      await auth.login('viewer');
    }
    const [known, unknown] = [median(times.known), median(times.unknown)];
    expect(Math.abs(known - unknown) / Math.max(known, unknown), `${known} ${unknown}`).toBeLessThan(0.25);
  });

  test('tells the state of the account only to who knows the password [AUTH-06/state]', async () => {
    for (const [status, error] of [
      ['inactive', 'auth.notActivated'],
      ['disabled', 'auth.disabled'],
      ['locked', 'auth.accountLocked'],
    ] as const) {
      await auth.sql(`update user_account set status = $1 where username = 'viewer'`, [status]);
      expect(of(await auth.login('viewer', 'x'))).toEqual(wrong);
      expect(of(await auth.login('viewer'))).toEqual({ status: 400, error });
    }
    await auth.sql(`update user_account set status = 'normal' where username = 'viewer'`);
    expect((await auth.login('viewer')).status).toBe(200);
  });

  test('is in the operation log with the address and without the password, like a login [SYS-04/login]', async () => {
    const entries: { value: string; company: string | null }[] = [];
    const feed = await auth.bus.fanout({
      topics: [audit.name],
      from: 'end',
      handle: ({ records }) => {
        entries.push(
          ...records
            .filter((r) => r.value!.includes('10.9.8.7'))
            .map((r) => ({ value: r.value!, company: fromRecord(audit, r)!.companyId })),
        );
      },
    });
    await auth.login('viewer', 'x', '10.9.8.7');
    await auth.login('viewer', password, '10.9.8.7');
    await eventually(() => {
      expect(entries).toHaveLength(2);
    });
    await feed.close();
    expect(entries.map((e) => [e.company, (JSON.parse(e.value) as { result: string }).result])).toEqual([
      [auth.companyId, 'auth.wrongCredentials'],
      [auth.companyId, 'success'],
    ]);
    expect(JSON.parse(entries[0]!.value)).toMatchObject({
      action: 'session.login',
      username: 'viewer',
      objectName: 'viewer',
      address: '10.9.8.7',
    });
    for (const secret of [md5('x'), md5(password), password])
      expect(entries.some((e) => e.value.includes(secret))).toBe(false);
  });
});

test('each reason of a refused login has its own message in each language [AUTH-06]', async () => {
  const all = await startAuth({ captchaMode: 'on' });
  try {
    const told = new Map<string, string[]>();
    const refused = async (
      expected: string,
      fields: Record<string, string>,
      {
        headers = {},
        asked = languages,
      }: { headers?: Record<string, string>; asked?: readonly (typeof languages)[number][] } = {},
    ): Promise<Record<string, any>> => {
      const texts: string[] = [];
      let body: Record<string, any> = {};
      for (const language of asked) {
        const answer = await all.token(
          { scope: 'all', ...fields },
          {
            headers: {
              ...(fields['key'] === undefined && fields['username'] ? await solved() : {}),
              'carillon-language': language,
              ...headers,
            },
          },
        );
        expect([answer.status, answer.body['error'], answer.cookies], `${expected} ${language}`).toEqual([
          400,
          expected,
          [],
        ]);
        body = answer.body;
        texts.push(answer.body['error_description']);
        await all.sql('delete from login_failure');
      }
      if (asked === languages) told.set(expected, texts);
      return body;
    };
    const solved = async (): Promise<Record<string, string>> => {
      const work = (
        await all.service.app.getHttpAdapter().getInstance().inject({ url: '/api/f/auth/oauth/captcha/work' })
      ).json<{ data: { key: string; challenge: string; rounds: number; bits: number } }>().data;
      return { 'captcha-key': work.key, 'captcha-code': doWork(work) };
    };
    const right = { grant_type: 'captcha', username: 'viewer', password: md5(password) };
    await refused('auth.captchaRequired', right, { headers: { 'captcha-key': '', 'captcha-code': '' } });
    await refused('auth.captchaWrong', right, { headers: { 'captcha-key': 'unknown', 'captcha-code': 'ABCDE' } });
    await refused('auth.wrongCredentials', { ...right, username: 'nobody' });
    const unknown = told.get('auth.wrongCredentials');
    await refused('auth.wrongCredentials', { ...right, password: md5('x') });
    expect(told.get('auth.wrongCredentials')).toEqual(unknown);
    for (const [status, error] of [
      ['inactive', 'auth.notActivated'],
      ['disabled', 'auth.disabled'],
      ['locked', 'auth.accountLocked'],
    ] as const) {
      await all.sql(`update user_account set status = $1 where username = 'viewer'`, [status]);
      await refused('auth.wrongCredentials', { ...right, password: md5('x') }, { asked: ['en_US'] });
      await refused(error, right);
    }
    await all.sql(`update user_account set status = 'normal' where username = 'viewer'`);
    for (const [status, error] of [
      ['inactive', 'auth.channelNotActive'],
      ['locked', 'auth.channelLocked'],
      ['disabled', 'auth.channelDeactivated'],
      ['deactivated', 'auth.channelDeactivated'],
    ] as const) {
      await all.sql(
        `
          insert into company_copy (id, company_id, name, status, version)
          values ($1, $1, 'Bells', $2, 1)
          on conflict (id) do update set status = excluded.status
        `,
        [all.companyId, status],
      );
      await refused('auth.wrongCredentials', { ...right, password: md5('x') }, { asked: ['en_US'] });
      await refused(error, right);
    }
    await all.sql(`update company_copy set status = 'normal'`);
    await all.sql(`insert into company_login (id, company_id, two_step, updated_at) values ($1, $1, true, now())`, [
      all.companyId,
    ]);
    await refused('auth.twoStepImpossible', right);
    await all.sql(`update user_account set email = 'viewer@example.com' where username = 'viewer'`);
    const { key } = await refused('auth.twoStepRequired', right);
    await refused('auth.codeRequired', { grant_type: 'captcha', key, code: '' });
    await refused('auth.codeWrong', { grant_type: 'captcha', key, code: '1' });
    await refused('auth.codeExpired', { grant_type: 'captcha', key: 'two-step.unknown', code: '1' });
    await refused('auth.logonFailure', { grant_type: 'refresh_token', refresh_token: 'unknown' });
    for (const language of languages.keys())
      expect(new Set([...told.values()].map((texts) => texts[language])).size).toBe(told.size);
    // The exact texts of section 8, in the order of `languages`.
    expect(Object.fromEntries([...told].map(([error, texts]) => [error, texts[languages.indexOf('en_US')]]))).toEqual({
      'auth.captchaRequired': 'The verification code is required.',
      'auth.captchaWrong': 'The verification code is wrong.',
      'auth.wrongCredentials': 'Wrong username or password.',
      'auth.notActivated': 'The user has not been activated.',
      'auth.disabled': 'The user is disabled.',
      'auth.accountLocked': 'The account is locked for 30 minutes. Try again later.',
      'auth.channelNotActive': 'The channel has not been activated.',
      'auth.channelLocked': 'The channel is locked.',
      'auth.channelDeactivated': 'The channel has been deactivated.',
      'auth.twoStepImpossible': expect.stringContaining('email'),
      'auth.twoStepRequired': expect.stringMatching(/two-step|second step/i),
      'auth.codeRequired': expect.stringMatching(/code/),
      'auth.codeWrong': expect.stringMatching(/code.*wrong/i),
      'auth.codeExpired': expect.stringMatching(/code.*(wrong|error|timed out|expired)/i),
      'auth.logonFailure': 'Sign-in failed. Sign in again.',
    });
    for (const [language, words] of [
      ['zh_CN', { disabled: '用户已被禁用。', wrongCredentials: '用户名或密码错误。', channelLocked: '渠道已锁定。' }],
      [
        'ko',
        {
          disabled: '사용이 중지된 사용자입니다.',
          wrongCredentials: '사용자 이름 또는 비밀번호가 올바르지 않습니다.',
          channelLocked: '채널이 잠겨 있습니다.',
        },
      ],
      [
        'pt_BR',
        {
          disabled: 'O usuário está desativado.',
          wrongCredentials: 'Nome de usuário ou senha incorretos.',
          channelLocked: 'O canal está bloqueado.',
        },
      ],
    ] as const)
      for (const [error, text] of Object.entries(words))
        expect(told.get(`auth.${error}`)![languages.indexOf(language)]).toBe(text);
  } finally {
    await all.close();
  }
}, 120_000);

describe('the lock', () => {
  test('comes with the fifth failure in 15 minutes, for known and unknown names, and passes after 30 minutes [AUTH-05]', async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    try {
      for (const name of ['admin', 'nobody-lock']) {
        vi.setSystemTime(start);
        const answers = [];
        for (let i = 0; i < 6; i += 1) answers.push((await auth.login(name, 'x')).body['error_description']);
        const lockedText = 'The account is locked for 30 minutes. Try again later.';
        expect(answers, name).toEqual([
          ...Array<string>(4).fill('Wrong username or password.'),
          lockedText,
          lockedText,
        ]);
        expect((await auth.login(name)).body['error'], name).toBe('auth.accountLocked');
        vi.setSystemTime(start + 1_799_000);
        expect((await auth.login(name)).body['error'], name).toBe('auth.accountLocked');
        vi.setSystemTime(start + 1_801_000);
        expect((await auth.login(name)).body['error'], name).toBe(
          name === 'admin' ? undefined : 'auth.wrongCredentials',
        );
      }
    } finally {
      vi.useRealTimers();
    }
    // A client that ignores the captcha after three failures, or guesses it, reaches the lock as well.
    const asking = await startAuth({ captchaAfterFailures: 3 });
    try {
      for (const name of ['viewer', 'nobody-captcha'])
        for (const [headers, error] of [
          [{}, 'auth.captchaRequired'],
          [{ 'captcha-key': 'unknown', 'captcha-code': '' }, 'auth.captchaRequired'],
          [{ 'captcha-key': 'unknown', 'captcha-code': 'ABCDE' }, 'auth.captchaWrong'],
        ] as [Record<string, string>, string][]) {
          const answers = [];
          for (let i = 0; i < 6; i += 1)
            answers.push(
              (
                await asking.token(
                  { grant_type: 'captcha', scope: 'all', username: name, password: md5('x') },
                  { headers },
                )
              ).body['error'],
            );
          expect(answers, `${name} ${JSON.stringify(headers)}`).toEqual([
            ...Array<string>(3).fill('auth.wrongCredentials'),
            error,
            'auth.accountLocked',
            'auth.accountLocked',
          ]);
          expect((await asking.login(name)).body['error'], name).toBe('auth.accountLocked');
          await asking.sql('delete from login_failure');
          await asking.sql(`update user_account set status = 'normal' where username = 'viewer'`);
        }
    } finally {
      await asking.close();
    }
  });

  test('counts the failures of the last 15 minutes, and a success resets them [AUTH-05]', async () => {
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    try {
      for (const minutes of [0, 4, 8, 12, 16, 20]) {
        vi.setSystemTime(start + minutes * 60_000);
        expect((await auth.login('nobody-slow', 'x')).body['error']).toBe('auth.wrongCredentials');
      }
      // Five within 15 minutes, however slow.
      for (const [i, seconds] of [0, 300, 600, 890, 899].entries()) {
        vi.setSystemTime(start + seconds * 1_000);
        expect((await auth.login('nobody-patient', 'x')).body['error'], `${seconds} s`).toBe(
          i === 4 ? 'auth.accountLocked' : 'auth.wrongCredentials',
        );
      }
    } finally {
      vi.useRealTimers();
    }
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 4; i += 1) await auth.login('viewer', 'x');
      expect((await auth.login('viewer')).status).toBe(200);
    }
  });

  test('cannot be avoided by parallel attempts: of 20 wrong ones at most four get the usual error', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => auth.login('nobody-parallel', 'x')));
    expect(answers.filter((a) => a.body['error'] === 'auth.wrongCredentials').length).toBeLessThanOrEqual(4);
    expect(answers.every((a) => a.status === 400)).toBe(true);
  });

  test('also stops attempts in progress: a right password sent behind 30 wrong ones is refused', async () => {
    const wrongOnes = Array.from({ length: 30 }, () => auth.login('viewer', 'x'));
    const right = await auth.login('viewer');
    expect(of(right)).toEqual({ status: 400, error: 'auth.accountLocked' });
    await Promise.all(wrongOnes);
    expect((await auth.login('viewer')).body['error']).toBe('auth.accountLocked');
    await auth.sql('delete from login_failure');
  });

  test('is shared by the user name and the email of an account', async () => {
    await auth.sql(`update user_account set email = 'viewer@example.com' where username = 'viewer'`);
    for (let i = 0; i < 4; i += 1) await auth.login(i % 2 ? 'viewer' : 'Viewer@Example.com', 'x');
    expect((await auth.login('viewer@example.com')).status).toBe(200);
    for (let i = 0; i < 5; i += 1) await auth.login(i % 2 ? 'viewer' : 'viewer@example.com', 'x');
    expect((await auth.login('viewer')).body['error']).toBe('auth.accountLocked');
    await auth.sql('delete from login_failure');
  });
});

test('twenty failures in a minute from one address close it for a while, however many accounts it tries', async () => {
  const strict = await startAuth({ addressFailuresPerMinute: 20 });
  try {
    for (let i = 0; i < 20; i += 1) expect((await strict.login(`nobody-${i}`, 'x', '10.1.1.1')).status).toBe(400);
    const refused = await strict.login('admin', password, '10.1.1.1');
    expect([refused.status, refused.body['error']]).toEqual([429, 'common.tooMany']);
    expect((await strict.login('admin', password, '10.1.1.2')).status).toBe(200);
    // Also when all are sent at once, before the first one has failed.
    const names = Array.from({ length: 40 }, (_, i) => strict.login(`nobody-at-once-${i}`, 'x', '10.1.1.3'));
    expect((await strict.login('viewer', password, '10.1.1.3')).status).toBe(429);
    expect((await Promise.all(names)).filter((a) => a.status === 400).length).toBeLessThanOrEqual(22);
  } finally {
    await strict.close();
  }
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
