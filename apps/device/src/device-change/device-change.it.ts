import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  addDeviceChange,
  addDeviceDeletion,
  assignAccount,
  deleteDeviceChange,
  deleteDevices,
  deviceCredential,
  deviceState,
  getDevice,
  listAccountNames,
  listDeviceChangeRows,
  listDeviceChanges,
  listDevices,
  listServerNames,
  orgOrganization,
  provisioningAccount,
  provisioningServer,
  retryDeviceChange,
  type DeviceView,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { currentSql, platform, uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  devicePlaces,
  eventually,
  newActor,
  placeServer,
  testBus,
  testService,
  type Actor,
  type DevicePlace,
  type TestedService,
} from '@carillon/testing';
import { deviceService, newSecret, seedDevices } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let place: DevicePlace;
const own = newActor();
const stranger = newActor();
const branch = uuidv7();
const other = { id: uuidv7(), name: 'Other server' };
const views = new Map<string, DeviceView | null>();
const owners = new Map<string, string>();
const call = (as: Actor = own) => service.as(as);

beforeAll(async () => {
  bus = await testBus('device_change_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  place = await devicePlaces(bus, service)(own);
  await bus.fanout({
    topics: [deviceState.name, deviceCredential.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records)
        if (r.topic === deviceState.name) views.set(r.key, fromRecord(deviceState, r)!.data);
        else owners.set(r.key, fromRecord(deviceCredential, r)!.data?.orgId ?? 'gone');
    },
  });
  const about = { companyId: own.companyId, version: 1 };
  await bus.publish([
    toRecord(
      orgOrganization,
      branch,
      { id: branch, companyId: own.companyId, name: 'Branch', description: '', updatedAt: new Date().toISOString() },
      envelope('organization', about),
    ),
    toRecord(
      provisioningServer,
      other.id,
      { ...other, companyId: own.companyId, address: 'other.example.com' },
      envelope('server', about),
    ),
  ]);
  await eventually(async () => expect((await call()(listServerNames)).map((s) => s.id)).toContain(other.id));
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

let macs = 0x0c383e400000;
const add = async (name: string) =>
  (
    await call()(addDevice, {
      body: { ...place, mac: (macs++).toString(16).padStart(12, '0'), name, model: 'X4U', sn: `S${macs}` },
    })
  ).device;
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const over = (id: string, as: Actor = own, withinMs = 30_000) =>
  eventually(async () => {
    const now = (await call(as)(listDeviceChanges)).find((change) => change.id === id)!;
    expect(now.status).toBe('done');
    return now;
  }, withinMs);
const one = (id: string) => call()(getDevice, { params: { id } });
const found = async (query: object) =>
  (await call()(listDevices, { query: { ...query, sort: 'name', size: 200 } })).records.map((d) => d.name);

test('changes model, organization, site and server, and counts every outcome [DEV-05/edit]', async () => {
  const devices = [await add('Bulk a'), await add('Bulk b'), await add('Bulk c'), await add('Bulk d')];
  const made = await call()(addDeviceChange, {
    body: {
      target: { filter: { 'name.contains': ['bulk'] }, exclude: [devices[3]!.id] },
      set: { model: 'fanvil x6u', orgId: branch, siteId: null, serverId: other.id },
    },
  });
  expect(made).toMatchObject({
    kind: 'edit',
    set: { model: 'X6U', organization: 'Branch', site: null, server: 'Other server' },
    total: 3,
  });
  expect(await over(made.id)).toMatchObject({ total: 3, done: 3, unchanged: 0, failed: 0 });
  for (const { id } of devices.slice(0, 3)) {
    expect(await one(id)).toMatchObject({ model: 'X6U', orgId: branch, site: null, server: other });
    await eventually(() =>
      expect([views.get(id)?.orgId, views.get(id)?.model, owners.get(id)]).toEqual([branch, 'X6U', branch]),
    );
  }
  expect(await one(devices[3]!.id)).toMatchObject({ model: 'X4U', orgId: own.orgId, site: { id: place.siteId } });
  expect(await found({ change: [`${made.id}.done`] })).toEqual(['Bulk a', 'Bulk b', 'Bulk c']);

  const again = await call()(addDeviceChange, {
    body: { target: { ids: devices.map((d) => d.id) }, set: { serverId: other.id } },
  });
  expect(await over(again.id)).toMatchObject({ total: 4, done: 1, unchanged: 3 });
  expect(await found({ change: [`${again.id}.unchanged`] })).toEqual(['Bulk a', 'Bulk b', 'Bulk c']);
});

test('changes what it can, gives reasons for the rest, and retries only failed devices [DEV-05/retry]', async () => {
  const [free, used, gone] = [await add('Retry a'), await add('Retry b'), await add('Retry c')];
  const account = uuidv7();
  const publish = (server: string, version: number) =>
    bus.publish([
      toRecord(
        provisioningAccount,
        account,
        { id: account, companyId: own.companyId, orgId: own.orgId, name: 'Account', number: '77', server },
        envelope('account', { companyId: own.companyId, version }),
      ),
    ]);
  await publish(placeServer, 1);
  await eventually(async () => expect(await call()(listAccountNames, { query: { id: account } })).toHaveLength(1));
  await call()(assignAccount, { body: { deviceId: used.id, accountId: account } });
  const target = { ids: [free.id, used.id, gone.id] };
  const made = await call()(addDeviceChange, { body: { target, set: { serverId: other.id } } });
  expect(await over(made.id)).toMatchObject({ total: 3, done: 2, failed: 1 });
  const failed = async () =>
    (await call()(listDeviceChangeRows, { params: { id: made.id }, query: { state: 'failed' } })).records.map((row) => [
      row.name,
      row.msg,
    ]);
  expect(await failed()).toEqual([['Retry b', 'The account belongs to another SIP server than the device.']]);
  expect(await found({ change: [`${made.id}.failed`] })).toEqual(['Retry b']);

  await publish('Other server', 2);
  await eventually(async () =>
    expect((await call()(listAccountNames, { query: { id: account } }))[0]?.server).toBe('Other server'),
  );
  expect(await call()(retryDeviceChange, { params: { id: made.id } })).toMatchObject({ done: 2, failed: 0 });
  expect(await over(made.id)).toMatchObject({ total: 3, done: 3, failed: 0 });
  expect(await failed()).toEqual([]);
  expect((await one(used.id)).server).toEqual(other);

  // Other users cannot see, retry or dismiss a user's changes.
  const colleague = { ...own, userId: uuidv7() };
  for (const as of [colleague, stranger])
    expect([
      (await call(as)(listDeviceChanges)).length,
      await refusal(call(as)(listDeviceChangeRows, { params: { id: made.id }, query: {} })),
      await refusal(call(as)(retryDeviceChange, { params: { id: made.id } })),
      await refusal(call(as)(deleteDeviceChange, { params: { id: made.id } })),
    ]).toEqual([0, 'common.notFound', 'common.notFound', 'common.notFound']);
  const reader = { ...own, permissions: ['device'] as const };
  expect(await refusal(call(reader)(retryDeviceChange, { params: { id: made.id } }))).toBe('common.forbidden');
  await call()(deleteDeviceChange, { params: { id: made.id } });
  expect((await call()(listDeviceChanges)).map((change) => change.id)).not.toContain(made.id);
});

test('refuses a change without content, without visible devices or with an unknown target', async () => {
  const device = await add('Refused a');
  const target = { ids: [device.id] };
  for (const [body, error] of [
    [{ target, set: {} }, 'device.changeEmpty'],
    [{ target, set: { model: 'zzz' } }, 'device.modelUnknown'],
    [{ target, set: { siteId: uuidv7() } }, 'device.siteMissing'],
    [{ target, set: { serverId: uuidv7() } }, 'device.serverMissing'],
    [{ target, set: { orgId: uuidv7() } }, 'common.notFound'],
    [{ target: { ids: [uuidv7()] }, set: { siteId: null } }, 'common.notFound'],
    [{ target: { filter: { nme: 'x' } }, set: { siteId: null } }, 'common.invalid'],
  ] as const)
    expect([body, await refusal(call()(addDeviceChange, { body: body as never }))]).toEqual([body, error]);
  expect(await refusal(call(stranger)(addDeviceChange, { body: { target, set: { siteId: null } } }))).toBe(
    'common.notFound',
  );
  // A user of one organization changes devices of no other one.
  const narrow = { ...own, orgIds: [branch], orgId: branch };
  const everything = await call(narrow)(addDeviceChange, { body: { target: { filter: {} }, set: { siteId: null } } });
  await over(everything.id, narrow);
  expect(await one(device.id)).toMatchObject(device);
});

test(
  '20,000 devices are assigned to a site, to an organization and deleted [DEV-05/many]',
  { tags: 'slow', timeout: 300_000 },
  async () => {
    const many = newActor();
    const there = await devicePlaces(bus, service)(many);
    const north = uuidv7();
    await bus.publish([
      toRecord(
        orgOrganization,
        north,
        { id: north, companyId: many.companyId, name: 'North', description: '', updatedAt: new Date().toISOString() },
        envelope('organization', { companyId: many.companyId, version: 1 }),
      ),
    ]);
    await seedDevices(
      service.database,
      many,
      Array.from({ length: 20_000 }, (_, n) => ({
        mac: `02cb${n.toString(16).padStart(8, '0')}`,
        name: `Many ${n}`,
        model: 'X4U',
        sn: `M${n}`,
        secret: newSecret(),
      })),
    );
    const done = async (order: () => Promise<{ id: string; total: number }>) => {
      const { id, total } = await order();
      expect(total).toBe(20_000);
      expect(await over(id, many, 120_000)).toMatchObject({ done: 20_000, failed: 0 });
    };
    const target = { filter: {} };
    const set = (to: object) => () => call(many)(addDeviceChange, { body: { target, set: to } });
    await done(set({ siteId: there.siteId }));
    await eventually(() => done(set({ orgId: north })), 60_000);
    await done(() => call(many)(addDeviceDeletion, { body: { target } }));
    expect((await call(many)(listDevices, { query: {} })).total).toBe(0);
  },
);

test('deletes a selection, reports devices that are gone, and spares other companies [DEV-05/delete]', async () => {
  const [a, b, theirs] = [await add('Delete a'), await add('Delete b'), newActor()];
  expect(await refusal(call(theirs)(addDeviceDeletion, { body: { target: { ids: [a.id] } } }))).toBe('common.notFound');
  const reader = { ...own, permissions: ['device', 'editDevice'] as const };
  expect(await refusal(call(reader)(addDeviceDeletion, { body: { target: { ids: [a.id] } } }))).toBe(
    'common.forbidden',
  );
  const made = await call()(addDeviceDeletion, { body: { target: { ids: [a.id, b.id] } } });
  expect(made).toMatchObject({ kind: 'delete', total: 2 });
  expect(await over(made.id)).toMatchObject({ done: 2, failed: 0 });
  await eventually(() => expect([views.get(a.id), views.get(b.id)]).toEqual([null, null]));

  // Deletions of another company, blocked halfway, keep the runner from this one until its device is gone.
  const busy = newActor();
  await seedDevices(
    service.database,
    busy,
    ['02cd00000001', '02cd00000002'].map((mac) => ({ mac, name: mac, model: 'X4U', sn: mac, secret: newSecret() })),
  );
  const held = (await call(busy)(listDevices, { query: {} })).records.map((device) => device.id);
  expect(held).toHaveLength(2);
  const c = await add('Delete c');
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = platform(service.database, 'hold the devices that are deleted', async () => {
    await currentSql().query('select 1 from device where id = any ($1::uuid[]) for update', [held]);
    locked.resolve();
    await release.promise;
  });
  await Promise.race([locked.promise, holding]);
  let late: { id: string };
  try {
    for (const id of held) await call(busy)(addDeviceDeletion, { body: { target: { ids: [id] } } });
    late = await call()(addDeviceDeletion, { body: { target: { ids: [c.id] } } });
    await call()(deleteDevices, { query: { ids: [c.id] } });
  } finally {
    release.resolve();
    await holding;
  }
  expect(await over(late.id)).toMatchObject({ total: 1, done: 0, failed: 1 });
  const rows = await call()(listDeviceChangeRows, { params: { id: late.id }, query: { state: 'failed' } });
  expect(rows.records.map((row) => [row.name, row.msg])).toEqual([
    ['Delete c', 'This does not exist or is not yours.'],
  ]);
  // A deletion of devices that are already gone is refused.
  expect(await refusal(call()(addDeviceDeletion, { body: { target: { ids: [c.id] } } }))).toBe('common.notFound');
});
