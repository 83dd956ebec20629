import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { authAccess, authSession, fillPath, gatewayActivity } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { envelope, toHeaders } from '@carillon/messaging';
import { cookieNames, createAccessToken } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { startGateway, type GatewayUnderTest, type Person } from '../gateway-test.ts';

let gateway: GatewayUnderTest;
let person: Person;
const path = '/api/f/device/device/list';

beforeAll(async () => {
  gateway = await startGateway({ idleSeconds: 1_800 });
  person = await gateway.person();
});
afterAll(() => gateway.close());
beforeEach(() => {
  gateway.received.length = 0;
});

const status = async (headers: Record<string, string | string[]>): Promise<number> =>
  (await gateway.request(path, { headers })).status;

test('accepts the token in each of three headers, alone or all together [AUTH-04/headers]', async () => {
  const { token } = person;
  expect(await status({ 'carillon-auth': `bearer ${token}` })).toBe(200);
  expect(await status({ 'carillon-token': token })).toBe(200);
  expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
  expect(
    await status({ authorization: 'Basic d2ViOndlYg==', 'carillon-auth': `bearer ${token}`, 'carillon-token': token }),
  ).toBe(200);
});

test('refuses differing, missing and broken tokens with 401 before any service [AUTH-04/refused]', async () => {
  const other = await gateway.person();
  const refused: Record<string, string | string[]>[] = [
    {},
    { 'carillon-token': other.token, 'carillon-auth': `bearer ${person.token}` },
    { 'carillon-token': person.token, authorization: `Bearer ${other.token}` },
    { 'carillon-token': 'x' },
    { 'carillon-token': `${person.token}x` },
    { 'carillon-auth': `bearer ${person.token} ${other.token}` },
    { authorization: 'Bearer' },
    { authorization: 'Basic d2ViOndlYg==' },
    { 'carillon-token': [person.token, other.token] },
    { 'carillon-token': person.token, 'carillon-auth': 'bearer' },
  ];
  gateway.received.length = 0;
  for (const headers of refused) {
    const answer = await gateway.request(path, { headers });
    expect([answer.status, answer.json.error, answer.json.code], JSON.stringify(headers).slice(0, 80)).toEqual([
      401,
      'common.tokenInvalid',
      401,
    ]);
  }
  expect(gateway.received).toEqual([]);
});

test('a token of another key, an expired one, one of a stranger and one of another company are 401', async () => {
  const now = Date.now();
  const plain = {
    userId: person.view.userId,
    companyId: person.view.companyId,
    sessionId: randomUUID(),
    issuedAt: now,
    expiresAt: now + 60_000,
    activeAt: now,
  };
  const made = (change: object, key = gateway.tokenKey): Promise<number> =>
    status({ 'carillon-token': createAccessToken({ ...plain, ...change }, key) });
  expect(await made({})).toBe(200);
  expect(await made({}, randomBytes(32))).toBe(401);
  expect(await made({ issuedAt: now - 10_000, expiresAt: now - 1 })).toBe(401);
  expect(await made({ issuedAt: now + 120_000, expiresAt: now + 180_000 })).toBe(401);
  expect(await made({ userId: randomUUID() })).toBe(401);
  expect(await made({ companyId: randomUUID() })).toBe(401);
});

test('the cookie speaks for a page of our own origin only', async () => {
  const cookie = `x=1; ${cookieNames(gateway.tokenKey, false).access}=${person.token}`;
  const host = `127.0.0.1:${gateway.port}`;
  expect(await status({ cookie, 'sec-fetch-site': 'same-origin' })).toBe(200);
  expect(await status({ cookie, origin: `http://${host}` })).toBe(200);
  expect(await status({ cookie, 'carillon-language': 'en_US' })).toBe(200);
  const foreign: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', 'carillon-language': 'en_US' },
    { origin: `http://${host}.evil.example` },
  ];
  for (const headers of foreign) {
    expect(await status({ cookie, ...headers }), JSON.stringify(headers)).toBe(401);
  }
});

test('passes user, rights, language, zone and organization to the service in a signed context', async () => {
  await gateway.request(path, {
    headers: {
      'carillon-token': person.token,
      'carillon-language': 'pt_BR',
      'carillon-timezone': '12',
      'carillon-org': '1',
    },
  });
  expect(gateway.received[0]!.context).toMatchObject({
    userId: person.view.userId,
    companyId: person.view.companyId,
    username: 'someone',
    orgIds: person.view.orgIds,
    orgId: person.view.defaultOrgId,
    permissions: person.view.permissions,
    language: 'pt_BR',
    timezoneId: 12,
    sessionId: person.sessionId,
    address: '127.0.0.1',
  });
});

test('an organization header narrows to one of the own organizations, and any other is not found', async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  const { token } = await gateway.person({ orgIds: [one, two], defaultOrgId: one });
  gateway.received.length = 0;
  expect(await status({ 'carillon-token': token })).toBe(200);
  expect(await status({ 'carillon-token': token, 'carillon-org': two })).toBe(200);
  expect(gateway.received.map((r) => [r.context!.orgIds, r.context!.orgId])).toEqual([
    [[one, two], one],
    [[two], two],
  ]);
  expect(await status({ 'carillon-token': token, 'carillon-org': randomUUID() })).toBe(404);
  expect(await status({ 'carillon-token': token, 'carillon-org': '*' })).toBe(404);
});

test('a change of rights holds for the next request, and a disabled user is out', async () => {
  const someone = await gateway.person({ permissions: ['device'] });
  await gateway.publishAccess({ ...someone.view, permissions: [] }, 2);
  await status({ 'carillon-token': someone.token });
  expect(gateway.received.at(-1)!.context!.permissions).toEqual([]);
  await gateway.publishAccess({ ...someone.view, tokensValidAfter: Date.now() + 1_000 }, 3);
  expect(await status({ 'carillon-token': someone.token })).toBe(401);
  await gateway.publishAccess({ ...someone.view, status: 'disabled' }, 4);
  expect(await status({ 'carillon-token': someone.token })).toBe(401);
});

test('an ended session is dead, and a locked one gets 423 until it is unlocked', async () => {
  const someone = await gateway.person();
  const becomes = (code: number): Promise<void> =>
    eventually(async () => {
      expect(await status({ 'carillon-token': someone.token })).toBe(code);
    });
  await gateway.publishSession('locked', someone);
  await becomes(423);
  await gateway.publishSession('unlocked', someone);
  await becomes(200);
  await gateway.publishSession('ended', someone);
  await becomes(401);
});

test('a locked session gets 423 for all calls but unlock and the logouts, at once [AUTH-09/gateway]', async () => {
  const someone = await gateway.person();
  const headers = { 'carillon-token': someone.token, 'content-type': 'application/json' };
  const lock = () => gateway.request('/api/f/auth/session/lock', { method: 'POST', headers, body: '{"password":"x"}' });
  const unlock = () =>
    gateway.request('/api/f/auth/session/unlock', { method: 'POST', headers, body: '{"password":"x"}' });
  expect((await lock()).status).toBe(200);
  gateway.received.length = 0;
  const open: string[] = [];
  for (const { name, route } of allRoutes) {
    if (route.permission === 'public' || name.startsWith('logout') || name === 'unlockSession') continue;
    const answer = await gateway.request(
      fillPath(route.path, Object.fromEntries(Object.keys(route.params?.shape ?? {}).map((p) => [p, randomUUID()]))),
      { method: route.method, headers, ...(route.body ? { body: '{}' } : {}) },
    );
    // An answer to HEAD has no body.
    const isSaid = (route.method as string) === 'HEAD' || answer.json.error === 'common.locked';
    if (answer.status !== 423 || !isSaid) open.push(`${name} ${answer.status}`);
  }
  expect(open).toEqual([]);
  expect(gateway.received).toEqual([]);
  expect((await unlock()).status).toBe(200);
  expect(await status({ 'carillon-token': someone.token })).toBe(200);
  await lock();
  gateway.answer((_, response) => {
    response.statusCode = 400;
    response.end('{"code":400}');
  });
  expect((await unlock()).status).toBe(400);
  gateway.answer((_, response) => {
    response.end('{}');
  });
  expect(await status({ 'carillon-token': someone.token })).toBe(423);
  expect((await gateway.request('/api/blade-auth/oauth/logout', { method: 'POST', headers, body: '{}' })).status).toBe(
    200,
  );
  expect(await status({ 'carillon-token': someone.token })).toBe(401);
});

test('the last wrong unlock ends the session at its gateway at once', async () => {
  const someone = await gateway.person();
  const headers = { 'carillon-token': someone.token, 'content-type': 'application/json' };
  const ask = (path: string) => gateway.request(path, { method: 'POST', headers, body: '{"password":"x"}' });
  expect((await ask('/api/f/auth/session/lock')).status).toBe(200);
  gateway.answer((_, response) => {
    response.statusCode = 401;
    response.end('{"code":401}');
  });
  expect((await ask('/api/f/auth/session/unlock')).status).toBe(401);
  gateway.answer((_, response) => {
    response.end('{}');
  });
  expect(await status({ 'carillon-token': someone.token })).toBe(401);
});

test('a user with a one-time password may only change it or log out, and everything at once afterwards', async () => {
  const someone = await gateway.person({ mustChangePassword: true });
  const headers = { 'carillon-token': someone.token };
  const refused = await gateway.request(path, { headers });
  expect([refused.status, refused.json.error]).toEqual([403, 'auth.passwordChangeRequired']);
  expect((await gateway.request('/api/f/mc/user/info', { headers })).status).toBe(200);
  expect(
    (
      await gateway.request('/api/f/auth/password/change', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{}',
      })
    ).status,
  ).toBe(200);
  expect(await status(headers)).toBe(200);
});

test('an unreadable record shuts out only its own user or session', async () => {
  const [shut, ended, well] = [
    await gateway.person(),
    await gateway.person(),
    await gateway.person({ permissions: ['device'] }),
  ];
  const broken = (topic: string, key: string, companyId: string) => ({
    topic,
    key,
    headers: toHeaders(envelope('access', { companyId })),
    value: '{',
  });
  await gateway.bus.publish([
    broken(authAccess.name, shut.view.userId, shut.view.companyId),
    {
      ...broken(authSession.name, ended.sessionId, ended.view.companyId),
      headers: toHeaders(envelope('ended', { companyId: ended.view.companyId })),
    },
  ]);
  await eventually(async () => {
    for (const who of [shut, ended]) expect(await status({ 'carillon-token': who.token })).toBe(401);
  });
  await gateway.publishAccess({ ...well.view, permissions: [] }, 2);
  expect(await status({ 'carillon-token': well.token })).toBe(200);
});

test('after a logout was answered the token is dead at once', async () => {
  const someone = await gateway.person();
  expect(
    (await gateway.request('/api/f/auth/oauth/logout', { headers: { 'carillon-token': someone.token } })).status,
  ).toBe(200);
  expect(await status({ 'carillon-token': someone.token })).toBe(401);
});

test('thirty minutes without activity of a person end a session [AUTH-08/server]', async () => {
  const busy = await gateway.person();
  const polling = await gateway.person();
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  // After a jump of the clock the copy counts as outdated until its next poll.
  const ask = (who: Person, more = {}): Promise<number> =>
    eventually(async () => {
      const code = await status({ 'carillon-token': who.token, ...more });
      expect(code).not.toBe(503);
      return code;
    });
  try {
    vi.setSystemTime(start + 29 * 60_000);
    expect(await ask(busy)).toBe(200);
    expect(await ask(polling, { 'carillon-background': '1' })).toBe(200);
    vi.setSystemTime(start + 30 * 60_000 + 1_000);
    expect(await ask(polling)).toBe(401);
    expect(await ask(busy)).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});

test('another gateway learns of the activity that this one saw', async () => {
  const someone = await gateway.person({}, { activeAt: Date.now() - 29 * 60_000 });
  expect(await status({ 'carillon-token': someone.token })).toBe(200);
  const written: unknown[] = [];
  const feed = await gateway.bus.fanout({
    topics: [gatewayActivity.name],
    from: 'start',
    handle: ({ records }) => {
      written.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
  await eventually(() => {
    expect(written).toContainEqual({ sessionId: someone.sessionId, at: expect.any(Number) });
  });
  for (let i = 0; i < 5; i += 1) await status({ 'carillon-token': someone.token });
  await feed.close();
  expect(written.filter((w) => (w as { sessionId: string }).sessionId === someone.sessionId)).toHaveLength(1);
});

test('with a short idle time, gateways share each activity within a twentieth of it', async () => {
  const short = await startGateway({ idleSeconds: 4 }, 'short');
  try {
    const someone = await short.person();
    const written: { sessionId: string; at: number }[] = [];
    const feed = await short.bus.fanout({
      topics: [gatewayActivity.name],
      from: 'start',
      handle: ({ records }) => {
        written.push(...records.map((r) => JSON.parse(r.value!) as (typeof written)[number]));
      },
    });
    // Three are published, although all are within the minute after which a long session would publish the next. An
    // activity within 0.2 s of the one before is not published, so each is repeated.
    for (const seen of [1, 2, 3])
      await eventually(async () => {
        expect((await short.request(path, { headers: { 'carillon-token': someone.token } })).status).toBe(200);
        expect(written.length).toBeGreaterThanOrEqual(seen);
      });
    expect(new Set(written.map((w) => w.sessionId))).toEqual(new Set([someone.sessionId]));
    await feed.close();
  } finally {
    await short.close();
  }
});

test('calls that need a session answer 503 while the copy of permissions is unconfirmed', async () => {
  const alone = await startGateway({ feedSeconds: 1 }, 'stale');
  try {
    const someone = await alone.person();
    const ask = async (): Promise<number> =>
      (await alone.request(path, { headers: { 'carillon-token': someone.token } })).status;
    expect(await ask()).toBe(200);
    await alone.bus.close();
    await eventually(async () => {
      expect(await ask()).toBe(503);
    });
    expect((await alone.request('/readyz')).json).toMatchObject({
      ready: false,
      checks: { access: 'the feed of sessions and rights is behind' },
    });
  } finally {
    await alone.close();
  }
});
