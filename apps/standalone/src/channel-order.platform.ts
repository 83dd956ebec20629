import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addChannelOrder,
  addChannelOrderExport,
  addDeviceExport,
  addTask,
  allocateChannelOrders,
  allocateDevices,
  countDevices,
  getConfigFile,
  getDevice,
  getDeviceExport,
  getDeviceExportFile,
  getUser,
  listAlarms,
  listChannelOrders,
  listConfigFiles,
  listCustody,
  listDeviceLog,
  listDevices,
  listOperationLog,
  listTaskDevices,
  listTasks,
  listUsers,
  makeDevicesOfOrders,
  takeBackChannelOrders,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';
import { addFileOf, addUserOf, contentOf, fileOf, joinBelow, watch, type Member } from './testing/channel-member.ts';

/**
 * The running product with the operator's company, a distributor, a reseller and its customer below each other, and a
 * sibling of the reseller. Each calls the API gateway with its own session.
 */
const levels = ['operator', 'distributor', 'reseller', 'customer', 'neighbour'] as const;
type Level = (typeof levels)[number];

const mac = '0c383e77aa01';
const shownMac = '0C:38:3E:77:AA:01';
let platform: Platform;
const members = {} as Record<Level, Member>;
const streams = new AbortController();
const phones: MqttClient[] = [];

beforeAll(async () => {
  platform = await Platform.start({ name: 'channel-order', devices: 1 });
  const { companyId, call, authorization } = platform;
  members.operator = { companyId, call, authorization, told: [] };
  members.distributor = await joinBelow(platform, members.operator, 'distributor', 5);
  members.reseller = await joinBelow(platform, members.distributor, 'reseller', 1);
  members.neighbour = await joinBelow(platform, members.distributor, 'neighbour', 0);
  members.customer = await joinBelow(platform, members.reseller, 'customer', 0);
  for (const level of levels) await watch(platform, members[level], streams.signal);
}, 300_000);
afterAll(async () => {
  streams.abort();
  for (const phone of phones) phone.end(true);
  await platform?.close();
});

const titled = (keys: readonly string[]) => keys.map((key) => ({ key, title: key }) as never);
/** Returns the calls that show the device to the member; `deviceIds` are all ids that the device has had. */
async function seenBy(member: Member, deviceIds: readonly string[]): Promise<string[]> {
  const { call } = member;
  const tasks = await call(listTasks, { query: {} });
  const seen = async (query: Promise<unknown>) => JSON.stringify(await query);
  const ways: Record<string, () => Promise<string>> = {
    devices: () => seen(call(listDevices, { query: { search: shownMac } })),
    device: () => seen(call(getDevice, { params: { id: mac } }).catch(() => 'nothing')),
    count: async () => ((await call(countDevices, { query: { mac: [mac] } })).total > 0 ? mac : ''),
    'device file': () =>
      fileOf(platform, member, () => call(addDeviceExport, { body: { filter: {}, columns: titled(['mac', 'name']) } })),
    'device log': () => seen(call(listDeviceLog, { query: { search: shownMac } })),
    tasks: () =>
      seen(Promise.all(tasks.records.map((t) => call(listTaskDevices, { params: { id: t.id }, query: {} })))),
    'open alarms': () => seen(call(listAlarms, { query: { state: ['open'] } as never })),
    orders: () => seen(call(listChannelOrders, { query: { search: shownMac } })),
    'order file': () =>
      fileOf(platform, member, () =>
        call(addChannelOrderExport, { body: { filter: {}, columns: titled(['mac', 'model']) } }),
      ),
    custody: () => seen(call(listCustody, { query: { mac } })),
    'operation log': () => seen(call(listOperationLog, { query: { limit: 200 } })),
  };
  const marks = [mac, shownMac, 'Marked phone', ...deviceIds];
  const found = [];
  for (const [way, ask] of Object.entries(ways)) {
    const text = await ask();
    const hit = way === 'custody' ? text.includes('"step"') : marks.some((mark) => text.includes(mark));
    if (hit) found.push(way);
  }
  return found;
}
/** Waits until each member sees the device as `wanted`. */
async function expectSeen(deviceIds: readonly string[], wanted: Record<Level, readonly string[]>): Promise<void> {
  await eventually(async () => {
    const seen = {} as Record<Level, string[]>;
    for (const level of levels) seen[level] = await seenBy(members[level], deviceIds);
    expect(seen).toEqual(wanted);
  }, 240_000);
}
const stock = ['orders', 'order file', 'custody'];
/**
 * The operation log keeps the MAC for each participant; a device's log and tasks stay in the company where they
 * happened.
 */
const withLog = [...stock, 'operation log'];
const device = ['devices', 'device', 'count', 'device file', 'device log', 'tasks', 'open alarms'];
const nothing: string[] = [];

const give = (from: Level, to: Level, confirmed = false) =>
  members[from].call(allocateChannelOrders, {
    body: { target: { macs: [mac] }, channelId: members[to].companyId, confirmed },
  });
const takeBack = (by: Level) =>
  members[by].call(takeBackChannelOrders, { body: { target: { macs: [mac] }, confirmed: true } });
const lineOf = async (level: Level) =>
  (await members[level].call(listChannelOrders, { query: { mac: [mac] } })).records.map((o) => [
    o.status,
    o.company?.name,
  ]);
const steps = async (level: Level) =>
  (await members[level].call(listCustody, { query: { mac } })).map((s) => [s.step, s.company]);
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error?: string; message: string }) => e.error ?? e.message,
  );
const connect = (secret: string) =>
  mqtt.connectAsync(platform.ready.mqtt, {
    clientId: mac,
    username: mac,
    password: secret,
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
  });

/** Connects a phone that says hello, gets a reboot and does not answer, and reports tampering. */
async function inUse(level: Level, secret: string, id: string): Promise<{ phone: MqttClient; closed: Promise<void> }> {
  // The gateway learns the new secret a moment after the call.
  const phone = await eventually(() => connect(secret));
  phones.push(phone);
  const closed = new Promise<void>((resolve) => {
    phone.on('close', resolve);
  });
  phone.on('error', () => undefined);
  const say = (topic: string, payload: object) =>
    phone.publishAsync(`d/${mac}/${topic}`, JSON.stringify(payload), { qos: 1 });
  await phone.subscribeAsync(`d/${mac}/command`, { qos: 1 });
  await say('hello', {
    model: 'X7A',
    sn: 'SN-77',
    firmware: '1.0',
    ip: '10.0.0.7',
    uptime: 1,
    boot: 'power',
    capabilities: ['reboot'],
  });
  const { call } = members[level];
  await eventually(async () => {
    const now = await call(getDevice, { params: { id } });
    expect([now.onlineSince === null, now.capabilities]).toEqual([false, ['reboot']]);
  });
  const task = await eventually(() =>
    call(addTask, { body: { name: 'Reboot it', action: 'reboot', params: {}, target: { ids: [id] } } }),
  );
  await eventually(async () =>
    expect((await call(listTaskDevices, { params: { id: task.id }, query: {} })).records[0]?.status).toBe('process'),
  );
  await say('event', { id: `tamper-${level}`, at: Date.now(), kind: 'tamper' });
  await eventually(async () => expect(JSON.stringify((await call(listAlarms, { query: {} })).records)).toContain(id));
  return { phone, closed };
}
const quiet = (): Record<Level, number> =>
  Object.fromEntries(levels.map((level) => [level, members[level].told.length])) as Record<Level, number>;
const toldSince = (level: Level, before: Record<Level, number>) => members[level].told.slice(before[level]);

/** Returns the events about devices and their use; events of the member's own files and log do not count. */
const ofDevices = (level: Level, before: Record<Level, number>) =>
  toldSince(level, before).filter((e) => ['device', 'channelOrder', 'task', 'taskDevice', 'message'].includes(e.kind));

it('a device moves through a tree of four companies, seen only by holders and participants [CHN-04]', async () => {
  const seen = (change: Partial<Record<Level, readonly string[]>>): Record<Level, readonly string[]> => ({
    operator: nothing,
    distributor: nothing,
    reseller: nothing,
    customer: nothing,
    neighbour: nothing,
    ...change,
  });
  await members.operator.call(addChannelOrder, { body: { mac, model: 'X7A', order: 'PO-7' } });
  await expectSeen([], seen({ operator: withLog }));

  // A device can only be handed to a direct child.
  for (const to of ['reseller', 'customer', 'neighbour', 'operator'] as const)
    expect(await refusal(give('operator', to))).toBe('common.notFound');
  let before = quiet();
  await give('operator', 'distributor');
  await expectSeen([], seen({ operator: withLog, distributor: withLog }));
  await eventually(() => expect(toldSince('distributor', before).map((e) => e.kind)).toContain('channelOrder'));
  for (const level of ['reseller', 'customer', 'neighbour'] as const) expect(ofDevices(level, before)).toEqual([]);

  // When the distributor uses the device itself, no other company learns of it.
  before = quiet();
  const made = await members.distributor.call(makeDevicesOfOrders, {
    body: { target: { macs: [mac] }, name: 'Marked phone' },
  });
  const [first] = made.devices;
  const used = await inUse('distributor', first!.secret, first!.id);
  await expectSeen([first!.id], seen({ operator: withLog, distributor: [...device, ...withLog].toSorted(order) }));
  for (const level of ['reseller', 'customer', 'neighbour'] as const) expect(ofDevices(level, before)).toEqual([]);
  expect(toldSince('operator', before).flatMap((e) => e.ids)).not.toContain(first!.id);

  // The distributor hands the device on; a used device needs a confirmation.
  const hand = (confirmed: boolean) =>
    members.distributor.call(allocateDevices, {
      body: { target: { ids: [first!.id] }, channelId: members.reseller.companyId, confirmed, reset: false },
    });
  expect(await refusal(hand(false))).toBe('channelOrder.inUse');
  before = quiet();
  await hand(true);
  await used.closed;
  await eventually(async () => expect(await refusal(connect(first!.secret))).toMatch(/Not authorized|bad user/i));
  await eventually(() => {
    expect(toldSince('distributor', before)).toContainEqual({ kind: 'device', ids: [first!.id] });
  });
  for (const level of ['customer', 'neighbour'] as const) expect(ofDevices(level, before)).toEqual([]);
  expect(toldSince('operator', before).flatMap((e) => e.ids)).not.toContain(first!.id);
  const left = ['device log', 'tasks'];
  await expectSeen(
    [first!.id],
    seen({
      operator: withLog,
      distributor: [...left, ...withLog],
      reseller: withLog,
    }),
  );
  const ended = await members.distributor.call(listTasks, { query: {} });
  const [row] = (await members.distributor.call(listTaskDevices, { params: { id: ended.records[0]!.id }, query: {} }))
    .records;
  expect([row!.status, row!.code]).toEqual(['fail', 'handedOver']);
  // Only the company that gave the device can take it back.
  expect(await refusal(takeBack('neighbour'))).toBe('channelOrder.unknownMac');
  expect(await refusal(takeBack('operator'))).toBe('channelOrder.passedOn');

  await give('reseller', 'customer');
  const again = await members.customer.call(makeDevicesOfOrders, {
    body: { target: { macs: [mac] }, name: 'Marked phone' },
  });
  const [second] = again.devices;
  expect(second!.secret).not.toBe(first!.secret);
  const there = await inUse('customer', second!.secret, second!.id);
  const ids = [first!.id, second!.id];
  const all = seen({
    operator: withLog,
    distributor: [...left, ...withLog],
    reseller: withLog,
    customer: [...device, ...withLog].toSorted(order),
  });
  await expectSeen(ids, all);
  expect(await lineOf('distributor')).toEqual([['assigned', 'reseller']]);
  expect(await lineOf('reseller')).toEqual([['assigned', 'customer']]);

  // The device goes back one step at a time.
  expect(await refusal(takeBack('distributor'))).toBe('channelOrder.passedOn');
  before = quiet();
  await takeBack('reseller');
  await there.closed;
  await eventually(() => {
    expect(toldSince('customer', before)).toContainEqual({ kind: 'device', ids: [second!.id] });
  });
  const was = [...left, 'custody', 'operation log'];
  await expectSeen(ids, { ...all, customer: was });
  await takeBack('distributor');
  await expectSeen(ids, { ...all, customer: was, reseller: ['custody', 'operation log'] });
  await takeBack('operator');
  await expectSeen(ids, {
    ...all,
    customer: was,
    reseller: ['custody', 'operation log'],
    distributor: was,
  });
  expect(await lineOf('operator')).toEqual([['unassigned', undefined]]);
  expect(await steps('operator')).toEqual([
    ['takenBack', 'distributor'],
    ['given', 'distributor'],
    ['in', null],
  ]);
  expect((await steps('distributor')).map(([step, company]) => `${step} ${company}`).slice(0, 4)).toEqual([
    expect.stringContaining('returned'),
    'takenBack reseller',
    'given reseller',
    expect.stringContaining('received'),
  ]);
  expect((await steps('customer')).map(([step, company]) => `${step} ${company}`)).toEqual([
    'returned reseller',
    'received reseller',
  ]);
  expect(await steps('neighbour')).toEqual([]);

  // A company sees no other company's users, except the account of a direct child, and no foreign file.
  for (const level of levels) {
    const { call, username } = members[level];
    const users = (await call(listUsers, { query: { limit: 200 } })).records.map((u) => u.username);
    if (username !== undefined) expect(users).toEqual([username]);
    else expect(users.filter((name) => name.endsWith('.chief'))).toEqual([]);
    const { id } = await call(addDeviceExport, { body: { filter: {}, columns: titled(['mac']) } });
    await eventually(async () => expect((await call(getDeviceExport, { params: { id } })).status).toBe('success'));
    for (const other of levels.filter((l) => l !== level)) {
      expect(await refusal(members[other].call(getDeviceExport, { params: { id } }))).toBe('common.notFound');
      const answer = await fetch(`${platform.ready.url}${getDeviceExportFile.path.replace('{id}', id)}`, {
        headers: { 'carillon-auth': members[other].authorization },
      });
      expect(answer.status).toBe(404);
    }
  }

  // Nor does it see users or files that are added now: no list, id or stream shows them.
  for (const level of levels) {
    before = quiet();
    const [userId, fileId] = [await addUserOf(members[level], level), await addFileOf(platform, members[level], level)];
    await eventually(() => {
      const ids = toldSince(level, before).flatMap((e) => e.ids);
      expect([ids.includes(userId), ids.includes(fileId)]).toEqual([true, true]);
    });
    expect(await contentOf(platform, members[level], fileId)).toEqual([200, `of = ${level}\n`]);
    for (const other of levels.filter((l) => l !== level)) {
      const { call } = members[other];
      expect(await refusal(call(getUser, { params: { id: userId } }))).toBe('user.missing');
      expect(await refusal(call(getConfigFile, { params: { id: fileId } }))).toBe('common.notFound');
      expect((await call(listConfigFiles, { query: { search: `Marked ${level}` } })).total).toBe(0);
      expect((await contentOf(platform, members[other], fileId))[0]).toBe(404);
      const ids = toldSince(other, before).flatMap((e) => e.ids);
      expect([ids.includes(userId), ids.includes(fileId)]).toEqual([false, false]);
    }
  }
}, 600_000);

/** The calls of `seenBy`. */
const looked = [
  'devices',
  'device',
  'count',
  'device file',
  'device log',
  'tasks',
  'open alarms',
  'orders',
  'order file',
  'custody',
  'operation log',
];
const order = (a: string, b: string): number => looked.indexOf(a) - looked.indexOf(b);

it(
  'a connected phone that is handed over resets itself, and the giver reads it in its operation log',
  { tags: 'slow' },
  async () => {
    const { operator, distributor } = members;
    const phone = await eventually(async () => {
      const { records } = await operator.call(listDevices, { query: {} });
      const found = records.find((d) => d.onlineSince !== null && d.capabilities.includes('factoryReset'));
      expect(found).toBeDefined();
      return found!;
    });
    await operator.call(allocateDevices, {
      body: { target: { ids: [phone.id] }, channelId: distributor.companyId, confirmed: true },
    });
    await eventually(async () => {
      const { records } = await operator.call(listOperationLog, { query: { limit: 200 } });
      const entry = records.find((e) => e.action === 'channelOrder.reset');
      expect(JSON.stringify(entry ?? null)).toContain(phone.mac);
    });
    expect((await operator.call(listDevices, { query: {} })).records.map((d) => d.id)).not.toContain(phone.id);
  },
);
