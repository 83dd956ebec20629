import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readXlsx } from 'hucre/xlsx';
import {
  addDeviceExport,
  addDeviceGroupExport,
  deleteDeviceExport,
  deleteDevices,
  getDeviceExport,
  listDeviceExports,
  listDeviceGroups,
  listDevices,
  type RouteCall,
} from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, platform, transaction, uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { systemContext } from '@carillon/tenancy';
import { eventually, newActor, testBus, testService, type Actor, type TestedService } from '@carillon/testing';
import { deviceService, seedDevices } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
const own = newActor();
const other = { ...own, orgId: uuidv7(), userId: uuidv7() };
const columns = [
  { key: 'name' as const, title: 'Nome' },
  { key: 'mac' as const, title: 'MAC' },
  { key: 'state' as const, title: 'Estado' },
  { key: 'createdAt' as const, title: 'Criado' },
];
type Order = RouteCall<typeof addDeviceExport>['body'];
const order = (body: Order, actor: Actor = own) => service.as(actor)(addDeviceExport, { body });
const ended = (id: string, actor: Actor = own) =>
  eventually(async () => {
    const now = await service.as(actor)(getDeviceExport, { params: { id } });
    expect(now.status).not.toBe('process');
    return now;
  }, 30_000);
async function rowsOf(id: string, actor: Actor = own): Promise<unknown[][]> {
  const answer = await (
    service.app.getHttpAdapter().getInstance() as unknown as {
      inject: (o: object) => Promise<{ statusCode: number; rawPayload: Buffer; headers: Record<string, string> }>;
    }
  ).inject({ method: 'GET', url: `/api/f/device/export/${id}/file`, headers: service.headersOf(actor) });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    200,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ]);
  return (await readXlsx(answer.rawPayload)).sheets[0]!.rows.map((r) => [...r]);
}

beforeAll(async () => {
  bus = await testBus('export_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  const inventory = (from: number, count: number, name: string) =>
    Array.from({ length: count }, (_, i) => ({
      mac: (0xb0_00_00_00 + from + i).toString(16).padStart(12, '0'),
      name: `${name} ${String(i).padStart(4, '0')}`,
      model: 'X7A',
      sn: `E${from + i}`,
      secret: createHash('sha256').update(String(i)).digest('base64url'),
    }));
  await seedDevices(service.database, { companyId: own.companyId, orgId: own.orgId }, [
    ...inventory(0, 1_200, 'Room'),
    { ...inventory(5_000, 1, 'x')[0]!, name: '=HYPERLINK("http://x")' },
  ]);
  await seedDevices(
    service.database,
    { companyId: own.companyId, orgId: other.orgId },
    inventory(9_000, 3, 'Elsewhere'),
  );
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('exports filtered devices once each, with text as text and the reader’s zone [SHELL-17/xlsx]', async () => {
  const begun = await order({
    filter: { search: 'room' },
    sort: '-name',
    columns,
    words: { notConfigured: 'Não configurado' },
    clock: { offset: 330, rule: null },
  });
  expect(begun).toMatchObject({ status: 'process', done: 0 });
  expect(await ended(begun.id)).toMatchObject({ status: 'success', done: 1_200, total: 1_200 });
  const [head, ...rows] = await rowsOf(begun.id);
  expect(head).toEqual(['Nome', 'MAC', 'Estado', 'Criado']);
  expect(rows.map((r) => r[0])).toEqual(
    Array.from({ length: 1_200 }, (_, i) => `Room ${String(1_199 - i).padStart(4, '0')}`),
  );
  const [first] = (await service.as(own)(listDevices, { query: { search: 'room', sort: '-name', limit: 5 } })).records;
  expect(rows[0]).toEqual([
    'Room 1199',
    first!.mac.toUpperCase().match(/../g)!.join(':'),
    'Não configurado',
    new Date(Date.parse(first!.createdAt) + 330 * 60_000).toISOString().slice(0, 19).replace('T', ' '),
  ]);
  const formula = await order({ filter: { search: 'hyperlink' }, columns });
  await ended(formula.id);
  expect((await rowsOf(formula.id))[1]![0]).toBe('=HYPERLINK("http://x")');
});

test('exports a selection within the caller’s organizations to its owner only [SHELL-17/selection]', async () => {
  const all = (await service.as(own)(listDevices, { query: { search: 'room 000' } })).records;
  const named = await order({ ids: [all[3]!.id, all[1]!.id, uuidv7()], sort: 'name', columns: columns.slice(0, 1) });
  const left = await order({
    filter: { search: 'room 000' },
    exclude: all.slice(0, 8).map((d) => d.id),
    sort: 'name',
    columns: columns.slice(0, 1),
  });
  const narrow = { ...other, orgIds: [other.orgId] };
  const theirs = await order({ filter: {}, columns: columns.slice(0, 1) }, narrow);
  await Promise.all([ended(named.id), ended(left.id), ended(theirs.id, narrow)]);
  expect((await rowsOf(named.id)).slice(1).flat()).toEqual([all[1]!.name, all[3]!.name]);
  expect((await rowsOf(left.id)).slice(1).flat()).toEqual(all.slice(8).map((d) => d.name));
  expect((await rowsOf(theirs.id, narrow)).slice(1).flat()).toEqual([
    'Elsewhere 0000',
    'Elsewhere 0001',
    'Elsewhere 0002',
  ]);
  for (const stranger of [other, newActor()]) {
    await expect(service.as(stranger)(getDeviceExport, { params: { id: named.id } })).rejects.toMatchObject({
      error: 'common.notFound',
    });
    await expect(service.as(stranger)(deleteDeviceExport, { params: { id: named.id } })).rejects.toMatchObject({
      error: 'common.notFound',
    });
    expect((await service.raw(stranger, { method: 'GET', url: `/api/f/device/export/${named.id}/file` })).status).toBe(
      404,
    );
  }
  // An order that is sent twice makes one file; another user's order with the same key makes its own.
  const twice = { filter: { search: 'room 000' }, columns: columns.slice(0, 1), key: 'order-of-this-morning' };
  const [one, again] = await Promise.all([order(twice), order(twice)]);
  expect(again.id).toBe(one.id);
  const foreign = await order(twice, other);
  expect(foreign.id).not.toBe(one.id);
  await Promise.all([ended(one.id), ended(foreign.id, other)]);
  // Each user has their own files, newest first, from every list.
  const listed = await service.as(own)(listDeviceExports);
  expect(listed.map((e) => e.id)).toContain(named.id);
  expect(listed.map((e) => e.createdAt)).toEqual(
    listed
      .map((e) => e.createdAt)
      .sort()
      .toReversed(),
  );
  expect((await service.as(other)(listDeviceExports)).map((e) => e.id)).not.toContain(named.id);
  expect(await service.as(newActor())(listDeviceExports)).toEqual([]);
  await service.as(own)(deleteDeviceExport, { params: { id: named.id } });
  await expect(service.as(own)(getDeviceExport, { params: { id: named.id } })).rejects.toMatchObject({
    error: 'common.notFound',
  });
  expect(
    (
      await transaction(service.database, companySession(own.companyId), () =>
        currentSql().query('select 1 from list_export_part where export_id = $1', [named.id]),
      )
    ).rowCount,
  ).toBe(0);
});

test('restarts the file of a dead writer, reports failures, and limits a user to three at a time', async () => {
  const { database } = service;
  const [stuck, broken] = [uuidv7(), uuidv7()];
  const maker = JSON.stringify({ ...systemContext(own.companyId), userId: own.userId });
  const put = (id: string, wanted: unknown, lease: string) =>
    transaction(database, companySession(own.companyId), () =>
      currentSql().query(
        `
          insert into list_export (
            id, company_id, user_id, path, name, maker, wanted, status, done, total, lease_until, created_at
          )
          values ($1, $2, $3, $6, '', $7, $4, 'process', 7, 9, now() + $5::interval, now())
        `,
        [id, own.companyId, own.userId, JSON.stringify(wanted), lease, addDeviceExport.path, maker],
      ),
    );
  await put(stuck, { filter: { search: 'elsewhere' }, columns: columns.slice(0, 1) }, '-1 second');
  await put(broken, { filter: {}, columns: [{ key: 'no such', title: '' }] }, '-1 second');
  expect(await ended(stuck)).toMatchObject({ status: 'success', done: 3, total: 3 });
  expect(await rowsOf(stuck)).toHaveLength(4);
  expect(await ended(broken)).toMatchObject({ status: 'fail' });
  const held = [uuidv7(), uuidv7(), uuidv7()];
  for (const id of held) await put(id, { filter: {}, columns }, '1 hour');
  await expect(order({ filter: {}, columns })).rejects.toMatchObject({ error: 'device.exportsBusy' });
  for (const id of held) await service.as(own)(deleteDeviceExport, { params: { id } });
  await order({ filter: {}, columns });
  // Cancelled while it is written: nothing more is written, and nothing remains.
  const many = (await service.as(own)(listDevices, { query: { search: 'room', limit: 100 } })).records.map((d) => d.id);
  await service.as(own)(deleteDevices, { query: { ids: many } });
  const late = await order({ filter: {}, columns });
  await service.as(own)(deleteDeviceExport, { params: { id: late.id } });
  const last = await order({ filter: { search: 'elsewhere' }, columns });
  await ended(last.id);
  expect((await lookAt(`select 1 from list_export_part where export_id = '${late.id}'`)).rowCount).toBe(0);
});

test('a writer that lost its file to another one adds nothing to it', async () => {
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = platform(service.database, 'a test holds up a writer', async () => {
    await currentSql().query('lock table device_group in access exclusive mode');
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const { id } = await service.as(own)(addDeviceGroupExport, {
    body: { filter: {}, columns: [{ key: 'name', title: 'Name' }] },
  });
  const [writer, status] = ['(select writer from list_export where id', 'select status from list_export where id'];
  await eventually(async () =>
    expect((await lookAt(`select 1 where ${writer} = '${id}') is not null`)).rowCount).toBe(1),
  );
  await lookAt(
    `update list_export set writer = gen_random_uuid(), lease_until = now() + interval '1 hour' where id = '${id}'`,
  );
  held.resolve();
  await lock;
  // Files are written one after the other: once this one exists, the other writer has ended.
  await ended((await order({ filter: { search: 'elsewhere' }, columns })).id);
  expect((await lookAt(`${status} = '${id}'`)).rows).toEqual([{ status: 'process' }]);
  expect((await lookAt(`select 1 from list_export_part where export_id = '${id}'`)).rowCount).toBe(0);
  await service.as(own)(deleteDeviceExport, { params: { id } });
});

test('exports any list from one snapshot with its filter and sort, by permission [SHELL-17/any]', async () => {
  const all = 2_100;
  await transaction(service.database, companySession(own.companyId), () =>
    currentSql().query(
      `
        insert into device_group (id, company_id, org_id, name, description, updated_at)
        select gen_random_uuid(), $1, $2, 'Group ' || lpad(i::text, 4, '0'), '=1+1', now()
        from generate_series(1, $3) i
      `,
      [own.companyId, own.orgId, all],
    ),
  );
  const groups = await service.as(own)(listDeviceGroups, { query: { search: 'Group 00', sort: '-name', limit: 200 } });
  const columns = [
    { key: 'name' as const, title: 'Name' },
    { key: 'description' as const, title: 'Description' },
    { key: 'devices' as const, title: 'Devices' },
  ];
  const add = (body: RouteCall<typeof addDeviceGroupExport>['body'], actor = own) =>
    service.as(actor)(addDeviceGroupExport, { body });
  const whole = await add({ filter: {}, sort: '-name', columns, name: 'Device groups' });
  expect(whole.name).toBe('Device groups');
  // Rows across the borders of batches appear once and in order.
  expect(await ended(whole.id)).toMatchObject({ status: 'success', done: all, total: all });
  const rows = (await rowsOf(whole.id)).slice(1);
  expect(rows.map((r) => r[0])).toEqual(
    Array.from({ length: all }, (_, i) => `Group ${String(all - i).padStart(4, '0')}`),
  );
  expect(rows[0]).toEqual(['Group 2100', '=1+1', 0]);
  const some = await add({
    filter: { search: 'Group 00' },
    exclude: groups.records.slice(2).map((g) => g.id),
    sort: '-name',
    columns,
  });
  const named = await add({ ids: groups.records.slice(5, 7).map((g) => g.id), sort: 'name', columns });
  await Promise.all([ended(some.id), ended(named.id)]);
  expect((await rowsOf(some.id)).slice(1).map((r) => r[0])).toEqual(groups.records.slice(0, 2).map((g) => g.name));
  expect((await rowsOf(named.id)).slice(1).map((r) => r[0])).toEqual([
    groups.records[6]!.name,
    groups.records[5]!.name,
  ]);

  // A user of another company, or of another organization only, exports nothing.
  for (const stranger of [newActor(), { ...other, orgIds: [other.orgId] }]) {
    const theirs = await add({ filter: {}, columns }, stranger);
    expect(await ended(theirs.id, stranger)).toMatchObject({ status: 'success', total: 0 });
    expect(await rowsOf(theirs.id, stranger)).toHaveLength(1);
  }
  // A user who may not see the list can neither order nor read its files.
  const less = { ...own, permissions: ['device' as const] };
  await expect(add({ filter: {}, columns }, less)).rejects.toMatchObject({ error: 'common.forbidden' });
  await expect(service.as(less)(getDeviceExport, { params: { id: whole.id } })).rejects.toMatchObject({
    error: 'common.notFound',
  });
  expect(await service.as(less)(listDeviceExports)).toEqual([]);
});

const lookAt = (sql: string) => platform(service.database, 'a look for a test', () => currentSql().query(sql));
