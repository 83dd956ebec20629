import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, listOperationLog, live } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { checkPolicies, companySession, currentSql, platform, transaction } from '@carillon/persistence';
import { contextHeader, signContext, systemContext } from '@carillon/tenancy';
import type { ServiceDefinition } from '@carillon/service';
import { badRequests, eventually, newActor, testBus, testService, unguarded, violations, wrongAnswer, type TestedService } from '@carillon/testing';
import { notificationService } from '../notification.module.ts';

const routes = allRoutes.filter((r) => r.owner === 'notification');
let bus: PostgresBus;
let service: TestedService;
const own = newActor();
const foreign = newActor();

const entry = (change: object = {}) => ({
  action: 'device.add', userId: randomUUID(), username: 'anna', objectId: randomUUID(), objectName: 'Lobby 100%', address: '10.0.0.1', result: 'success', requestId: randomUUID(), detail: { before: null, after: { name: 'Lobby' } }, ...change,
});
const publish = (companyId: string, data: ReturnType<typeof entry>, of: { id?: string; at?: number } = {}) => bus.publish([toRecord(audit, companyId, data, envelope('entry', { companyId, ...of }))]);
type Query = { search?: string; action?: string[]; result?: string[]; page?: number; limit?: number; current?: number; size?: number };
const list = (query: Query = {}, actor = own) => service.as(actor)(listOperationLog, { query } as never);
const until = (total: number, actor = own) => eventually(async () => { const page = await list({}, actor); expect(page.total).toBe(total); return page; });

beforeAll(async () => {
  bus = await testBus('notification_bus');
  service = await testService(notificationService as unknown as ServiceDefinition, bus, { mailKey: randomBytes(32) });
});
afterAll(async () => { await service?.close(); await bus?.close(); });

test('what a service says was done is in the log once: who, what, on which object, from where, when, before and after, result [SYS-04/entry]', async () => {
  const changes: unknown[] = [];
  const feed = await bus.fanout({ topics: [live.name], from: 'end', handle: ({ records }) => { changes.push(...records.map((r) => JSON.parse(r.value!))); } });
  const one = entry();
  const id = randomUUID();
  await publish(own.companyId, one, { id, at: Date.parse('2026-11-21T10:00:00.123Z') });
  await publish(own.companyId, one, { id, at: Date.parse('2026-11-21T10:00:00.123Z') });
  await publish(own.companyId, entry({ username: 'ben', action: 'device.delete', result: 'common.forbidden', objectName: null }), { at: Date.parse('2026-11-21T10:00:01Z') });
  const page = await until(2);
  expect(page.records.map((r) => r.username)).toEqual(['ben', 'anna']);
  expect(page.records[1]).toEqual({ id, at: '2026-11-21T10:00:00.123Z', ...one });
  await eventually(() => { expect(changes).toContainEqual(expect.objectContaining({ kind: 'operationLog' })); });
  await feed.close();
});

test('the log is filtered by text, action and result, and paged to its end', async () => {
  expect((await list({ search: '100%' } as never)).total).toBe(1);
  expect((await list({ search: '_obby' } as never)).total).toBe(0);
  expect((await list({ search: 'BEN' } as never)).total).toBe(1);
  expect((await list({ action: ['device.add', 'device.delete'] })).total).toBe(2);
  expect((await list({ result: ['common.forbidden'] })).records.map((r) => r.username)).toEqual(['ben']);
  expect(await list({ page: 2, limit: 1 })).toMatchObject({ total: 2, current: 2, size: 1, records: [{ username: 'anna' }] });
  expect(await list({ current: 9, size: 5 })).toMatchObject({ total: 2, records: [] });
});

test('an entry that is too long is cut, not lost', async () => {
  const third = newActor();
  await publish(third.companyId, entry({ username: 'x'.repeat(5_000), objectName: 'y'.repeat(5_000), action: 'z'.repeat(500), userId: 'system' }));
  expect((await until(1, third)).records[0]).toMatchObject({ username: 'x'.repeat(128), objectName: 'y'.repeat(256), action: 'z'.repeat(64), userId: null });
});

test('nobody can change or take away an entry, not even across companies [SYS-04/append-only]', async () => {
  for (const sql of [`update operation_log set username = 'nobody'`, 'delete from operation_log', 'truncate operation_log', `update operation_log set at = now() where false`]) {
    await expect(transaction(service.database, companySession(own.companyId), () => currentSql().query(sql)), sql).rejects.toThrow(/permission denied/);
    await expect(platform(service.database, 'a test tries', () => currentSql().query(sql)), sql).rejects.toThrow(/permission denied/);
  }
  expect((await list()).total).toBe(2);
});

test('every call is refused to a stranger and to who has every key but its own [ROLE-03/notification]', async () => {
  expect(await unguarded({
    routes,
    ask: async (one, permissions) => { const { status, body } = await service.raw(permissions && { ...own, permissions }, { method: one.method, url: one.url, ...(one.body ? { payload: one.body, headers: { 'content-type': 'application/json' } } : {}) }); return { status, error: body['error'] }; },
  })).toEqual([]);
});

test('another company gets nothing by any call [ROLE-03/isolation-notification]', async () => {
  await publish(foreign.companyId, entry({ username: 'Foreign-Mark', objectName: 'Foreign-Mark', detail: { after: 'Foreign-Mark' } }));
  const { records } = await until(1, foreign);
  const found = await violations({
    routes, ids: records.map((r) => r.id), marks: ['Foreign-Mark'], state: async () => JSON.stringify(await list({}, foreign)),
    ask: async (one) => { const { status, body } = await service.raw(own, { method: one.method, url: one.url, ...(one.body ? { payload: one.body } : {}) }); return { status, text: JSON.stringify(body) }; },
  });
  expect(found).toEqual([]);
});

test('without its key the log is refused, and every table is under its policy', async () => {
  const { status, body } = await service.raw({ ...own, permissions: ['device'] }, { method: 'GET', url: listOperationLog.path });
  expect([status, body['error'], body['msg']]).toEqual([403, 'common.forbidden', 'You do not have the right “operationLog”.']);
  expect((await service.raw(null, { method: 'GET', url: listOperationLog.path })).status).toBe(401);
  expect(await transaction(service.database, companySession(null), () => checkPolicies([]))).toEqual([]);
});

test('a service believes the gateway\'s signature only [AUTH-04/context]', async () => {
  const context = { ...systemContext(own.companyId), userId: own.userId, permissions: ['operationLog'] };
  const forged = signContext(context, randomBytes(32));
  const old = Buffer.from(JSON.stringify({ ...context, exp: Date.now() - 1 })).toString('base64url');
  for (const header of [forged, `${old}.${forged.split('.')[1]}`, 'x', JSON.stringify(context)]) {
    const { status, body } = await service.raw(null, { method: 'GET', url: listOperationLog.path, headers: { [contextHeader]: header } });
    expect([status, body['error']]).toEqual([401, 'common.tokenInvalid']);
  }
});

test('a request that fits no contract gets an error of the catalogue', async () => {
  for (const named of routes) {
    for (const request of badRequests(named)) {
      const answer = await service.raw(own, { method: request.method, url: request.url, headers: request.headers, ...(request.body === undefined ? {} : { payload: request.body as string }) });
      expect(wrongAnswer(request, answer)).toBeUndefined();
    }
  }
});
