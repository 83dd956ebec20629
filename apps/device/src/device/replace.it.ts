import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  addDeviceGroup,
  addToDeviceGroup,
  assignAccount,
  deviceCredential,
  deviceState,
  getDevice,
  linkCommand,
  listAccountNames,
  listDeviceLines,
  listDeviceLog,
  listDevices,
  listMacDisputes,
  permissionKeys,
  provisioningAccount,
  replaceDevice,
  restoreDevices,
  tagDevices,
  type DeviceView,
} from '@carillon/contracts';
import { claimTries } from '@carillon/contracts/constants';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  deliver,
  devicePlaces,
  eventually,
  LinkedDevice,
  newActor,
  placeServer,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';
import { hashOf } from './device.service.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
const own = newActor();
const stranger = newActor();
const chief = newActor({ permissions: permissionKeys });
const call = (as: Actor = own) => service.as(as);
const views = new Map<string, DeviceView | null>();
const hashes = new Map<string, string | null>();
const closed: string[] = [];

beforeAll(async () => {
  bus = await testBus('replace_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus, {
    deviceAddress: 'mqtts://devices.example.com:8883',
  });
  places = devicePlaces(bus, service);
  await bus.fanout({
    topics: [deviceState.name, deviceCredential.name, linkCommand.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records)
        if (r.topic === deviceState.name) views.set(r.key, fromRecord(deviceState, r)!.data);
        else if (r.topic === deviceCredential.name)
          hashes.set(r.key, fromRecord(deviceCredential, r)!.data?.secretHash ?? null);
        else if (r.headers['type'] === 'close') closed.push(r.key);
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

let macs = 0x0c383e600000;
const nextMac = () => (macs++).toString(16).padStart(12, '0');
const add = async (name: string, as: Actor = own) =>
  (await call(as)(addDevice, { body: { ...(await places(as)), mac: nextMac(), name, model: 'X4U', sn: `S${macs}` } }))
    .device;
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const replace = (id: string, mac: string, as: Actor = own, sn = 'NEW-1', claimCode?: string) =>
  call(as)(replaceDevice, { params: { id }, body: { mac, sn, ...(claimCode ? { claimCode } : {}) } });
const logOf = async (id: string) =>
  (await call()(listDeviceLog, { query: { deviceId: [id] } })).records
    .filter((e) => e.kind !== 'added')
    .map((e) => [e.kind, e.detail['mac'] ?? null]);

test('a new MAC takes over all settings [DEV-13/lines] [DEV-13/configuration] [DEV-13/site] [DEV-13/group]', async () => {
  const old = await add('Broken phone');
  const link = new LinkedDevice(bus, old, own.companyId);
  await link.online();
  await link.hello({ model: 'X4U', configVersion: '7' });
  await eventually(async () => expect((await call()(getDevice, { params: { id: old.id } })).configVersion).toBe('7'));
  const account = uuidv7();
  await bus.publish([
    toRecord(
      provisioningAccount,
      account,
      { id: account, companyId: own.companyId, orgId: own.orgId, name: 'Desk', number: '100', server: placeServer },
      envelope('account', { companyId: own.companyId, version: 1 }),
    ),
  ]);
  await eventually(async () => expect(await call()(listAccountNames, { query: { id: account } })).toHaveLength(1));
  await call()(assignAccount, { body: { deviceId: old.id, accountId: account, line: 3 } });
  const group = await call()(addDeviceGroup, { body: { name: 'Desks', description: '' } });
  await call()(addToDeviceGroup, { params: { id: group.id }, body: { ids: [old.id] } });
  await call()(tagDevices, { body: { target: { ids: [old.id] }, set: [{ key: 'floor', value: '5' }], remove: [] } });
  const before = await call()(getDevice, { params: { id: old.id } });

  const mac = nextMac();
  const { device, secret, connect } = await replace(old.id, mac);
  expect(device.id).not.toBe(old.id);
  expect(device).toMatchObject({
    mac,
    sn: 'NEW-1',
    name: before.name,
    model: 'X4U',
    orgId: before.orgId,
    site: before.site,
    server: before.server,
    groups: before.groups,
    tags: { floor: '5' },
    configVersion: '7',
    state: 'notConfigured',
    lastConfigAt: null,
    firmware: null,
  });
  expect(before.groups).toHaveLength(1);
  expect(connect.address).toBe('mqtts://devices.example.com:8883');
  const lines = await call()(listDeviceLines, { query: { deviceId: device.id } });
  expect(lines.map((l) => l.account?.number ?? null)).toEqual([null, null, '100', null, null]);
  // Published together: every copy has the new device and no longer the old one.
  await eventually(() => {
    expect(views.get(device.id)).toMatchObject({
      mac,
      groupIds: [group.id],
      tags: { floor: '5' },
      accounts: [{ line: 3, accountId: account }],
    });
    expect([views.get(old.id), hashes.get(old.id), hashes.get(device.id)]).toEqual([null, null, hashOf(secret)]);
    expect(closed).toContain(old.id);
  });
  expect(await refusal(call()(getDevice, { params: { id: old.id } }))).toBe('common.notFound');
  expect(await refusal(call()(restoreDevices, { body: { ids: [old.id] } }))).toBe('device.restoreOver');
  expect((await call()(listDevices, { query: { search: 'broken phone' } })).total).toBe(1);
  const arrived = new LinkedDevice(bus, device, own.companyId);
  await arrived.online();
  await arrived.hello({ model: 'X4U', configVersion: '7' });
  await eventually(async () => expect((await call()(getDevice, { params: { id: device.id } })).state).toBe('online'));
});

test("both logs name the other device, and the old one's history is kept [DEV-13/histories]", async () => {
  const old = await add('Logged phone');
  const link = new LinkedDevice(bus, old, own.companyId);
  await link.online();
  await eventually(async () => expect(await logOf(old.id)).toEqual([['online', null]]));
  const first = (await replace(old.id, nextMac())).device;
  const second = (await replace(first.id, nextMac())).device;
  expect(await logOf(old.id)).toEqual([
    ['replaced', first.mac],
    ['online', null],
  ]);
  expect((await logOf(first.id)).toSorted()).toEqual([
    ['replaced', second.mac],
    ['replaces', old.mac],
  ]);
  expect(await logOf(second.id)).toEqual([['replaces', first.mac]]);
  const query = { deviceId: [second.id], kind: ['replaces' as const] };
  const [entry] = (await call()(listDeviceLog, { query })).records;
  expect(entry!.detail).toEqual({ deviceId: first.id, mac: first.mac });
});

test('an invalid replacement changes nothing [DEV-13/refused]', async () => {
  const old = await add('Kept phone');
  const other = await add('Other phone');
  const theirs = await add('Their phone', stranger);
  expect([
    await refusal(replace(old.id, '0c383e')),
    await refusal(replace(old.id, 'ffffffffffff')),
    await refusal(replace(old.id, old.mac)),
    await refusal(replace(old.id, other.mac)),
    await refusal(replace(old.id, theirs.mac)),
    await refusal(replace(old.id, nextMac(), own, ' ')),
    await refusal(replace(old.id, nextMac(), { ...own, permissions: ['device', 'editDevice', 'addDevice'] })),
    await refusal(replace(old.id, nextMac(), stranger)),
    await refusal(replace(uuidv7(), nextMac())),
  ]).toEqual([
    'device.macFormat',
    'device.macNotOwn',
    'device.macTaken',
    'device.macTaken',
    'device.macTaken',
    'device.snMissing',
    'common.forbidden',
    'common.notFound',
    'common.notFound',
  ]);
  expect(await call()(getDevice, { params: { id: old.id } })).toMatchObject(old);
  expect(await logOf(old.id)).toEqual([]);
});

test('a claim code takes the new MAC from a company that only typed it [DEV-13/claim]', async () => {
  const [old, typed, used] = [await add('Broken lobby'), await add('Typed', stranger), await add('Used', stranger)];
  const [claimCode, wrong] = ['LOBBY-CODE-0001', 'WRONG-CODE-1'];
  await deliver(
    call(chief),
    [typed, used].map(({ mac }) => ({ mac, sn: 'NEW-1', claimCode })),
  );
  await new LinkedDevice(bus, used, stranger.companyId).online();
  await eventually(async () =>
    expect((await call(stranger)(getDevice, { params: { id: used.id } })).onlineSince).not.toBeNull(),
  );
  const claim = (mac: string, code = claimCode) => refusal(replace(old.id, mac, own, 'NEW-1', code));
  expect(await refusal(replace(old.id, typed.mac))).toBe('device.macTaken');
  expect(await claim(typed.mac, '12-3')).toBe('device.claimCodeFormat');
  expect(await claim(typed.mac, wrong)).toBe('device.claimRefused');
  // The company whose device was online keeps the MAC until the super administrator decides.
  expect(await claim(used.mac)).toBe('device.macTaken');
  expect((await call(chief)(listMacDisputes, {})).find((d) => d.mac === used.mac)).toMatchObject({
    holder: { id: stranger.companyId },
    claims: [{ id: own.companyId, model: 'X4U', proof: 'claim' }],
  });
  const unknown = nextMac();
  for (let n = 0; n < claimTries.mac; n++) expect(await claim(unknown, wrong)).toBe('device.claimRefused');
  expect(await claim(unknown)).toBe('device.claimLocked');
  expect(await call()(getDevice, { params: { id: old.id } })).toMatchObject(old);
  expect((await call(stranger)(getDevice, { params: { id: typed.id } })).mac).toBe(typed.mac);

  const { device } = await replace(old.id, typed.mac, own, 'new-1', claimCode);
  expect(device).toMatchObject({ mac: typed.mac, name: 'Broken lobby' });
  expect(await refusal(call(stranger)(getDevice, { params: { id: typed.id } }))).toBe('common.notFound');
  expect(await logOf(old.id)).toEqual([['replaced', typed.mac]]);
});
