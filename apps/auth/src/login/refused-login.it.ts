import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { audit, languages } from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { doWork, eventually } from '@carillon/testing';
import { md5, password, startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.close());

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const wrong = { status: 400, error: 'auth.wrongCredentials' };
const refusalOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => ({
  status,
  error: body['error'],
});

describe('a refused login', () => {
  test('reads the same for an unknown account and a wrong password [AUTH-06/same]', async () => {
    const [unknown, known] = [await auth.login('nobody-1', 'x'), await auth.login('admin', 'x')];
    expect([refusalOf(unknown), refusalOf(known)]).toEqual([wrong, wrong]);
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
      expect(refusalOf(await auth.login('viewer', 'x'))).toEqual(wrong);
      expect(refusalOf(await auth.login('viewer'))).toEqual({ status: 400, error });
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

/** Checks that each error has its own text in each language. */
function expectTexts(answer: ReadonlyMap<string, readonly string[]>): void {
  for (const language of languages.keys())
    expect(new Set([...answer.values()].map((texts) => texts[language])).size).toBe(answer.size);
  // The exact texts of section 8, in the order of `languages`.
  expect(Object.fromEntries([...answer].map(([error, texts]) => [error, texts[languages.indexOf('en_US')]]))).toEqual({
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
      expect(answer.get(`auth.${error}`)![languages.indexOf(language)]).toBe(text);
}

test('each reason of a refused login has its own message in each language [AUTH-06]', async () => {
  const all = await startAuth({ captchaMode: 'on' });
  try {
    const published = new Map<string, string[]>();
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
      if (asked === languages) published.set(expected, texts);
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
    const unknown = published.get('auth.wrongCredentials');
    await refused('auth.wrongCredentials', { ...right, password: md5('x') });
    expect(published.get('auth.wrongCredentials')).toEqual(unknown);
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
    expectTexts(published);
  } finally {
    await all.close();
  }
}, 120_000);

describe('the lock', () => {
  test('comes with the fifth failure in 15 minutes, for any name, and passes after 30 minutes [AUTH-05]', async () => {
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
    expect(refusalOf(right)).toEqual({ status: 400, error: 'auth.accountLocked' });
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
