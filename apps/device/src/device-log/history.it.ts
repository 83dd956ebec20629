import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  addDeviceChange,
  addDeviceGroup,
  addToDeviceGroup,
  allocateDevices,
  deleteDevices,
  disableDevices,
  editDevice,
  listAccountNames,
  listDeviceLog,
  listServerNames,
  listSiteNames,
  makeDevicesOfOrders,
  orgCompany,
  orgOrganization,
  orgSite,
  provisioningAccount,
  provisioningServer,
  renewDeviceSecret,
  replaceDevice,
  restoreDevices,
  tagDevices,
  takeBackChannelOrders,
  taskDevice,
  type DeviceLogKind,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  devicePlaces,
  eventually,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type Actor,
  type DevicePlace,
  type TestedService,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let call: ReturnType<TestedService['as']>;
let place: DevicePlace;
const own = newActor();
const branch = uuidv7();
const other = { site: uuidv7(), server: uuidv7() };
const accounts = [uuidv7(), uuidv7()];
const by = 'tester';

beforeAll(async () => {
  bus = await testBus('history_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  call = service.as(own);
  place = await devicePlaces(bus, service)(own);
  const { companyId } = own;
  const about = { companyId, version: 1 };
  const organization = (id: string, name: string) => {
    const data = { id, companyId, name, description: '', updatedAt: new Date().toISOString() };
    return toRecord(orgOrganization, id, data, envelope('organization', about));
  };
  const site = { id: other.site, companyId, parentId: null, name: 'Annex', autoAssign: false, segments: [] };
  const server = { id: other.server, companyId, name: 'Other server', address: 'other.example.com' };
  await bus.publish([
    organization(own.orgId, 'Head'),
    organization(branch, 'Branch'),
    toRecord(orgSite, other.site, site, envelope('site', about)),
    toRecord(provisioningServer, other.server, server, envelope('server', about)),
    ...accounts.map((id, n) =>
      toRecord(
        provisioningAccount,
        id,
        {
          ...{ id, companyId, orgId: own.orgId, name: `Account ${n}`, number: `200${n}` },
          ...{ server: 'Server of devices', closed: false },
        },
        envelope('account', about),
      ),
    ),
  ]);
  await eventually(async () => {
    expect((await call(listSiteNames)).map((s) => s.id)).toContain(other.site);
    expect((await call(listServerNames)).map((s) => s.id)).toContain(other.server);
    expect(await call(listAccountNames, { query: {} })).toHaveLength(2);
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

let count = 0;
const add = async (name: string) => {
  count += 1;
  const mac = `0c383e77${count.toString(16).padStart(4, '0')}`;
  return (await call(addDevice, { body: { ...place, mac, name, model: 'X7A', sn: `H${count}` } })).device;
};
const logOf = async (id: string, kind?: DeviceLogKind[], as: Actor = own) =>
  (await service.as(as)(listDeviceLog, { query: { deviceId: [id], limit: 200, ...(kind ? { kind } : {}) } })).records;
const seen = async (id: string, kind?: DeviceLogKind[]) =>
  (await logOf(id, kind)).map((e) => [e.kind, e.detail]).toReversed();

test('moves to another site and organization are entries with names and user [DEV-07/history-moves]', async () => {
  const device = await add('Moved');
  await call(editDevice, { body: { id: device.id, siteId: other.site } });
  await call(editDevice, { body: { id: device.id, orgId: branch } });
  // The same values again are no move.
  await call(editDevice, { body: { id: device.id, siteId: other.site, orgId: branch } });
  expect(await seen(device.id, ['moved'])).toEqual([
    ['moved', { by, site: { from: 'Place of devices', to: 'Annex' } }],
    ['moved', { by, organization: { from: 'Head', to: 'Branch' } }],
  ]);
});

test('accounts of lines are entries with the former and the new number [DEV-07/history-lines]', async () => {
  const device = await add('Lines');
  const put = (lines: { line: number; accountId: string }[]) => call(editDevice, { body: { id: device.id, lines } });
  await put([{ line: 1, accountId: accounts[0]! }]);
  await put([{ line: 1, accountId: accounts[1]! }]);
  await put([]);
  expect(await seen(device.id, ['account'])).toEqual([
    ['account', { by, line: 1, from: null, to: '2000' }],
    ['account', { by, line: 1, from: '2000', to: '2001' }],
    ['account', { by, line: 1, from: '2001', to: null }],
  ]);
});

test('changes of a user name every field, and those of a device or rule no user [DEV-07/history-changes]', async () => {
  const device = await add('Changed');
  await call(editDevice, { body: { id: device.id, name: 'Renamed', model: 'X6U', serverId: other.server } });
  await call(tagDevices, { body: { target: { ids: [device.id] }, set: [{ key: 'floor', value: '4' }], remove: [] } });
  const group = await call(addDeviceGroup, { body: { name: 'Lobby', description: '' } });
  await call(addToDeviceGroup, { params: { id: group.id }, body: { ids: [device.id] } });
  await call(disableDevices, { body: { ids: [device.id] } });
  const { secret } = await call(renewDeviceSecret, { params: { id: device.id } });
  const changes: DeviceLogKind[] = ['changed', 'secret'];
  expect(await seen(device.id, changes)).toEqual([
    [
      'changed',
      {
        by,
        name: { from: 'Changed', to: 'Renamed' },
        model: { from: 'X7A', to: 'X6U' },
        sipServer: { from: 'Server of devices', to: 'Other server' },
      },
    ],
    ['changed', { by, tags: { from: {}, to: { floor: '4' } } }],
    ['changed', { by, groups: { from: [], to: ['Lobby'] } }],
    ['changed', { by, access: { from: true, to: false } }],
    ['secret', { by }],
  ]);
  expect(JSON.stringify(await logOf(device.id))).not.toContain(secret);
  const link = new LinkedDevice(bus, device, own.companyId);
  await link.online();
  await link.hello({ sn: 'ITS-OWN', model: 'X6U' });
  await eventually(async () =>
    expect((await seen(device.id, ['changed'])).at(-1)).toEqual([
      'changed',
      { sn: { from: device.sn, to: 'ITS-OWN' } },
    ]),
  );
});

test('a change of many devices is an entry of each, with the user who ordered it [DEV-07/history-many]', async () => {
  const devices = [await add('Many a'), await add('Many b')];
  await call(addDeviceChange, {
    body: { target: { filter: { 'name.contains': ['many'] } }, set: { siteId: null } },
  });
  for (const { id } of devices)
    await eventually(async () =>
      expect(await seen(id, ['moved'])).toEqual([['moved', { by, site: { from: 'Place of devices', to: null } }]]),
    );
});

test('coming, deletion, restoring, replacement and handover are entries [DEV-07/history-owners]', async () => {
  const device = await add('Owned');
  await call(deleteDevices, { query: { ids: [device.id] } });
  await call(restoreDevices, { body: { ids: [device.id] } });
  expect(await seen(device.id)).toEqual([
    ['added', { by }],
    ['deleted', { by }],
    ['restored', { by }],
  ]);
  const body = { mac: '0c383e77fff1', sn: 'NEW' };
  const { device: next } = await call(replaceDevice, { params: { id: device.id }, body });
  expect((await seen(device.id)).at(-1)).toEqual(['replaced', { deviceId: next.id, mac: next.mac }]);
  expect((await seen(next.id)).toSorted()).toEqual([
    ['added', { by }],
    ['replaces', { deviceId: device.id, mac: device.mac }],
  ]);
  const channelId = uuidv7();
  const company = (id: string, name: string, above: string[]) =>
    toRecord(
      orgCompany,
      id,
      {
        ...{ id, name, path: `/${[...above, id].join('/')}/`, type: 'reseller', status: 'normal' },
        ...{ fcsLimit: 0, fcsEnabled: false, ...(above[0] ? { parentId: above[0] } : {}) },
      },
      envelope('company', { companyId: id, version: 1 }),
    );
  await bus.publish([company(own.companyId, 'Own', []), company(channelId, 'Channel', [own.companyId])]);
  const order = { target: { ids: [next.id] }, channelId, confirmed: true };
  expect(await eventually(() => call(allocateDevices, { body: order }))).toEqual({ allocated: 1, left: 0 });
  // The history stays with the company where it happened.
  expect(await seen(next.id, ['handedOver'])).toEqual([['handedOver', { step: 'given', company: 'Channel' }]]);
  const channel = { ...newActor(), companyId: channelId };
  expect(await logOf(next.id, undefined, channel)).toEqual([]);

  // Each owner learns from whom the device came, and to whom it went.
  const mine = { target: { macs: [next.mac] }, name: 'Received' };
  await devicePlaces(bus, service)(channel);
  const { devices } = await service.as(channel)(makeDevicesOfOrders, { body: mine });
  const theirs = devices[0]!.id;
  expect((await logOf(theirs, ['added'], channel))[0]!.detail).toEqual({ by, step: 'received', company: 'Own' });
  await call(takeBackChannelOrders, { body: { target: mine.target, confirmed: true } });
  const returned = (await logOf(theirs, ['handedOver'], channel))[0]!;
  expect(returned.detail).toEqual({ step: 'returned', company: 'Own' });
  const [back] = (await call(makeDevicesOfOrders, { body: { ...mine, name: 'Back' } })).devices;
  expect(await seen(back!.id, ['added'])).toEqual([
    ['added', { by, step: 'takenBack', company: 'Channel', deviceId: next.id }],
  ]);
});

test('a device that is added again names the former one of the company with its MAC [DEV-07/history-again]', async () => {
  const first = await add('First');
  await call(deleteDevices, { query: { ids: [first.id] } });
  const body = { ...place, mac: first.mac, name: 'Again', model: 'X7A', sn: 'A1' };
  const { device: again } = await call(addDevice, { body });
  expect(await seen(again.id, ['added'])).toEqual([['added', { by, deviceId: first.id }]]);
  expect((await seen(first.id)).map(([kind]) => kind)).toEqual(['added', 'deleted']);
});

test('the result of a task is one entry of each device, however often it arrives [DEV-07/history-tasks]', async () => {
  const [one, two] = [await add('Task a'), await add('Task b')];
  const at = new Date().toISOString();
  const taskId = uuidv7();
  const names = { en_US: 'Reboot all', zh_CN: '全部重启', pt_BR: 'Reiniciar todos' };
  const result = (run: number, code: string | null) =>
    toRecord(
      taskDevice,
      taskId,
      {
        ...{ taskId, run, name: '모두 재시작', names: { ...names, ko: '모두 재시작' }, action: 'reboot' },
        devices: [one, two].map(({ id, orgId, mac }) => ({
          ...{ deviceId: id, orgId, mac, at, code },
          status: code === null ? ('success' as const) : ('fail' as const),
        })),
      },
      envelope('ended', { companyId: own.companyId }),
    );
  await bus.publish([result(1, null), result(1, null), result(2, 'busy')]);
  const task = { taskId, name: 'Reboot all', action: 'reboot' };
  for (const { id } of [one, two])
    await eventually(async () =>
      expect((await seen(id, ['task'])).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? 1 : -1))).toEqual([
        ['task', { ...task, status: 'success' }],
        ['task', { ...task, status: 'fail', code: 'busy' }],
      ]),
    );
  expect(await logOf(one.id, ['task'], newActor())).toEqual([]);
  expect(await logOf(one.id, ['task'], { ...own, userId: uuidv7(), orgIds: [branch] })).toEqual([]);
});
