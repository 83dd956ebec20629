import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authVisit, neverVisiting, permissionKeys, type EventData } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { createAccessToken } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { startGateway, type GatewayUnderTest, type Person } from '../gateway-test.ts';

type VisitData = EventData<typeof authVisit, 'visit'>;
const path = '/api/f/device/device/list';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

async function publish(visit: VisitData): Promise<void> {
  await gateway.bus.publish([
    toRecord(authVisit, visit.visitId, visit, envelope('visit', { companyId: visit.hostCompanyId })),
  ]);
}

/** Creates a user who has entered a customer's company. */
async function enter(
  more: Partial<VisitData> = {},
  visitorRights: readonly string[] = permissionKeys,
  hostRights: readonly string[] = permissionKeys,
): Promise<{ visitor: Person; host: Person; visit: VisitData; status: () => Promise<[number, string | undefined]> }> {
  const visitor = await gateway.person({ permissions: [...visitorRights] });
  const host = await gateway.person({ permissions: [...hostRights] });
  const visit: VisitData = {
    visitId: randomUUID(),
    sessionId: visitor.sessionId,
    userId: visitor.view.userId,
    hostCompanyId: visitor.view.companyId,
    hostCompany: 'Meridian',
    companyId: host.view.companyId,
    customer: 'Alpine',
    allowedById: host.view.userId,
    allowedBy: host.view.username,
    accessId: randomUUID(),
    level: 'manage',
    until: Date.now() + 60_000,
    ended: false,
    ...more,
  };
  await publish(visit);
  const now = Date.now();
  const token = createAccessToken(
    {
      userId: visit.visitId,
      companyId: visit.companyId,
      sessionId: visitor.sessionId,
      issuedAt: now,
      expiresAt: now + 60_000,
      activeAt: now,
      visit: true,
    },
    gateway.tokenKey,
  );
  const status = async (): Promise<[number, string | undefined]> => {
    const answer = await gateway.request(path, { headers: { 'carillon-token': token } });
    return [answer.status, answer.json.error as string | undefined];
  };
  return { visitor, host, visit, status };
}
const lastContext = () => gateway.received.at(-1)!.context!;
const isIn = (who: { status: () => Promise<[number, string | undefined]> }) =>
  eventually(async () => expect((await who.status())[0]).toBe(200));
const over = [403, 'supportAccess.ended'];

test('a visitor has the rights and organizations that both sides share, and both are named', async () => {
  const one = await enter(
    {},
    ['device', 'editDevice', 'enterChannel', 'site'],
    ['device', 'site', 'editSite', 'addSupportAccess'],
  );
  await isIn(one);
  expect(lastContext()).toMatchObject({
    userId: one.visit.visitId,
    username: `${one.visitor.view.username} (Meridian)`,
    companyId: one.host.view.companyId,
    orgIds: one.host.view.orgIds,
    permissions: ['device', 'site'],
    visit: {
      userId: one.visitor.view.userId,
      username: one.visitor.view.username,
      companyId: one.visitor.view.companyId,
      company: 'Meridian',
      customer: 'Alpine',
      allowedBy: one.host.view.username,
    },
  });
});

test('a visitor with read access changes nothing, and none manages accounts or sees secrets', async () => {
  const manages = await enter();
  await isIn(manages);
  const { permissions } = lastContext();
  expect(permissions.filter((key) => (neverVisiting as readonly string[]).includes(key))).toEqual([]);
  expect(permissions).toEqual(expect.arrayContaining(['editDevice', 'addSite', 'user']));
  const sees = await enter({ level: 'view' });
  await isIn(sees);
  expect(lastContext().permissions).toEqual(expect.arrayContaining(['device', 'site', 'task', 'operationLog']));
  expect(lastContext().permissions.filter((key) => /^(?:add|edit|delete|push|reboot|export)/.test(key))).toEqual([]);
});

test("a visit ends exactly at its time by this gateway's clock [CHN-07/time]", async () => {
  const one = await enter({ until: Date.now() + 1_500 });
  await isIn(one);
  await eventually(async () => expect(await one.status()).toEqual(over));
  expect(Date.now()).toBeGreaterThanOrEqual(one.visit.until);
  expect(Date.now() - one.visit.until).toBeLessThan(1_000);
});

test('a visit ends when it is ended, or when its host loses the right, is disabled or deleted', async () => {
  const ended = await enter();
  await isIn(ended);
  await publish({ ...ended.visit, ended: true });
  await eventually(async () => expect(await ended.status()).toEqual(over));

  const narrowed = await enter();
  await isIn(narrowed);
  await gateway.publishAccess({ ...narrowed.host.view, permissions: ['device'] }, 2);
  expect(await narrowed.status()).toEqual(over);

  const disabled = await enter();
  await isIn(disabled);
  await gateway.publishAccess({ ...disabled.host.view, status: 'disabled' }, 2);
  expect(await disabled.status()).toEqual(over);
});

test('a logout, a disabled account or a new password of the visitor ends the visit', async () => {
  const invalid = [401, 'common.tokenInvalid'];
  const left = await enter();
  await isIn(left);
  await gateway.publishSession('ended', left.visitor);
  expect(await left.status()).toEqual(invalid);

  const disabled = await enter();
  await isIn(disabled);
  await gateway.publishAccess({ ...disabled.visitor.view, status: 'disabled' }, 2);
  expect(await disabled.status()).toEqual(invalid);

  const changed = await enter();
  await isIn(changed);
  await gateway.publishAccess({ ...changed.visitor.view, tokensValidAfter: Date.now() + 5_000 }, 2);
  expect(await changed.status()).toEqual(invalid);

  const narrowed = await enter();
  await isIn(narrowed);
  await gateway.publishAccess({ ...narrowed.visitor.view, permissions: ['device'] }, 2);
  expect(await narrowed.status()).toEqual(over);
});

test('a visit is valid only with the token of its own session and company', async () => {
  const one = await enter();
  await isIn(one);
  const other = await gateway.person();
  const now = Date.now();
  const times = { issuedAt: now, expiresAt: now + 60_000, activeAt: now, visit: true as const };
  for (const token of [
    { userId: one.visit.visitId, companyId: one.visit.companyId, sessionId: other.sessionId },
    { userId: one.visit.visitId, companyId: other.view.companyId, sessionId: one.visitor.sessionId },
    {
      userId: one.visitor.view.userId,
      companyId: one.visit.companyId,
      sessionId: one.visitor.sessionId,
      issuedAt: now - 6_000,
    },
  ])
    expect(
      (
        await gateway.request(path, {
          headers: { 'carillon-token': createAccessToken({ ...times, ...token }, gateway.tokenKey) },
        })
      ).status,
    ).toBe(401);
});

test("an unknown visit's token gets 503 for five seconds, and 401 after that", async () => {
  const visitor = await gateway.person();
  const now = Date.now();
  const status = async (issuedAt: number) => {
    const token = { userId: randomUUID(), companyId: randomUUID(), sessionId: visitor.sessionId, visit: true as const };
    const times = { issuedAt, expiresAt: now + 60_000, activeAt: now };
    return (
      await gateway.request(path, {
        headers: { 'carillon-token': createAccessToken({ ...token, ...times }, gateway.tokenKey) },
      })
    ).status;
  };
  expect(await status(now)).toBe(503);
  expect(await status(now - 6_000)).toBe(401);
});
