import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  authAccess,
  authSession,
  clearCache,
  endSessions,
  gatewayActivity,
  listSessions,
  lockSession,
  logout,
  logoutWithLogs,
  unlockSession,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord } from '@carillon/messaging';
import { cookieNames, verifyAccessToken } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { CleanUp } from './clean-up.service.ts';
import { md5, password, startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
const ended: string[] = [];
/** Every published session event, as `type session`. */
const published: string[] = [];
beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({
    topics: [authSession.name],
    from: 'start',
    handle: ({ records }) => {
      const messages = records.map((r) => fromRecord(authSession, r)!);
      published.push(...messages.map((m) => `${m.type} ${m.key}`));
      ended.push(...messages.filter((m) => m.type === 'ended').map((m) => m.key));
    },
  });
});
afterAll(() => auth.close());

const refresh = (refreshToken: string) =>
  auth.token({ grant_type: 'refresh_token', scope: 'all', refresh_token: refreshToken });
const sessionOf = (accessToken: string): string => verifyAccessToken(accessToken, auth.tokenKey)!.sessionId;
const failed = { status: 400, body: expect.objectContaining({ error: 'auth.logonFailure' }) };

/** Runs `fn` with a clock that it can set to an offset from now. */
async function atTimes(fn: (to: (ms: number) => void) => Promise<void>): Promise<void> {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  try {
    await fn((ms) => {
      vi.setSystemTime(start + ms);
    });
  } finally {
    vi.useRealTimers();
  }
}

test('a refresh returns a new pair for the same session, by parameter or cookie [AUTH-03/refresh]', async () => {
  const { body } = await auth.login('admin');
  const second = await refresh(body['refresh_token']);
  expect(second.status).toBe(200);
  expect(second.body).toMatchObject({ username: 'admin', companyId: auth.companyId, expires_in: 3_000 });
  expect(second.body['refresh_token']).not.toBe(body['refresh_token']);
  expect(sessionOf(second.body['access_token'])).toBe(sessionOf(body['access_token']));
  const cookie = `${cookieNames(auth.tokenKey, false).refresh}=${second.body['refresh_token']}`;
  expect((await auth.token({ grant_type: 'refresh_token' }, { headers: { cookie } })).status).toBe(200);
});

test('of 50 parallel uses of one refresh token exactly one wins, and the session lives on [AUTH-07/race]', async () => {
  const { body } = await auth.login('admin');
  const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(body['refresh_token'])));
  const won = answers.filter((a) => a.status === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter((a) => a.body['error'] === 'auth.logonFailure')).toHaveLength(49);
  expect((await refresh(won[0]!.body['refresh_token'])).status).toBe(200);
});

test('a refresh token used again later ends the whole family, everywhere [AUTH-07]', async () => {
  const { body } = await auth.login('admin');
  const second = await refresh(body['refresh_token']);
  await atTimes(async (to) => {
    // Two tabs may refresh at once, so that an early reuse only fails.
    to(9_000);
    expect(await refresh(body['refresh_token'])).toMatchObject(failed);
    const third = await refresh(second.body['refresh_token']);
    expect(third.status).toBe(200);
    to(11_000);
    expect(await refresh(body['refresh_token'])).toMatchObject(failed);
    expect(await refresh(third.body['refresh_token'])).toMatchObject(failed);
  });
  await eventually(() => {
    expect(ended).toContain(sessionOf(body['access_token']));
  });
});

test('an unknown, an altered, an expired and an access token refresh nothing', async () => {
  const { body } = await auth.login('admin');
  for (const token of [randomBytes(32).toString('base64url'), `${body['refresh_token']}x`, body['access_token'], ''])
    expect(await refresh(token)).toMatchObject(failed);
  await atTimes(async (to) => {
    const sessionId = sessionOf(body['access_token']);
    to(86_401_000);
    await auth.sql(`update session set last_active_at = $1 where id = $2`, [new Date(), sessionId]);
    expect(await refresh(body['refresh_token'])).toMatchObject(failed);
  });
});

test('a user who is disabled refreshes nothing any more', async () => {
  const { body } = await auth.login('viewer');
  await auth.sql(`update user_account set status = 'disabled' where username = 'viewer'`);
  expect(await refresh(body['refresh_token'])).toMatchObject(failed);
  await auth.sql(`update user_account set status = 'normal' where username = 'viewer'`);
});

test('a session that only refreshes ends after 30 minutes, and one that is used goes on [AUTH-08/refresh]', async () => {
  const [idle, used] = [await auth.login('admin'), await auth.login('admin')];
  await atTimes(async (to) => {
    const pair = [idle.body['refresh_token'], used.body['refresh_token']];
    to(20 * 60_000);
    for (const i of [0, 1]) pair[i] = (await refresh(pair[i])).body['refresh_token'];
    const sessionId = sessionOf(used.body['access_token']);
    await auth.bus.publish([
      toRecord(
        gatewayActivity,
        sessionId,
        { sessionId, at: Date.now() },
        envelope('active', { companyId: auth.companyId }),
      ),
    ]);
    await eventually(async () => {
      expect(
        await auth.sql('select 1 as one from session where id = $1 and last_active_at > created_at', [sessionId]),
      ).toHaveLength(1);
    });
    to(31 * 60_000 + 1_000);
    expect(await refresh(pair[0])).toMatchObject(failed);
    const again = await refresh(pair[1]);
    expect(again.status).toBe(200);
    expect(verifyAccessToken(again.body['access_token'], auth.tokenKey)!.activeAt).toBeLessThan(
      Date.now() - 11 * 60_000,
    );
  });
  await eventually(() => {
    expect(ended).toContain(sessionOf(idle.body['access_token']));
  });
});

test('both logouts end the session, take the cookies back and are told to the gateways [AUTH-15/logout]', async () => {
  for (const route of [logout, logoutWithLogs]) {
    const { body } = await auth.login('admin');
    const sessionId = sessionOf(body['access_token']);
    const actor = { companyId: auth.companyId, orgId: auth.orgId, userId: body['userId'] as string, sessionId };
    expect(await auth.service.as(actor)(route as typeof logout)).toBeNull();
    await eventually(() => {
      expect(ended).toContain(sessionId);
    });
    expect(await refresh(body['refresh_token'])).toMatchObject(failed);
  }
});

describe('a locked session', () => {
  const locked = async () => {
    const { body } = await auth.login('admin');
    const actor = {
      companyId: auth.companyId,
      orgId: auth.orgId,
      userId: body['userId'] as string,
      sessionId: sessionOf(body['access_token']),
    };
    const call = auth.service.as(actor);
    await call(lockSession, { body: { password: 'kürz' } });
    return {
      actor,
      call,
      body,
      unlock: (password: string) =>
        call(unlockSession, { body: { password } }).then(
          () => 200,
          (e: { error: string }) => e.error,
        ),
    };
  };

  test('reaches the gateways, is opened by its own password only, and can be set again [AUTH-09/server]', async () => {
    const { call, actor, unlock } = await locked();
    await eventually(() => {
      expect(published).toContain(`locked ${actor.sessionId}`);
    });
    expect(await unlock('kurz')).toBe('auth.lockPasswordWrong');
    expect(await unlock(password)).toBe('auth.lockPasswordWrong');
    expect(await unlock('kürz')).toBe(200);
    await eventually(() => {
      expect(published).toContain(`unlocked ${actor.sessionId}`);
    });
    expect(await unlock('anything')).toBe(200);
    await call(lockSession, { body: { password: 'b' } });
    for (let i = 0; i < 4; i++) expect(await unlock('x')).toBe('auth.lockPasswordWrong');
    expect(await unlock('b')).toBe(200);
  });

  test('ends with the fifth wrong password, also for parallel attempts [AUTH-09/tries]', async () => {
    const { actor, body, unlock } = await locked();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => unlock(`wrong ${i}`)));
    expect(answers.filter((a) => a === 'auth.lockPasswordWrong').length).toBeLessThanOrEqual(4);
    expect(answers.filter((a) => a === 'common.tokenInvalid').length).toBeGreaterThanOrEqual(16);
    await eventually(() => {
      expect(ended).toContain(actor.sessionId);
    });
    expect(await unlock('kürz')).toBe('common.tokenInvalid');
    expect(await refresh(body['refresh_token'])).toMatchObject(failed);
  });

  test('needs a lock password, and stores it only as a slow hash', async () => {
    const { actor } = await locked();
    for (const payload of [{}, { password: '' }, { password: null }]) {
      expect(
        (await auth.service.raw(actor, { method: 'POST', url: '/api/f/auth/session/lock', payload })).body,
      ).toMatchObject({ code: 400, error: 'auth.lockPasswordEmpty' });
    }
    expect(await auth.sql('select lock_hash from session where id = $1', [actor.sessionId])).toEqual([
      { lock_hash: expect.stringMatching(/^\$argon2id\$/) },
    ]);
  });
});

test("a user sees their sessions and can end one or all others, but no other user's [AUTH-18/sessions]", async () => {
  await auth.sql('update session set ended_at = now() where ended_at is null');
  const agents = [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'curl/8.5.0',
  ];
  const logins = [];
  for (const [i, agent] of agents.entries())
    logins.push(
      await auth.token(
        { grant_type: 'captcha', username: 'admin', password: md5(password) },
        { headers: { 'user-agent': agent, 'carillon-address': `10.2.0.${i}` } },
      ),
    );
  const viewer = await auth.login('viewer');
  const ids = logins.map((l) => sessionOf(l.body['access_token']));
  const actor = {
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: logins[0]!.body['userId'] as string,
    sessionId: ids[0]!,
  };
  const call = auth.service.as(actor);
  const list = await call(listSessions);
  expect(list.map((s) => [s.id, s.current, s.browser, s.system, s.address])).toEqual([
    [ids[2], false, expect.stringMatching(/^curl/), null, '10.2.0.2'],
    [ids[1], false, 'Safari 18', 'iOS', '10.2.0.1'],
    [ids[0], true, 'Chrome 142', 'Windows', '10.2.0.0'],
  ]);
  expect(Date.parse(list[0]!.lastSeenAt)).toBeGreaterThan(Date.now() - 60_000);
  await expect(call(endSessions, { body: { ids: [sessionOf(viewer.body['access_token'])] } })).rejects.toMatchObject({
    code: 404,
  });
  expect(await call(endSessions, { body: { ids: [ids[1]!] } })).toEqual({ ended: 1 });
  expect((await call(listSessions)).map((s) => s.id)).toEqual([ids[2], ids[0]]);
  await auth.login('admin');
  expect(await call(endSessions, { body: { others: true } })).toEqual({ ended: 2 });
  expect((await call(listSessions)).map((s) => s.id)).toEqual([ids[0]]);
  await eventually(() => {
    expect(ended).toEqual(expect.arrayContaining([ids[1], ids[2]]));
  });
  expect(await refresh(logins[1]!.body['refresh_token'])).toMatchObject(failed);
  expect((await refresh(viewer.body['refresh_token'])).status).toBe(200);
});

test("clearing the cache makes the gateways read the user's rights again [AUTH-15/clear-cache]", async () => {
  const { body } = await auth.login('viewer');
  const versions: (number | undefined)[] = [];
  const feed = await auth.bus.fanout({
    topics: [authAccess.name],
    from: 'end',
    handle: ({ records }) => {
      versions.push(...records.filter((r) => r.key === body['userId']).map((r) => fromRecord(authAccess, r)!.version));
    },
  });
  await auth.service.as({
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: body['userId'],
    sessionId: sessionOf(body['access_token']),
  })(clearCache);
  await eventually(() => {
    expect(versions).toHaveLength(1);
  });
  await feed.close();
});

test('a token pair lasts 3000 s and rotates, and using a token twice ends its family [AUTH-07]', async () => {
  for (const encrypted of [false, true]) {
    const headers: Record<string, string> = encrypted ? { 'x-forwarded-proto': 'https' } : {};
    const names = cookieNames(auth.tokenKey, encrypted);
    const first = await auth.token({ grant_type: 'captcha', username: 'admin', password: md5(password) }, { headers });
    for (const [name, seconds, value] of [
      [names.access, 3_000, first.body['access_token']],
      [names.refresh, 86_400, first.body['refresh_token']],
    ] as const) {
      expect(first.cookies).toContain(
        `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${encrypted ? '; Secure' : ''}`,
      );
    }
    expect(names.access.startsWith('__Host-')).toBe(encrypted);
    const now = Date.now();
    expect(verifyAccessToken(first.body['access_token'], auth.tokenKey, now + 2_990_000)).toBeDefined();
    expect(verifyAccessToken(first.body['access_token'], auth.tokenKey, now + 3_001_000)).toBeUndefined();
    // The cookie alone is enough for a refresh, and the new one replaces it.
    const second = await auth.token(
      { grant_type: 'refresh_token', scope: 'all' },
      { headers: { ...headers, cookie: `${names.refresh}=${first.body['refresh_token']}` } },
    );
    expect(second.body['refresh_token']).not.toBe(first.body['refresh_token']);
    expect(second.cookies.some((c) => c.startsWith(`${names.refresh}=${second.body['refresh_token']};`))).toBe(true);
    const sessionId = sessionOf(second.body['access_token']);
    expect(sessionId).toBe(sessionOf(first.body['access_token']));
    await atTimes(async (to) => {
      to(11_000);
      expect(await refresh(first.body['refresh_token'])).toMatchObject(failed);
      expect(await refresh(second.body['refresh_token'])).toMatchObject(failed);
    });
    await eventually(() => {
      expect(published).toContain(`ended ${sessionId}`);
    });
  }
});

test('cleans up sessions that no token can name any more', async () => {
  await auth.login('admin');
  await atTimes(async (to) => {
    to(8 * 86_400_000);
    await auth.service.app.get(CleanUp, { strict: false }).forget();
  });
  expect(await auth.sql('select id from session')).toEqual([]);
  expect(await auth.sql('select id from refresh_token')).toEqual([]);
});

test('a user has a limit of sessions: a further login ends the one that was idle longest', async () => {
  const few = await startAuth({ sessionsPerUser: 3 });
  try {
    const again = async (token: unknown) =>
      (await few.token({ grant_type: 'refresh_token', scope: 'all', refresh_token: token as string })).status;
    const tokens = [];
    for (let n = 0; n < 3; n++) tokens.push((await few.login('admin')).body['refresh_token']);
    expect(await again((await few.login('admin')).body['refresh_token'])).toBe(200);
    expect([await again(tokens[0]), await again(tokens[1]), await again(tokens[2])]).toEqual([400, 200, 200]);
  } finally {
    await few.close();
  }
});
