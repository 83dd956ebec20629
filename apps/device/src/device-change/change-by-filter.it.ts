import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  addDeviceChange,
  addDeviceDeletion,
  addDeviceExport,
  addDeviceGroup,
  addToDeviceGroup,
  getDevice,
  getDeviceExport,
  listDevices,
  listDeviceChanges,
  listServerNames,
  provisioningDeviceConfig,
  provisioningServer,
  removeFromDeviceGroup,
  tagDevices,
  type DeviceRecord,
  type ListedTarget,
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
  type TestedService,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

type Filter = Extract<ListedTarget, { filter: unknown }>['filter'];

let bus: PostgresBus;
let service: TestedService;
const own = newActor();
let call: ReturnType<TestedService['as']>;
const otherServer = uuidv7();
/** Every filter below matches two of them; of the others one has no facts and one has other facts. */
const devices: Record<'busy' | 'second' | 'plain' | 'calm', DeviceRecord> = {} as never;
let splitAt = '';

beforeAll(async () => {
  bus = await testBus('change_by_filter_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  call = service.as(own);
  const place = await devicePlaces(bus, service)(own);
  await bus.publish([
    toRecord(
      provisioningServer,
      otherServer,
      { id: otherServer, companyId: own.companyId, name: 'Other server', address: 'other.example.com' },
      envelope('server', { companyId: own.companyId, version: 1 }),
    ),
  ]);
  await eventually(async () => expect((await call(listServerNames)).map((s) => s.id)).toContain(otherServer));
  const add = async (n: number, name: string, serverId: string) =>
    (
      await call(addDevice, {
        body: { ...place, serverId, mac: `0c383ed0000${n}`, name, model: 'X7A', sn: `F${n}` },
      })
    ).device;
  devices.plain = await add(1, 'Plain', place.serverId);
  devices.calm = await add(2, 'Calm', place.serverId);
  devices.busy = await add(3, 'Busy', otherServer);
  devices.second = await add(4, 'Second', otherServer);
  splitAt = devices.busy.createdAt;
  const report = async (device: DeviceRecord, address: string, busy: boolean) => {
    const link = new LinkedDevice(bus, device, own.companyId);
    await link.online(undefined, undefined, { address });
    await link.hello({
      lte: busy ? 'EC25' : 'BG96',
      hardware: busy ? 'V2.0' : 'V1.0',
      configVersion: busy ? 'c7' : 'c6',
    });
    await link.state({
      lines: [{ line: 1, account: busy ? '8001' : '9001', status: busy ? 'failed' : 'registered' }],
      dnd: busy ? 'on' : 'off',
      certificate: busy,
      calls: busy ? 2 : 0,
    });
  };
  await report(devices.calm, '192.0.2.7', false);
  for (const device of [devices.busy, devices.second]) await report(device, '198.51.100.7', true);
  await eventually(async () => {
    const seen = await Promise.all([devices.calm, devices.busy, devices.second].map((d) => one(d)));
    expect(seen.map((d) => [d.publicIp, d.dnd, d.hardware])).toEqual([
      ['192.0.2.7', 'off', 'V1.0'],
      ['198.51.100.7', 'on', 'V2.0'],
      ['198.51.100.7', 'on', 'V2.0'],
    ]);
  });
  const { companyId } = own;
  const wanted = ({ id: deviceId }: DeviceRecord, version: string) =>
    toRecord(
      provisioningDeviceConfig,
      deviceId,
      { deviceId, companyId, version, contentId: uuidv7(), fileName: 'x.txt', size: 1, sha256: 'ab' },
      envelope('config', { companyId, version: 1 }),
    );
  await bus.publish([wanted(devices.calm, 'c6'), wanted(devices.busy, 'c8'), wanted(devices.second, 'c8')]);
  await eventually(async () => expect((await call(listDevices, { query: { config: ['none'] } })).total).toBe(1));
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const one = (device: DeviceRecord) => call(getDevice, { params: { id: device.id } });
const ended = (id: string) =>
  eventually(async () => {
    const now = (await call(listDeviceChanges)).find((change) => change.id === id)!;
    expect(now.status).toBe('done');
    return now;
  });

/** Filters that match the busy devices only. */
const filters: readonly (readonly [string, () => Filter])[] = [
  ['SIP server', () => ({ sipServer: [otherServer] })],
  ['line state', () => ({ line: ['failed'] })],
  ['SIP account', () => ({ account: ['8001'] })],
  ['part of a SIP account', () => ({ 'account.contains': ['80'] })],
  ['public IP', () => ({ 'publicIp.contains': ['198.51.100'] })],
  ['DND', () => ({ dnd: ['on'] })],
  ['certificate', () => ({ certificate: ['true'] })],
  ['creation time', () => ({ 'createdAt.from': splitAt })],
  ['hardware version', () => ({ hardware: ['V2.0'] })],
  ['LTE module', () => ({ lte: ['EC25'] })],
  ['number of calls', () => ({ 'calls.from': 1 })],
  ['configuration version', () => ({ configVersion: ['c7'] })],
  ['configuration not loaded yet', () => ({ config: ['behind'] })],
  ['configuration to load', () => ({ 'config.not': ['current', 'none'] })],
  ['fact that is not empty', () => ({ 'dnd.empty': 'false', 'dnd.not': ['off'] })],
];

test.each(filters)(
  'a change of all that match a %s reaches exactly these devices [DEV-05/filter]',
  async (name, filterOf) => {
    const key = `by ${name}`;
    const target = { filter: filterOf() };
    expect(await call(tagDevices, { body: { target, set: [{ key, value: 'yes' }], remove: [] } })).toEqual({
      changed: 2,
    });
    const tagged = await call(listDevices, { query: { tag: [key], sort: 'name' } });
    expect(tagged.records.map((d) => d.name)).toEqual(['Busy', 'Second']);
  },
);

test('edit, groups, export and deletion take a filter without the excluded devices [DEV-05/filter-calls]', async () => {
  const filter: Filter = { line: ['failed'], config: ['behind'] };
  const edited = await call(addDeviceChange, { body: { target: { filter }, set: { model: 'X6U' } } });
  expect(await ended(edited.id)).toMatchObject({ total: 2, done: 2 });
  expect((await Promise.all(Object.values(devices).map(one))).map((d) => d.model)).toEqual([
    'X7A',
    'Fanvil X7A',
    'X6U',
    'X6U',
  ]);
  const group = await call(addDeviceGroup, { body: { name: 'Busy ones', description: '' } });
  const target = { filter, exclude: [devices.second.id] };
  expect(await call(addToDeviceGroup, { params: { id: group.id }, body: target })).toEqual({ added: 1 });
  expect((await one(devices.busy)).groups.map((g) => g.name)).toEqual(['Busy ones']);
  expect(await call(removeFromDeviceGroup, { params: { id: group.id }, body: { filter } })).toEqual({ removed: 1 });
  const order = {
    filter,
    columns: [{ key: 'name' as const, title: 'Name' }],
    words: {},
    clock: { offset: 0, rule: null },
  };
  const file = await call(addDeviceExport, { body: order });
  await eventually(async () =>
    expect(await call(getDeviceExport, { params: { id: file.id } })).toMatchObject({ status: 'success', total: 2 }),
  );
  const deleted = await call(addDeviceDeletion, { body: { target } });
  expect(await ended(deleted.id)).toMatchObject({ total: 1, done: 1 });
  expect((await call(listDevices, { query: { sort: 'name' } })).records.map((d) => d.name)).toEqual([
    'Calm',
    'Plain',
    'Second',
  ]);
});

test('a misspelt filter changes nothing [DEV-05/filter-invalid]', async () => {
  const target = { filter: { publicIP: ['198.51.100.7'] } } as never;
  const body = { target, set: [{ key: 'misspelt', value: 'yes' }], remove: [] };
  await expect(call(tagDevices, { body })).rejects.toMatchObject({ error: 'common.invalid' });
  expect((await call(listDevices, { query: { tag: ['misspelt'] } })).total).toBe(0);
});
