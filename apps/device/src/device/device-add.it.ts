import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  addModel,
  editDevice,
  getDevice,
  listAccountNames,
  listDeviceLines,
  listDevices,
  listModelNames,
  listServerNames,
  orgOrganization,
  provisioningAccount,
  provisioningServer,
  suppliedModels,
  type RouteInput,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
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
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
let place: DevicePlace;
const own = newActor();
const stranger = newActor();
const audit: { action: string; detail: Record<string, unknown> }[] = [];
const call = (as: Actor = own) => service.as(as);

beforeAll(async () => {
  bus = await testBus('device_add_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus, {
    deviceAddress: 'mqtts://devices.example.com:8883',
  });
  places = devicePlaces(bus, service);
  place = await places(own);
  await bus.fanout({
    topics: ['audit.v1'],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) audit.push(JSON.parse(r.value!) as (typeof audit)[number]);
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

type Body = RouteInput<typeof addDevice>['body'];
let macs = 0x0c383e200000;
const body = (more: Partial<Record<keyof Body, unknown>> = {}): Body =>
  ({
    ...place,
    mac: (macs++).toString(16).padStart(12, '0'),
    name: `Phone ${macs}`,
    model: 'X4U',
    sn: `S${macs}`,
    ...more,
  }) as Body;
const add = (more: Partial<Record<keyof Body, unknown>> = {}) => call()(addDevice, { body: body(more) });
/** Returns the error of a refused call, and its field. */
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string; fields?: { path: string; error: string }[] }) =>
      (e.fields ?? []).map((f) => `${f.path}: ${f.error}`).join(', ') || e.error,
  );
let version = 1;
/** Publishes an account and waits until the device service knows it. */
async function account(number: string, server = placeServer): Promise<string> {
  const id = uuidv7();
  await bus.publish([
    toRecord(
      provisioningAccount,
      id,
      { id, companyId: own.companyId, orgId: own.orgId, name: `Account ${number}`, number, server },
      envelope('account', { companyId: own.companyId, version: ++version }),
    ),
  ]);
  await eventually(async () => expect(await call()(listAccountNames, { query: { id } })).toHaveLength(1));
  return id;
}
async function server(name: string): Promise<string> {
  const id = uuidv7();
  await bus.publish([
    toRecord(
      provisioningServer,
      id,
      { id, companyId: own.companyId, name, address: 'other.example.com' },
      envelope('server', { companyId: own.companyId, version: ++version }),
    ),
  ]);
  await eventually(async () => expect((await call()(listServerNames)).map((s) => s.id)).toContain(id));
  return id;
}
const onLines = (...accountIds: string[]) => accountIds.map((accountId, i) => ({ line: i + 1, accountId }));

test('each missing, unknown or foreign value of a new device is refused with its own error [DEV-02/chosen]', async () => {
  const theirs = await places(stranger);
  const before = (await call()(listDevices, { query: {} })).total;
  for (const [more, expected] of [
    [{ model: undefined }, 'model: device.modelMissing'],
    [{ model: ' ' }, 'model: device.modelMissing'],
    [{ model: 'zzz' }, 'model: device.modelUnknown'],
    [{ siteId: undefined }, 'siteId: device.siteMissing'],
    [{ siteId: null }, 'siteId: device.siteMissing'],
    [{ siteId: uuidv7() }, 'siteId: device.siteMissing'],
    [{ siteId: theirs.siteId }, 'siteId: device.siteMissing'],
    [{ serverId: undefined }, 'serverId: device.serverMissing'],
    [{ serverId: uuidv7() }, 'serverId: device.serverMissing'],
    [{ serverId: theirs.serverId }, 'serverId: device.serverMissing'],
    [{ sn: undefined }, 'sn: device.snMissing'],
    [{ sn: '' }, 'sn: device.snMissing'],
  ] as const)
    expect([more, await refusal(add(more))]).toEqual([more, expected]);
  expect((await call()(listDevices, { query: {} })).total).toBe(before);
  const { device, secret, connect } = await add({ model: 'yealink sip-t46u' });
  expect(device).toMatchObject({
    model: 'SIP-T46U',
    site: { id: place.siteId },
    server: { id: place.serverId, name: placeServer },
  });
  expect(connect.address).toBe('mqtts://devices.example.com:8883');
  expect(Buffer.from(connect.qr.split(',')[1]!, 'base64').toString()).toMatch(/^<svg/);
  expect(connect.qr).not.toContain(secret);
  // The device is found by its server, and by having one.
  const found = async (query: object) =>
    (await call()(listDevices, { query: { ...query, search: device.mac } })).records.map((d) => d.id);
  expect([
    await found({ sipServer: [place.serverId] }),
    await found({ 'sipServer.empty': 'false' }),
    await found({ sipServer: [uuidv7()] }),
    await found({ sipServer: ['none'] }),
  ]).toEqual([[device.id], [device.id], [], []]);
});

test("accepts models of the own company like supplied ones, but not another company's [DEV-02/models]", async () => {
  const fields = {
    showName: '',
    internalName: 'qq-1',
    series: 'Qq',
    type: 'general' as const,
    sipCount: 3,
    doorCount: 0,
    softDssKeys: 0,
    dssKeysPerPage: 0,
    dssKeyPages: 0,
    sideKeysPerPage: 0,
    sideKeyPages: 0,
    hiddenItems: [],
    secondScreen: false,
    mutualAuth: false,
  };
  await call()(addModel, { body: { ...fields, name: 'Qq phone' } });
  await call(stranger)(addModel, { body: { ...fields, name: 'Theirs' } });
  expect((await add({ model: 'QQ-1' })).device.model).toBe('Qq phone');
  expect(await refusal(add({ model: 'Theirs' }))).toBe('model: device.modelUnknown');
  const names = await call()(listModelNames);
  expect(names.find((m) => m.name === 'Qq phone')).toEqual({
    name: 'Qq phone',
    showName: '',
    series: 'Qq',
    lines: 3,
    auto: true,
  });
  expect(names.map((m) => m.name)).not.toContain('Theirs');
  expect(names).toHaveLength(suppliedModels.length + 1);
});

test('Auto needs a series and is refused for listed models, in any letter case [DEV-02]', async () => {
  const listed = (await call()(listModelNames)).filter((m) => !m.auto && m.series !== '').map((m) => m.series);
  expect([...new Set(listed)].toSorted()).toEqual(['Fanvil i', 'Grandstream GDS']);
  expect(await refusal(add({ model: 'Auto' }))).toBe('series: device.seriesMissing');
  expect(await refusal(add({ model: 'Auto', series: 'Nobody’s' }))).toBe('series: device.seriesMissing');
  for (const series of listed)
    for (const model of ['Auto', 'AUTO'])
      expect(await refusal(add({ model, series }))).toBe('model: device.autoRefused');
  expect((await add({ model: 'auto', series: 'fanvil x' })).device.model).toBe('Auto');
});

test('lines of a new device are validated and need a permission [DEV-02] [ROLE-03/line]', async () => {
  const accounts: string[] = [];
  for (const n of [1, 2, 3, 4, 5, 6]) accounts.push(await account(`20${n}`));
  const other = await server('Other server');
  const foreign = await account('299', 'Other server');
  expect(await call()(listAccountNames, { query: { serverId: other } })).toMatchObject([{ id: foreign }]);
  const [a, b, c] = accounts as [string, string, string];
  for (const [more, expected] of [
    [{ lines: onLines(...accounts) }, 'lines: device.linesMany'],
    [{ lines: [{ line: 6, accountId: a }] }, 'lines.0.line: device.linesMany'],
    [{ lines: onLines(a, b, c), model: 'GRP2612P' }, 'lines: device.linesMany'],
    [{ lines: [...onLines(a), ...onLines(b)] }, 'lines: device.lineTwice'],
    [{ lines: onLines(uuidv7()) }, 'lines: device.accountMissing'],
    [{ lines: onLines(foreign) }, 'lines: device.accountServer'],
    [{ lines: onLines(a), serverId: other }, 'lines: device.accountServer'],
  ] as const)
    expect([more, (await refusal(add(more))).split(', ')[0]]).toEqual([more, expected]);
  const installer = { ...own, permissions: ['device', 'addDevice'] as const };
  expect(await refusal(call(installer)(addDevice, { body: body({ lines: onLines(a) }) }))).toBe('common.forbidden');

  const { device, also } = await add({ lines: onLines(...accounts.slice(0, 5)) });
  expect(also).toEqual([]);
  const lines = await call()(listDeviceLines, { query: { deviceId: device.id } });
  expect(lines.map((l) => l.account?.number)).toEqual(['201', '202', '203', '204', '205']);
  expect((await add({ lines: onLines(c) })).also).toEqual([{ id: device.id, name: device.name, line: 3 }]);
  // A phone with two lines shows two.
  const small = await add({ model: 'GRP2612P', lines: onLines(a) });
  expect(await call()(listDeviceLines, { query: { deviceId: small.device.id } })).toHaveLength(2);
});

test('fields of a device are edited all or none and logged [DEV-05/edit-one] [ROLE-03/edit]', async () => {
  const [a, b] = [await account('301'), await account('302')];
  const other = await server('Third server');
  const elsewhere = await account('303', 'Third server');
  const branch = uuidv7();
  await bus.publish([
    toRecord(
      orgOrganization,
      branch,
      { id: branch, companyId: own.companyId, name: 'Branch', description: '', updatedAt: new Date().toISOString() },
      envelope('organization', { companyId: own.companyId, version: 1 }),
    ),
  ]);
  const { device } = await add({ lines: onLines(a, b) });
  const edit = (more: object, as = own) => call(as)(editDevice, { body: { id: device.id, ...more } });
  const same = await call()(getDevice, { params: { id: device.id } });
  for (const [more, expected] of [
    [{ name: 'Kept out', model: 'zzz' }, 'model: device.modelUnknown'],
    [{ name: 'Kept out', siteId: uuidv7() }, 'siteId: device.siteMissing'],
    [{ name: 'Kept out', serverId: other }, 'lines: device.accountServer'],
    [{ name: 'Kept out', lines: [{ line: 3, accountId: a }], model: 'GRP2612P' }, 'lines: device.linesMany'],
    [{ name: 'Kept out', orgId: uuidv7() }, 'common.notFound'],
  ] as const)
    expect([more, await refusal(edit(more))]).toEqual([more, expected]);
  expect(await refusal(edit({ name: 'x' }, stranger))).toBe('common.notFound');
  const editor = { ...own, permissions: ['device', 'editDevice'] as const };
  expect(await refusal(call(editor)(editDevice, { body: { id: device.id, lines: [] } }))).toBe('common.forbidden');
  expect(await call()(getDevice, { params: { id: device.id } })).toEqual(same);

  await eventually(() => edit({ orgId: branch, name: 'Moved' }));
  const changed = await edit({ model: 'X6U', sn: 'S-new', serverId: other, lines: onLines(elsewhere) });
  expect(changed).toMatchObject({
    name: 'Moved',
    model: 'X6U',
    sn: 'S-new',
    orgId: branch,
    site: same.site,
    server: { id: other },
    also: [],
  });
  await eventually(() =>
    expect(audit.filter((e) => e.action === 'device.edit' && e.detail['after']).map((e) => e.detail)).toEqual([
      { before: { name: device.name, organization: null }, after: { name: 'Moved', organization: 'Branch' } },
      {
        before: { model: 'X4U', sn: device.sn, server: placeServer, accounts: '1, 2' },
        after: { model: 'X6U', sn: 'S-new', server: 'Third server', accounts: '1' },
      },
    ]),
  );
});

test("the device list follows a server's renaming, deletion and restoring", async () => {
  const id = await server('Fourth server');
  const { device } = await add({ serverId: id });
  const shown = async () => (await call()(getDevice, { params: { id: device.id } })).server;
  const publish = (name: string | null) =>
    bus.publish([
      toRecord(
        provisioningServer,
        id,
        name === null ? null : { id, companyId: own.companyId, name, address: 'a.example.com' },
        envelope('server', { companyId: own.companyId, version: ++version }),
      ),
    ]);
  await publish('Renamed server');
  await eventually(async () => expect((await shown())?.name).toBe('Renamed server'));
  await publish(null);
  await eventually(async () => expect(await shown()).toBeNull());
  expect(await refusal(add({ serverId: id }))).toBe('serverId: device.serverMissing');
  await publish('Back again');
  await eventually(async () => expect((await shown())?.name).toBe('Back again'));
});
