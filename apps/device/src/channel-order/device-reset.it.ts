import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addChannelOrder,
  allocateChannelOrders,
  audit,
  deleteDevices,
  deviceCredential,
  linkCommand,
  linkHandover,
  listDevices,
  makeDevicesOfOrders,
  takeBackChannelOrders,
} from '@carillon/contracts';
import { envelope, toRecord, type BusRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, platform, transaction } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  companyRecord,
  eventually,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';
import { hashOf } from '../device/device.service.ts';
import { deviceService } from '../device.module.ts';
import { DeviceResetRetention } from './device-reset.service.ts';

let bus: PostgresBus;
let service: TestedService;
const records: BusRecord[] = [];
const [parent, child] = [newActor(), newActor()];
let count = 0;

beforeAll(async () => {
  bus = await testBus('device_reset_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  await bus.fanout({
    topics: [deviceCredential.name, linkCommand.name, audit.name],
    from: 'start',
    handle: (batch) => void records.push(...batch.records),
  });
  await bus.publish([companyRecord(parent, 'Parent', []), companyRecord(child, 'Child', [parent])]);
});
afterAll(async () => {
  await service.close();
  await bus.close();
});

const said = (topic: { name: string }, key: string) =>
  records.filter((r) => r.topic === topic.name && r.key === key).map((r) => r.value && JSON.parse(r.value));
const logged = (actor: Actor) =>
  records
    .filter((r) => r.topic === audit.name && r.headers.companyId === actor.companyId)
    .map((r) => JSON.parse(r.value!))
    .filter((entry) => entry.action === 'channelOrder.reset');
const due = (mac: string) =>
  platform(service.database, 'a test looks which resets are due', async () => {
    const sql = 'select id, device_id, company_id from device_reset where mac = $1';
    return (await currentSql().query(sql, [mac])).rows;
  });

/** Makes a device of a new MAC of the parent, and has it connect. */
async function usedDevice(capabilities: string[], by = parent) {
  const mac = `0c38ff${(++count).toString(16).padStart(6, '0')}`;
  await service.as(by)(addChannelOrder, { body: { mac, model: 'X7A', order: '' } });
  return { mac, ...(await make(by, mac, capabilities)) };
}

async function make(by: Actor, mac: string, capabilities?: string[]) {
  const { devices } = await service.as(by)(makeDevicesOfOrders, { body: { target: { macs: [mac] }, name: '{mac}' } });
  const { id, secret } = devices[0]!;
  const device = async () => (await service.as(by)(listDevices, { query: { mac: [mac] } })).records[0]!;
  const link = new LinkedDevice(bus, await device(), by.companyId);
  link.identity.ownerEpoch = Number((await stored(by, id))['owner_epoch']);
  if (capabilities) {
    await link.online();
    await link.hello({ capabilities });
    await eventually(async () => expect((await device()).capabilities).toEqual(capabilities));
  }
  return { id, secret, link };
}

const stored = async (by: Actor, id: string) => {
  const sql = 'select owner_epoch, reset_id from device where id = $1';
  const inCompany = companySession(by.companyId);
  return (await transaction(service.database, inCompany, () => currentSql().query(sql, [id]))).rows[0]!;
};

const give = (mac: string, more: { confirmed?: boolean; reset?: boolean } = {}) =>
  service.as(parent)(allocateChannelOrders, {
    body: { target: { macs: [mac] }, channelId: child.companyId, ...more },
  });
const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const resets = ['reboot', 'factoryReset'];

it('a device in use is handed over with a reset: with its old secret it may come back for that only', async () => {
  const { mac, id, secret } = await usedDevice(resets);
  expect(await refusal(give(mac))).toBe('channelOrder.inUse');
  expect(await due(mac)).toEqual([]);
  await give(mac, { confirmed: true });
  const [reset] = await due(mac);
  expect(reset).toMatchObject({ device_id: id, company_id: parent.companyId });
  await eventually(() =>
    expect(said(deviceCredential, id).at(-1)).toMatchObject({
      deviceId: id,
      mac,
      secretHash: hashOf(secret),
      resetId: reset!['id'],
    }),
  );
});

const comeBackEmpty = ({ id, link }: { id: string; link: LinkedDevice }) =>
  bus.publish([
    toRecord(
      linkHandover,
      id,
      { ...link.identity, receivedAt: Date.now() },
      envelope('wiped', { companyId: parent.companyId, orgId: parent.orgId }),
    ),
  ]);

it('a device that comes back empty ends its old secret, and the giver reads it in the operation log', async () => {
  const { mac, id, link } = await usedDevice(resets);
  await give(mac, { confirmed: true });
  const before = logged(parent).length;
  await comeBackEmpty({ id, link });
  await eventually(async () => expect(await due(mac)).toEqual([]));
  await eventually(() => {
    expect(said(deviceCredential, id).at(-1)).toBeNull();
    expect(logged(parent).slice(before)).toMatchObject([{ detail: { count: 1, devices: [{ mac }] } }]);
  });
  const made = await make(child, mac, resets);
  expect(said(linkCommand, made.id)).toEqual([]);
});

it('a device that first connects with the secret of its new company is reset then, once', async () => {
  const { mac, id } = await usedDevice(resets);
  await give(mac, { confirmed: true });
  const [reset] = await due(mac);
  const made = await make(child, mac);
  await made.link.online();
  await eventually(() =>
    expect(said(linkCommand, made.id)).toMatchObject([
      { id: reset!['id'], action: 'factoryReset', mac, ownerEpoch: 2, args: {} },
    ]),
  );
  await eventually(() => expect(said(deviceCredential, id).at(-1)).toBeNull());
  expect(await due(mac)).toEqual([]);
  // Until it comes back empty, each contact sends the same command again.
  await made.link.online();
  await eventually(() => expect(said(linkCommand, made.id).map((c) => c.id)).toEqual([reset!['id'], reset!['id']]));
  await made.link.hello({ boot: 'reset', capabilities: resets });
  await eventually(async () => expect((await stored(child, made.id))['reset_id']).toBeNull());
  await made.link.online();
  await made.link.offline();
  await eventually(async () => {
    const [device] = (await service.as(child)(listDevices, { query: { mac: [mac] } })).records;
    expect(device!.onlineSince).toBeNull();
  });
  expect(said(linkCommand, made.id)).toHaveLength(2);
  expect(logged(child)).toMatchObject([{ detail: { devices: [{ mac }] } }]);
});

it('a device that cannot reset itself is handed over only as it is', async () => {
  const { mac, id } = await usedDevice(['reboot']);
  expect(await refusal(give(mac, { confirmed: true }))).toBe('channelOrder.cannotReset');
  expect((await service.as(parent)(listDevices, { query: { mac: [mac] } })).records).toHaveLength(1);
  await give(mac, { confirmed: true, reset: false });
  expect(await due(mac)).toEqual([]);
  await eventually(() => expect(said(deviceCredential, id).at(-1)).toBeNull());
});

it('a device in use that was deleted before the handover is reset too', async () => {
  const { mac, id } = await usedDevice(resets);
  await service.as(parent)(deleteDevices, { query: { ids: [id] } });
  await give(mac);
  expect(await due(mac)).toMatchObject([{ device_id: id, company_id: parent.companyId }]);
  await eventually(() => expect(said(deviceCredential, id).at(-1)).toMatchObject({ deviceId: id, mac }));
});

it('a device that is taken back is reset too, and its last company counts when it moved twice', async () => {
  const first = await usedDevice(resets);
  const { mac, id } = first;
  await give(mac, { confirmed: true });
  const made = await make(child, mac, resets);
  await made.link.hello({ boot: 'reset', capabilities: resets });
  await service.as(parent)(takeBackChannelOrders, { body: { target: { macs: [mac] }, confirmed: true } });
  expect(await due(mac)).toMatchObject([{ device_id: made.id, company_id: child.companyId }]);
  await eventually(() => {
    expect(said(deviceCredential, id).at(-1)).toBeNull();
    expect(said(deviceCredential, made.id).at(-1)).toMatchObject({ mac, deviceId: made.id });
  });
  // A late word of the first company's device does not end the reset that is due now.
  const other = await usedDevice(resets);
  await give(other.mac, { confirmed: true });
  await comeBackEmpty(first);
  await comeBackEmpty(other);
  await eventually(async () => expect(await due(other.mac)).toEqual([]));
  expect(await due(mac)).toMatchObject([{ device_id: made.id }]);
});

it('a reset that no device came for in a year is forgotten with its secret', async () => {
  const { mac, id } = await usedDevice(resets);
  await give(mac, { confirmed: true });
  await platform(service.database, 'a test lets a year pass', () =>
    currentSql().query(`update device_reset set since = since - interval '366 days' where mac = $1`, [mac]),
  );
  await service.app.get(DeviceResetRetention).forget();
  expect(await due(mac)).toEqual([]);
  await eventually(() => expect(said(deviceCredential, id).at(-1)).toBeNull());
});
