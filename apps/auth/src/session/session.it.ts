import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { authSession, gatewayActivity, logout, logoutWithLogs } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { cookieNames, verifyAccessToken } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { CleanUp } from './clean-up.service.ts';
import { startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
const ended: string[] = [];
beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({ topics: [authSession.name], from: 'start', handle: ({ records }) => { ended.push(...records.map((r) => r.key)); } });
});
afterAll(() => auth.close());

const refresh = (refreshToken: string) => auth.token({ grant_type: 'refresh_token', scope: 'all', refresh_token: refreshToken });
const sessionOf = (accessToken: string): string => verifyAccessToken(accessToken, auth.tokenKey)!.sessionId;
const failed = { status: 400, body: expect.objectContaining({ error: 'auth.logonFailure' }) };

/** Runs with the clock at given distances from now. */
async function atTimes(fn: (to: (ms: number) => void) => Promise<void>): Promise<void> {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  try { await fn((ms) => { vi.setSystemTime(start + ms); }); } finally { vi.useRealTimers(); }
}

test('a refresh gives a new pair for the same session, from the parameter or from the cookie [AUTH-03/refresh]', async () => {
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

test('a refresh token used again later ends the whole family, everywhere [AUTH-07/reuse]', async () => {
  const { body } = await auth.login('admin');
  const second = await refresh(body['refresh_token']);
  await atTimes(async (to) => {
    to(11_000);
    expect(await refresh(body['refresh_token'])).toMatchObject(failed);
    expect(await refresh(second.body['refresh_token'])).toMatchObject(failed);
  });
  await eventually(() => { expect(ended).toContain(sessionOf(body['access_token'])); });
});

test('an unknown, an altered, an expired and an access token refresh nothing', async () => {
  const { body } = await auth.login('admin');
  for (const token of [randomBytes(32).toString('base64url'), `${body['refresh_token']}x`, body['access_token'], '']) expect(await refresh(token)).toMatchObject(failed);
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

test('refreshing is no activity: a session that only refreshes ends after 30 minutes, one that is used goes on [AUTH-08/refresh]', async () => {
  const [idle, used] = [await auth.login('admin'), await auth.login('admin')];
  await atTimes(async (to) => {
    const pair = [idle.body['refresh_token'], used.body['refresh_token']];
    to(20 * 60_000);
    for (const i of [0, 1]) pair[i] = (await refresh(pair[i])).body['refresh_token'];
    const sessionId = sessionOf(used.body['access_token']);
    await auth.bus.publish([toRecord(gatewayActivity, sessionId, { sessionId, at: Date.now() }, envelope('active', { companyId: auth.companyId }))]);
    await eventually(async () => { expect(await auth.sql('select 1 as one from session where id = $1 and last_active_at > created_at', [sessionId])).toHaveLength(1); });
    to(31 * 60_000 + 1_000);
    expect(await refresh(pair[0])).toMatchObject(failed);
    const again = await refresh(pair[1]);
    expect(again.status).toBe(200);
    expect(verifyAccessToken(again.body['access_token'], auth.tokenKey)!.activeAt).toBeLessThan(Date.now() - 11 * 60_000);
  });
  await eventually(() => { expect(ended).toContain(sessionOf(idle.body['access_token'])); });
});

test('both logouts end the session, take the cookies back and are told to the gateways [AUTH-15/logout]', async () => {
  for (const route of [logout, logoutWithLogs]) {
    const { body } = await auth.login('admin');
    const sessionId = sessionOf(body['access_token']);
    const actor = { companyId: auth.companyId, orgId: auth.orgId, userId: body['userId'] as string, sessionId };
    expect(await auth.service.as(actor)(route as typeof logout)).toBeNull();
    await eventually(() => { expect(ended).toContain(sessionId); });
    expect(await refresh(body['refresh_token'])).toMatchObject(failed);
  }
});

test('what no token can name any more is cleaned up', async () => {
  await auth.login('admin');
  await atTimes(async (to) => {
    to(8 * 86_400_000);
    await auth.service.app.get(CleanUp, { strict: false }).run(new Date());
  });
  expect(await auth.sql('select id from session')).toEqual([]);
  expect(await auth.sql('select id from refresh_token')).toEqual([]);
});
