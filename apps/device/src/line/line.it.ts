import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  assignAccount,
  deleteDevices,
  deviceState,
  listAccountNames,
  listDeviceLines,
  provisioningAccount,
  restoreDevices,
  unassignAccount,
  type DeviceView,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type Actor,
  type TestedService,
  devicePlaces,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
const own = newActor();
const stranger = newActor();
const call = (as: Actor = own) => service.as(as);
/** The last published state of each device. */
const published = new Map<string, DeviceView | null>();

beforeAll(async () => {
  bus = await testBus('line_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  places = devicePlaces(bus, service);
  await bus.fanout({
    topics: [deviceState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) published.set(r.key, fromRecord(deviceState, r)!.data);
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

let version = 1;
const publishAccount = (id: string, number: string | null, as: Actor = own, orgId = as.orgId, closed = false) =>
  bus.publish([
    toRecord(
      provisioningAccount,
      id,
      number === null
        ? null
        : { id, companyId: as.companyId, orgId, name: `Account ${number}`, number, server: 'PBX', closed },
      envelope('account', { companyId: as.companyId, version: ++version }),
    ),
  ]);
/** Publishes an account and waits until the device service knows it. */
async function account(number: string, as: Actor = own): Promise<string> {
  const id = uuidv7();
  await publishAccount(id, number, as);
  await eventually(async () => expect(await call(as)(listAccountNames, { query: { id } })).toHaveLength(1));
  return id;
}
let macs = 0x0c383e100000;
const newDevice = async (as: Actor = own) =>
  (
    await call(as)(addDevice, {
      body: {
        ...(await places(as)),
        mac: (macs++).toString(16).padStart(12, '0'),
        name: `Phone ${macs}`,
        model: 'X7A',
        sn: `S${macs}`,
      },
    })
  ).device;
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const assign = (deviceId: string, accountId: string, line?: number, as: Actor = own) =>
  call(as)(assignAccount, { body: { deviceId, accountId, ...(line === undefined ? {} : { line }) } });
const numbers = async (deviceId: string) =>
  (await call()(listDeviceLines, { query: { deviceId } })).map((l) => l.account?.number ?? null);

test('a device has at most five lines, and an account is replaced only on request [DEV-02] [ACC-02/assign]', async () => {
  const device = await newDevice();
  const accounts: string[] = [];
  for (const n of [1, 2, 3, 4, 5, 6]) accounts.push(await account(`10${n}`));
  expect(await numbers(device.id)).toEqual([null, null, null, null, null]);
  expect((await assign(device.id, accounts[0]!, 2)).line).toBe(2);
  expect([(await assign(device.id, accounts[1]!)).line, (await assign(device.id, accounts[2]!)).line]).toEqual([1, 3]);
  await assign(device.id, accounts[3]!);
  await assign(device.id, accounts[4]!);
  expect(await numbers(device.id)).toEqual(['102', '101', '103', '104', '105']);
  expect(await refusal(assign(device.id, accounts[5]!))).toBe('device.linesFull');
  for (const line of [0, 6, 1.5]) expect(await refusal(assign(device.id, accounts[5]!, line))).toBe('common.invalid');
  await assign(device.id, accounts[5]!, 1);
  expect(await numbers(device.id)).toEqual(['106', '101', '103', '104', '105']);
  await call()(unassignAccount, { query: { deviceId: device.id, line: 2 } });
  expect(await numbers(device.id)).toEqual(['106', null, '103', '104', '105']);
  await eventually(() =>
    expect(published.get(device.id)?.accounts?.map((a) => [a.line, a.accountId, a.status])).toEqual([
      [1, accounts[5], 'unregistered'],
      [3, accounts[2], 'unregistered'],
      [4, accounts[3], 'unregistered'],
      [5, accounts[4], 'unregistered'],
    ]),
  );
});

test('assigning an account of two devices reports the other one, and it is found by its device count', async () => {
  const [one, two] = [await newDevice(), await newDevice()];
  const shared = await account('200');
  expect((await assign(one.id, shared)).also).toEqual([]);
  expect((await assign(two.id, shared, 4)).also).toEqual([{ id: one.id, name: one.name, line: 1 }]);
  expect((await assign(two.id, shared, 5)).also.map((d) => [d.id, d.line])).toEqual([
    [one.id, 1],
    [two.id, 4],
  ]);
  expect(await call()(listAccountNames, { query: { search: '200' } })).toEqual([
    { id: shared, name: 'Account 200', number: '200', server: 'PBX', devices: 2 },
  ]);
});

test("publishes a line's account with the reported status, and again only after changes [ACC-02/status]", async () => {
  const device = await newDevice();
  const link = new LinkedDevice(bus, device, own.companyId);
  await link.online();
  await link.hello();
  await assign(device.id, await account('300'), 2);
  const status = () => published.get(device.id)?.accounts?.map((a) => a.status);
  for (const reported of ['registered', 'failed', 'calling'] as const) {
    await link.state({ lines: [{ line: 2, account: '300', status: reported }] });
    await eventually(() => expect(status()).toEqual([reported]));
    expect(published.get(device.id)?.accounts?.map((a) => a.reported)).toEqual(['300']);
  }
  await link.state({ lines: [{ line: 2, account: '300', status: 'failed', code: 403 }] });
  await eventually(async () => {
    const line = (await call()(listDeviceLines, { query: { deviceId: device.id } }))[1]!;
    expect(line.reported).toMatchObject({ status: 'failed', code: 403 });
    expect(line.reported!.failedAt).toMatch(/^\d{4}-/);
  });
  // An account of the device's own concerns another line.
  await link.state({
    lines: [
      { line: 1, account: 'its own', status: 'registered' },
      { line: 2, status: 'unassigned' },
    ],
  });
  await eventually(() => expect(status()).toEqual(['unregistered']));
  const [first, second] = await call()(listDeviceLines, { query: { deviceId: device.id } });
  expect(first).toEqual({ line: 1, account: null, reported: { account: 'its own', status: 'registered' } });
  expect(second).toMatchObject({ account: { number: '300' }, reported: { status: 'unassigned' } });
});

test('a deleted account leaves every line, and a restored device keeps the accounts that still exist', async () => {
  const [one, two] = [await newDevice(), await newDevice()];
  const [stays, goes] = [await account('401'), await account('402')];
  await assign(one.id, stays, 1);
  await assign(one.id, goes, 2);
  await assign(two.id, goes, 1);
  await assign(two.id, stays, 3);
  await call()(deleteDevices, { query: { ids: [two.id] } });
  await publishAccount(goes, null);
  await eventually(async () => expect(await numbers(one.id)).toEqual(['401', null, null, null, null]));
  await eventually(() => expect(published.get(one.id)?.accounts?.map((a) => a.accountId)).toEqual([stays]));
  await call()(restoreDevices, { body: { ids: [two.id] } });
  expect(await numbers(two.id)).toEqual([null, null, '401', null, null]);
});

test('a closed FCS account is not offered, but stays on its line until it reopens [ACC-03/line]', async () => {
  const device = await newDevice();
  const id = await account('601');
  await assign(device.id, id, 1);
  const offered = async () => (await call()(listAccountNames, { query: { search: '601' } })).length;
  await publishAccount(id, '601', own, own.orgId, true);
  await eventually(async () => expect(await offered()).toBe(0));
  expect(await refusal(assign(device.id, id, 2))).toBe('fcs.off');
  expect(await numbers(device.id)).toEqual(['601', null, null, null, null]);
  await publishAccount(id, '601');
  await eventually(async () => expect(await offered()).toBe(1));
  await assign(device.id, id, 2);
  expect(await numbers(device.id)).toEqual(['601', '601', null, null, null]);
});

test('reaches no device or account of another company or organization, and changes nothing', async () => {
  const device = await newDevice();
  const foreign = await newDevice(stranger);
  const [ours, theirs] = [await account('501'), await account('502', stranger)];
  const narrow = { ...own, orgId: uuidv7() };
  const elsewhere = { ...narrow, orgIds: [narrow.orgId] };
  const inOther = uuidv7();
  await publishAccount(inOther, '503', own, narrow.orgId);
  await eventually(async () =>
    expect(await call(elsewhere)(listAccountNames, { query: { id: inOther } })).toHaveLength(1),
  );
  expect([
    await refusal(assign(device.id, theirs)),
    await refusal(assign(foreign.id, ours)),
    await refusal(assign(device.id, inOther, 1, { ...own, orgIds: [own.orgId] })),
    await refusal(assign(device.id, inOther, 1, elsewhere)),
    await refusal(call(elsewhere)(listDeviceLines, { query: { deviceId: device.id } })),
    await refusal(call(stranger)(unassignAccount, { query: { deviceId: device.id, line: 1 } })),
  ]).toEqual(Array.from({ length: 6 }, () => 'common.notFound'));
  expect(await numbers(device.id)).toEqual([null, null, null, null, null]);
  expect((await call(elsewhere)(listAccountNames, { query: {} })).map((a) => a.number)).toEqual(['503']);
});
