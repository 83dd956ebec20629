import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, authApiToken } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { cookieNames } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { startGateway, type GatewayUnderTest } from '../gateway-test.ts';

let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const status = async (headers: Record<string, string | string[]>): Promise<number> =>
  (await gateway.request('/api/f/device/device/list', { headers })).status;

test('an API token opens the calls that it and its maker may use, and no others [AUTH-17/gateway]', async () => {
  const maker = await gateway.person({ permissions: ['device', 'addTask'] });
  const token = `carillon_${randomBytes(32).toString('base64url')}`;
  const publish = (more: object = {}, text = token) =>
    gateway.bus.publish([
      toRecord(
        authApiToken,
        maker.sessionId,
        {
          tokenId: maker.sessionId,
          hash: createHash('sha256').update(text).digest('base64url'),
          userId: maker.view.userId,
          name: 'Monitoring',
          scopes: ['device', 'task'],
          expiresAt: Date.now() + 60_000,
          revoked: false,
          ...more,
        },
        envelope('apiToken', { companyId: maker.view.companyId }),
      ),
    ]);
  const headers = { authorization: `Bearer ${token}` };
  const entries: unknown[] = [];
  await gateway.bus.fanout({
    topics: [audit.name],
    from: 'start',
    handle: ({ records }) => {
      entries.push(...records.map(({ value }) => JSON.parse(value!) as unknown));
    },
  });
  expect(await status(headers)).toBe(401);
  await publish();
  await eventually(async () => {
    expect(await status(headers)).toBe(200);
  });
  expect(gateway.received.at(-1)!.context).toMatchObject({
    userId: maker.view.userId,
    companyId: maker.view.companyId,
    username: 'someone · Monitoring',
    permissions: ['device'],
    sessionId: null,
    apiToken: 'Monitoring',
  });
  for (const way of [{ 'carillon-token': token }, { 'carillon-auth': `bearer ${token}` }] as Record<string, string>[])
    expect(await status(way)).toBe(200);
  expect(await status({ ...headers, 'carillon-token': maker.token })).toBe(401);
  expect(
    await status({
      cookie: `${cookieNames(gateway.tokenKey, false).access}=${token}`,
      'sec-fetch-site': 'same-origin',
    }),
  ).toBe(401);
  for (const call of [
    '/api/f/auth/session/list',
    '/api/f/mc/user/info',
    '/api/f/gateway/live',
    '/api/f/auth/oauth/logout',
  ]) {
    for (let again = 0; again < 2; again++) {
      const answer = await gateway.request(call, { headers });
      expect([answer.status, answer.json.error], call).toEqual([403, 'common.forbidden']);
    }
  }
  // Each refused call is in the operation log, once a minute.
  const about = { username: 'someone · Monitoring', userId: maker.view.userId, orgIds: maker.view.orgIds };
  await eventually(() => {
    expect(entries).toMatchObject([
      { ...about, action: 'access.refused', detail: { call: 'GET /api/f/auth/session/list' } },
      { ...about, action: 'access.refused', detail: { call: 'GET /api/f/mc/user/info' } },
      { ...about, action: 'access.refused', detail: { call: 'GET /api/f/gateway/live' } },
      { ...about, action: 'session.logout', result: 'common.forbidden' },
    ]);
  });
  await gateway.publishAccess({ ...maker.view, permissions: [] }, 2);
  expect(await status(headers)).toBe(200);
  expect(gateway.received.at(-1)!.context!.permissions).toEqual([]);
  await gateway.publishAccess({ ...maker.view, status: 'disabled' }, 3);
  expect(await status(headers)).toBe(401);
  await gateway.publishAccess(maker.view, 4);
  expect(await status(headers)).toBe(200);
  await publish({ expiresAt: Date.now() - 1 });
  await eventually(async () => {
    expect(await status(headers)).toBe(401);
  });
  await publish();
  await eventually(async () => {
    expect(await status(headers)).toBe(200);
  });
  await publish({ revoked: true });
  await eventually(async () => {
    expect(await status(headers)).toBe(401);
  });
});
