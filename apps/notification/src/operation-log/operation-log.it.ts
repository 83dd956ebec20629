import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, listOperationLog, live, listErrors, listMessages } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { checkPolicies, companySession, currentSql, platform, transaction } from '@carillon/persistence';
import { contextHeader, signContext, systemContext } from '@carillon/tenancy';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  newActor,
  testBus,
  testPostgres,
  testService,
  unguarded,
  violations,
  type TestedService,
  filterFaults,
} from '@carillon/testing';
import pg from 'pg';
import { chainKey, notificationService, verifyChains } from '../notification.module.ts';

const mailKey = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
const routes = allRoutes.filter((r) => r.owner === 'notification');
let bus: PostgresBus;
let service: TestedService;
const own = newActor();
const foreign = newActor();

const entry = (change: object = {}) => ({
  action: 'device.add',
  userId: randomUUID(),
  username: 'anna',
  objectId: randomUUID(),
  objectName: 'Lobby 100%',
  address: '10.0.0.1',
  result: 'success',
  requestId: randomUUID(),
  detail: { before: null, after: { name: 'Lobby' } },
  ...change,
});
const publish = (companyId: string, data: ReturnType<typeof entry>, record: { id?: string; at?: number } = {}) =>
  bus.publish([toRecord(audit, companyId, data, envelope('entry', { companyId, ...record }))]);
type Query = {
  search?: string;
  action?: string[];
  result?: string[];
  page?: number;
  limit?: number;
  current?: number;
  size?: number;
};
const list = (query: Query = {}, actor = own) => service.as(actor)(listOperationLog, { query } as never);
const until = (total: number, actor = own) =>
  eventually(async () => {
    const page = await list({}, actor);
    expect(page.total).toBe(total);
    return page;
  });

beforeAll(async () => {
  bus = await testBus('notification_bus');
  service = await testService(notificationService as unknown as ServiceDefinition, bus, { mailKey });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('an entry has actor, action, object, address, time, values and result, once [SYS-04/entry]', async () => {
  const changes: unknown[] = [];
  const feed = await bus.fanout({
    topics: [live.name],
    from: 'end',
    handle: ({ records }) => {
      changes.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
  const one = entry();
  const id = randomUUID();
  await publish(own.companyId, one, { id, at: Date.parse('2026-11-21T10:00:00.123Z') });
  await publish(own.companyId, one, { id, at: Date.parse('2026-11-21T10:00:00.123Z') });
  await publish(
    own.companyId,
    entry({ username: 'ben', action: 'device.delete', result: 'common.forbidden', objectName: null }),
    { at: Date.parse('2026-11-21T10:00:01Z') },
  );
  const page = await until(2);
  expect(page.records.map((r) => r.username)).toEqual(['ben', 'anna']);
  expect(page.records[1]).toEqual({ id, at: '2026-11-21T10:00:00.123Z', ...one, seq: 1, related: 1 });
  await eventually(() => {
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'operationLog' }));
  });
  await feed.close();
});

test('the log is filtered by text, action and result, and paged to its end', async () => {
  expect((await list({ search: '100%' } as never)).total).toBe(1);
  expect((await list({ search: '_obby' } as never)).total).toBe(0);
  expect((await list({ search: 'BEN' } as never)).total).toBe(1);
  expect((await list({ action: ['device.add', 'device.delete'] })).total).toBe(2);
  expect((await list({ result: ['common.forbidden'] })).records.map((r) => r.username)).toEqual(['ben']);
  expect(await list({ page: 2, limit: 1 })).toMatchObject({
    total: 2,
    current: 2,
    size: 1,
    records: [{ username: 'anna' }],
  });
  expect(await list({ current: 9, size: 5 })).toMatchObject({ total: 2, records: [] });
});

test('an entry is visible to its author and to users who see all organizations of its object', async () => {
  const [north, south, doer] = [randomUUID(), randomUUID(), randomUUID()];
  const boss = newActor();
  const changes: { kind: string; ids: string[]; orgIds: string[] | null }[] = [];
  const feed = await bus.fanout({
    topics: [live.name],
    from: 'end',
    handle: ({ records }) => {
      changes.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
  const shared = randomUUID();
  await publish(boss.companyId, entry({ objectName: 'Both', orgIds: [north, south], userId: doer }), { id: shared });
  await publish(boss.companyId, entry({ objectName: 'North', orgIds: [north] }));
  await publish(boss.companyId, entry({ objectName: 'Company' }));
  await until(3, boss);
  const read = async (orgIds: readonly string[], more: object = {}) =>
    (await list({}, { ...boss, orgIds, ...more })).records.map((r) => r.objectName).toSorted();
  expect(await read([north])).toEqual(['Company', 'North']);
  expect(await read([south])).toEqual(['Company']);
  expect(await read([north, south])).toEqual(['Both', 'Company', 'North']);
  expect(await read([south], { userId: doer })).toEqual(['Both', 'Company']);
  expect(await read([south], { allOrgs: true })).toEqual(['Both', 'Company', 'North']);
  await eventually(() => {
    expect(changes.find((c) => c.ids.includes(shared))!.orgIds).toEqual(expect.arrayContaining([north, south]));
  });
  expect(await verifyChains(service.database, chainKey(Buffer.from(mailKey, 'base64url')))).toMatchObject({
    faults: [],
  });
  await feed.close();
});

test('filters by user, object, time and request, and groups a bulk change [SYS-04/filter]', async () => {
  const fourth = newActor();
  const requestId = randomUUID();
  const objectId = randomUUID();
  for (let n = 0; n < 3; n += 1)
    await publish(fourth.companyId, entry({ requestId, objectName: `Phone ${n}` }), {
      at: Date.parse('2026-11-21T12:00:00Z') + n,
    });
  await publish(fourth.companyId, entry({ username: 'ben', objectId }), { at: Date.parse('2026-11-22T12:00:00Z') });
  await until(4, fourth);
  const names = async (query: object) => (await list(query as Query, fourth)).records.map((r) => r.objectName);
  expect(await names({ requestId })).toEqual(['Phone 2', 'Phone 1', 'Phone 0']);
  expect((await list({}, fourth)).records.map((r) => r.related)).toEqual([1, 3, 3, 3]);
  expect(await names({ username: ['ben'] })).toEqual(['Lobby 100%']);
  expect(await names({ objectId })).toEqual(['Lobby 100%']);
  expect(await names({ from: '2026-11-21T12:00:00.001Z', to: '2026-11-21T23:00:00+01:00' })).toEqual([
    'Phone 2',
    'Phone 1',
  ]);
  expect((await list({ search: requestId.slice(0, 18) }, fourth)).total).toBe(3);
});

test('an entry that is too long is cut, not lost', async () => {
  const third = newActor();
  await publish(
    third.companyId,
    entry({ username: 'x'.repeat(5_000), objectName: 'y'.repeat(5_000), action: 'z'.repeat(500), userId: 'system' }),
  );
  expect((await until(1, third)).records[0]).toMatchObject({
    username: 'x'.repeat(128),
    objectName: 'y'.repeat(256),
    action: 'z'.repeat(64),
    userId: null,
  });
});

test('no entry can be changed or deleted, not even across companies [SYS-04/append-only]', async () => {
  for (const sql of [
    `update operation_log set username = 'nobody'`,
    'delete from operation_log',
    'truncate operation_log',
    `update operation_log set at = now() where false`,
  ]) {
    await expect(
      transaction(service.database, companySession(own.companyId), () => currentSql().query(sql)),
      sql,
    ).rejects.toThrow(/permission denied/);
    await expect(
      platform(service.database, 'a test tries', () => currentSql().query(sql)),
      sql,
    ).rejects.toThrow(/permission denied/);
  }
  expect((await list()).total).toBe(2);
});

test('the check names exactly the altered, removed or inserted entries, by any user [SYS-04/chain]', async () => {
  const victim = newActor();
  const key = chainKey(Buffer.from(mailKey, 'base64url'));
  for (let n = 0; n < 6; n += 1)
    await publish(
      victim.companyId,
      entry({ objectName: `Row ${n}`, detail: { after: { b: 1.5, a: [n, { z: null, é: '\u2028' }] }, before: null } }),
    );
  await until(6, victim);
  const faults = async () => (await verifyChains(service.database, key)).faults;
  expect(await faults()).toEqual([]);
  expect((await verifyChains(service.database, key)).entries).toBeGreaterThanOrEqual(6);
  const { host, port, user, password } = await testPostgres();
  const owner = new pg.Client({ host, port, user, password, database: service.database.name });
  await owner.connect();
  const seqOf = async (name: string) =>
    Number(
      (
        await owner.query('select seq from operation_log where company_id = $1 and object_name = $2', [
          victim.companyId,
          name,
        ])
      ).rows[0].seq,
    );
  const third = await seqOf('Row 2');
  const tries: [string, unknown[], { seq: number; what: string }[]][] = [
    [
      `update operation_log set username = 'nobody' where company_id = $1 and seq = $2`,
      [victim.companyId, third],
      [{ seq: third, what: 'altered' }],
    ],
    [
      `update operation_log set detail = jsonb_set(detail, '{after,b}', '1.6') where company_id = $1 and seq = $2`,
      [victim.companyId, third],
      [{ seq: third, what: 'altered' }],
    ],
    [
      `update operation_log set at = at + interval '1 millisecond' where company_id = $1 and seq = $2`,
      [victim.companyId, third],
      [{ seq: third, what: 'altered' }],
    ],
    [
      'delete from operation_log where company_id = $1 and seq = $2',
      [victim.companyId, third],
      [{ seq: third, what: 'removed' }],
    ],
    ['delete from operation_log where company_id = $1 and seq > 4', [victim.companyId], [{ seq: 5, what: 'removed' }]],
    [
      `
        insert into operation_log
        select gen_random_uuid(), company_id, at, user_id, 'mallory', action, object_id, object_name, address,
          result, request_id, detail, 7, hash
        from operation_log
        where company_id = $1 and seq = 6
      `,
      [victim.companyId],
      [
        { seq: 7, what: 'altered' },
        { seq: 7, what: 'added' },
      ],
    ],
  ];
  for (const [sql, values, expected] of tries) {
    // An attacker with all rights in the database, who undoes the change after it was checked.
    await owner.query('create table kept as select * from operation_log where company_id = $1', [victim.companyId]);
    await owner.query(sql, values);
    expect(
      (await faults()).map(({ companyId, ...f }) => {
        expect(companyId).toBe(victim.companyId);
        return f;
      }),
      sql,
    ).toEqual(expected);
    await owner.query('delete from operation_log where company_id = $1', [victim.companyId]);
    await owner.query('insert into operation_log select * from kept');
    await owner.query('drop table kept');
    expect(await faults()).toEqual([]);
  }
  await owner.end();
  // With another key no seal is valid: the database alone is not enough to create them.
  expect((await verifyChains(service.database, randomBytes(32))).faults.length).toBeGreaterThanOrEqual(6);
});

test.each([listOperationLog, listMessages, listErrors])(
  'answers every filter of every list, and what is and what is not are all there are: $path',
  async (route) => {
    const { checked, faults } = await filterFaults(
      route,
      (query) => service.as(own)(route, { query } as never) as never,
    );
    expect(faults).toEqual([]);
    expect(checked.length).toBeGreaterThan(2);
  },
);

test('a refused attempt leaves an entry, also for a read [SYS-04/refused]', async () => {
  const nobody = newActor({ permissions: ['home'] });
  expect((await service.raw(nobody, { method: 'GET', url: listOperationLog.path })).status).toBe(403);
  expect(
    (await service.raw(nobody, { method: 'POST', url: '/api/f/mc/message/read', payload: [randomUUID()] })).status,
  ).toBe(403);
  const { records } = await until(2, { ...nobody, permissions: ['operationLog'] });
  expect(records.map((r) => [r.action, r.result, r.userId, r.detail]).sort()).toEqual([
    [
      'access.refused',
      'common.forbidden',
      nobody.userId,
      { call: `GET ${listOperationLog.path}`, permission: 'operationLog' },
    ],
    ['message.read', 'common.forbidden', nobody.userId, { call: 'POST /api/f/mc/message/read', permission: 'alarm' }],
  ]);
});

test('every call refuses a stranger, and a user with every permission but its own [ROLE-03/notification]', async () => {
  expect(
    await unguarded({
      routes,
      ask: async (one, permissions) => {
        const { status, body } = await service.raw(permissions && { ...own, permissions }, {
          method: one.method,
          url: one.url,
          ...(one.body ? { payload: one.body, headers: { 'content-type': 'application/json' } } : {}),
        });
        return { status, error: body['error'] };
      },
    }),
  ).toEqual([]);
});

test('another company gets nothing from any call [ROLE-03/isolation-notification]', async () => {
  await publish(
    foreign.companyId,
    entry({ username: 'Foreign-Mark', objectName: 'Foreign-Mark', detail: { after: 'Foreign-Mark' } }),
  );
  const { records } = await until(1, foreign);
  const found = await violations({
    routes,
    ids: records.map((r) => r.id),
    marks: ['Foreign-Mark'],
    state: async () => JSON.stringify(await list({}, foreign)),
    ask: async (one) => {
      const { status, body } = await service.raw(own, {
        method: one.method,
        url: one.url,
        ...(one.body ? { payload: one.body } : {}),
      });
      return { status, text: JSON.stringify(body) };
    },
  });
  expect(found).toEqual([]);
});

test('without its permission the log is refused, and every table has its policy', async () => {
  const { status, body } = await service.raw(
    { ...own, permissions: ['device'] },
    { method: 'GET', url: listOperationLog.path },
  );
  expect([status, body['error'], body['msg']]).toEqual([
    403,
    'common.forbidden',
    'You don’t have the permission “operationLog”.',
  ]);
  expect((await service.raw(null, { method: 'GET', url: listOperationLog.path })).status).toBe(401);
  expect(
    await transaction(service.database, companySession(null), () =>
      checkPolicies(Object.keys(notificationService.database!.untenanted ?? {})),
    ),
  ).toEqual([]);
});

test("a service believes the gateway's signature only [AUTH-04/context]", async () => {
  const context = { ...systemContext(own.companyId), userId: own.userId, permissions: ['operationLog'] };
  const forged = signContext(context, randomBytes(32));
  const old = Buffer.from(JSON.stringify({ ...context, exp: Date.now() - 1 })).toString('base64url');
  for (const header of [forged, `${old}.${forged.split('.')[1]}`, 'x', JSON.stringify(context)]) {
    const { status, body } = await service.raw(null, {
      method: 'GET',
      url: listOperationLog.path,
      headers: { [contextHeader]: header },
    });
    expect([status, body['error']]).toEqual([401, 'common.tokenInvalid']);
  }
});
