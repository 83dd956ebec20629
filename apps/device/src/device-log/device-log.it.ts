import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  deleteDevices,
  getDevice,
  listDeviceLog,
  type DeviceLogKind,
  type RouteCall,
} from '@carillon/contracts';
import { listDeadLetters, type PostgresBus } from '@carillon/messaging';
import { currentSql, platform, uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  gatewayStarted,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type Actor,
  type TestedService,
  devicePlaces,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';
import { DeviceLogRetention } from './device-log.retention.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
const actor = newActor();
beforeAll(async () => {
  bus = await testBus('device_log_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus, { deviceLogDays: 7 });
  places = devicePlaces(bus, service);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

/** Changes by users have their own tests (history.it.ts). */
const byUsers = new Set<DeviceLogKind>(['added', 'deleted', 'changed']);
const entries = async (query: RouteCall<typeof listDeviceLog>['query'], as: Actor = actor) =>
  (await service.as(as)(listDeviceLog, { query: { limit: 200, ...query } })).records.filter(
    (e) => !byUsers.has(e.kind),
  );
const read = (list: Awaited<ReturnType<typeof entries>>) => list.map(({ kind, detail }) => [kind, detail]);
const handled = () => eventually(async () => expect((await bus.lag()).every((l) => l.lag === 0)).toBe(true));
let count = 0;
async function device(name: string, orgId = actor.orgId) {
  const { device: added } = await service.as(actor)(addDevice, {
    body: {
      ...(await places(actor)),
      mac: `0c383e10${(count += 1).toString(16).padStart(4, '0')}`,
      name,
      model: 'X7A',
      sn: '1',
      orgId,
    },
  });
  return { added, link: new LinkedDevice(bus, added, actor.companyId) };
}

test('the log has all changes of a device, newest first and each once [SYS-05/device-log]', async () => {
  const { added, link } = await device('Lobby');
  await link.online();
  await link.hello({ firmware: '2.12', configVersion: '1', boot: 'power', uptime: 3 });
  await handled();
  await link.state({
    lines: [
      { line: 1, account: '6142', status: 'registered' },
      { line: 2, status: 'unassigned' },
    ],
  });
  await handled();
  // A call does not change the registration of a line.
  await link.state({
    lines: [
      { line: 1, account: '6142', status: 'calling' },
      { line: 2, status: 'unassigned' },
    ],
  });
  await handled();
  await link.state({
    lines: [
      { line: 1, account: '6142', status: 'failed' },
      { line: 2, status: 'unassigned' },
    ],
  });
  await handled();
  // A late acknowledgement makes the device send the same event twice.
  for (let i = 0; i < 2; i++) await link.event({ id: 'e-1', kind: 'tamper', detail: { door: 1 } });
  await link.hello({ firmware: '2.13', configVersion: '1', boot: 'reconnect' });
  await handled();
  await link.offline();
  await handled();
  const all = await entries({ deviceId: [added.id] });
  const boot = [
    ['firmware', { from: null, to: '2.12' }],
    ['boot', { reason: 'power', firmware: '2.12', uptime: 3 }],
    ['config', { from: null, to: '1' }],
  ];
  const [online, ...rest] = read(all).toReversed();
  expect(online).toEqual(['online', { address: '10.0.0.9' }]);
  // These come from one message and share a time, so their order is undefined.
  expect(new Set(rest.splice(0, 3))).toEqual(new Set(boot));
  expect(rest).toEqual([
    ['line', { line: 1, account: '6142', from: null, to: 'registered' }],
    ['line', { line: 1, account: '6142', from: 'calling', to: 'failed' }],
    ['tamper', { deviceAt: '1970-01-01T00:00:00.001Z', told: '{"door":1}' }],
    ['firmware', { from: '2.12', to: '2.13' }],
    ['offline', { reason: 'closed' }],
  ]);
  expect(all.every((e) => e.name === 'Lobby' && e.mac === added.mac)).toBe(true);
  expect(read(await entries({ deviceId: [added.id], kind: ['offline', 'tamper'] })).map(([kind]) => kind)).toEqual([
    'offline',
    'tamper',
  ]);
  expect((await entries({ search: 'lobb' })).length).toBe(all.length);
  expect(await entries({ deviceId: [added.id], to: new Date(Date.now() - 3_600_000).toISOString() })).toEqual([]);
});

test('entries are found by the name of their device and by its MAC in any spelling [DEV-03/log]', async () => {
  const { added, link } = await device('Spelled');
  await link.online();
  await handled();
  const deviceId = [added.id];
  const all = read(await entries({ deviceId }));
  expect(all).not.toEqual([]);
  const parts = added.mac.match(/../g)!;
  for (const text of [added.mac, added.mac.slice(2, 9), parts.join(':'), parts.join('-'), parts.slice(1, 5).join('-')])
    for (const search of [text, text.toUpperCase()])
      expect(read(await entries({ search, deviceId })), search).toEqual(all);
  expect(await entries({ search: '-', deviceId })).toEqual([]);
});

test('an event of any length and with any characters is cut and stored, and blocks nothing', async () => {
  const { added, link } = await device('Odd');
  // 1,999 characters with the quotation mark, then a surrogate pair across the limit.
  await link.event({ id: 'odd', kind: 'tamper', detail: `${'x'.repeat(1_998)}\u{1f514}\u{1f514}` });
  await link.event({ id: 'nul', kind: 'reboot', detail: { '\0': '\ud83d' } });
  await link.online();
  await handled();
  // Events and sessions are separate topics without a common order.
  expect(
    read(await entries({ deviceId: [added.id] }))
      .map(([kind, detail]) => [kind, (detail as { told?: string }).told?.length])
      .toSorted(),
  ).toEqual([
    ['online', undefined],
    ['reboot', '{"\\u0000":"\\ud83d"}'.length],
    ['tamper', 2_000],
  ]);
  expect(await listDeadLetters(bus, 'device')).toEqual([]);
});

test('devices of a dead gateway are gone, and a deleted device keeps its log [SYS-05/device-log-end]', async () => {
  const { added, link } = await device('Held');
  await link.online(5_000, 'gw-log#1');
  await handled();
  await gatewayStarted(bus, 'gw-log', 'gw-log#2');
  await handled();
  expect(read(await entries({ deviceId: [added.id] }))).toEqual([
    ['offline', { reason: 'gatewayLost' }],
    ['online', { address: '10.0.0.9' }],
  ]);
  await service.as(actor)(deleteDevices, { query: { ids: [added.id] } });
  expect((await entries({ deviceId: [added.id] })).map((e) => [e.kind, e.name, e.mac])).toEqual([
    ['offline', null, added.mac],
    ['online', null, added.mac],
  ]);
});

test('users see the log of devices that were in their organizations at that time [SYS-05/device-log-seen]', async () => {
  const elsewhere = uuidv7();
  const own = await device('Here');
  const foreign = new LinkedDevice(bus, { ...own.added, orgId: elsewhere }, actor.companyId);
  await own.link.online();
  await foreign.offline(own.link.epoch);
  await handled();
  const seen = (as: Actor) => entries({ deviceId: [own.added.id] }, as).then((list) => list.map((e) => e.kind));
  expect(await seen({ ...actor, orgIds: [actor.orgId] })).toEqual(['online']);
  expect(await seen({ ...actor, orgIds: [elsewhere] })).toEqual(['offline']);
  expect(await seen(actor)).toEqual(['offline', 'online']);
  expect(await seen(newActor())).toEqual([]);
});

test('entries are deleted after the configured number of days, not before [SYS-05/device-log-days]', async () => {
  const { added, link } = await device('Old');
  await link.online();
  await link.offline();
  await handled();
  await platform(service.database, 'one of them was long ago', () =>
    currentSql().query(
      `update device_log set at = now() - interval '7 days 1 minute' where device_id = $1 and kind = 'online'`,
      [added.id],
    ),
  );
  await service.app.get(DeviceLogRetention).forget();
  expect(read(await entries({ deviceId: [added.id] })).map(([kind]) => kind)).toEqual(['offline']);
});

test('two devices that use one identity in turn are one entry and one hint', async () => {
  const { added, link } = await device('Twins');
  const first = { sn: 'twin-1', ip: '10.9.0.1', boot: 'reconnect', uptime: 5 } as const;
  const second = { ...first, sn: 'twin-2', ip: '10.9.0.2' };
  const shared = async () =>
    (await service.as(actor)(getDevice, { params: { id: added.id } })).sharedIdentity?.map(({ ip, sn }) => [ip, sn]);
  const connect = async (hello: typeof first | typeof second) => {
    await link.online();
    await link.hello(hello);
    await handled();
  };
  // A device that was moved or replaced is no second one.
  await connect(first);
  await connect(second);
  expect(await shared()).toBeUndefined();
  for (let turn = 0; turn < 4; turn += 1) {
    await connect(first);
    await connect(second);
  }
  expect(await shared()).toEqual([
    ['10.9.0.2', 'twin-2'],
    ['10.9.0.1', 'twin-1'],
  ]);
  const list = await entries({ deviceId: [added.id] });
  expect(list.filter(({ kind }) => kind === 'sharedIdentity')).toMatchObject([
    { detail: { places: [{ sn: 'twin-1', ip: '10.9.0.1', address: '10.0.0.9' }, { sn: 'twin-2' }] } },
  ]);
  expect(list.filter(({ kind }) => kind === 'online')).toHaveLength(3);
  // The hint ends ten minutes after the last turn, and connections are entries again.
  await platform(service.database, 'test', () =>
    currentSql().query(`update device set shared_at = shared_at - interval '11 minutes' where id = $1`, [added.id]),
  );
  expect(await shared()).toBeUndefined();
  await connect(second);
  expect((await entries({ deviceId: [added.id], kind: ['online'] })).length).toBe(4);
});

test('a device that changes networks or was replaced is not reported as shared', async () => {
  const { added, link } = await device('Two networks');
  const bootedAt = Date.now() / 1_000 - 3_600;
  for (const [ip, sn] of [
    ['10.9.1.1', 'A'],
    ['172.16.0.7', 'A'],
    ['10.9.1.1', 'A'],
    ['172.16.0.7', 'A'],
    ['172.16.0.7', 'B'],
  ] as const) {
    await link.online();
    await link.hello({ ip, sn, boot: 'reconnect', uptime: Date.now() / 1_000 - bootedAt });
    await handled();
  }
  expect((await service.as(actor)(getDevice, { params: { id: added.id } })).sharedIdentity).toBeNull();
  expect(await entries({ deviceId: [added.id], kind: ['online'] })).toHaveLength(5);
});
