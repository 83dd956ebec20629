import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addDevice,
  addDeviceChange,
  addDeviceImport,
  addModel,
  commitDeviceImport,
  deviceCredential,
  deviceState,
  doorStatuses,
  editDevice,
  editModel,
  getDevice,
  getDeviceImport,
  linkReport,
  linkSession,
  listDeviceLog,
  listDevices,
  live,
  phoneGateway,
  type DeviceView,
} from '@carillon/contracts';
import { envelope, listDeadLetters, toRecord, type PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  gatewayStarted,
  inPieces,
  LinkedDevice,
  newActor,
  sheetFile,
  testBus,
  testService,
  type TestedService,
  devicePlaces,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
beforeAll(async () => {
  bus = await testBus();
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  places = devicePlaces(bus, service);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

it('accepts reports that no column can hold as they are, and dead-letters nothing', async () => {
  const actor = newActor();
  const call = service.as(actor);
  const { device } = await call(addDevice, {
    body: { ...(await places(actor)), mac: '0c383e000001', name: 'Odd', model: 'X7A', sn: '1', orgId: actor.orgId },
  });
  const link = new LinkedDevice(bus, device, actor.companyId);
  await link.hello({ model: 'X7\u0000A', sn: '\ud83d', firmware: '1\u0000', capabilities: ['reb\u0000oot'] });
  await link.state({ calls: Number.MAX_SAFE_INTEGER, lines: [{ line: 1, account: 'a\u0000', status: 'failed' }] });
  const seen = await eventually(async () => {
    const now = await call(getDevice, { params: { id: device.id } });
    expect(now.lines).toHaveLength(1);
    return now;
  }, 8_000);
  expect(seen).toMatchObject({
    model: 'X7A',
    sn: '\ufffd',
    firmware: '1',
    capabilities: ['reboot'],
    lines: [{ line: 1, account: 'a', status: 'failed' }],
  });
  expect(await listDeadLetters(bus, 'device')).toEqual([]);
});

it('URL reports set a phone’s lines but not online, and count only while offline [EDGE-03/link]', async () => {
  const actor = newActor();
  const call = service.as(actor);
  const { device } = await call(addDevice, {
    body: { ...(await places(actor)), mac: '0c383e0000e3', name: 'Desk', model: 'X7A', sn: '1', orgId: actor.orgId },
  });
  const link = new LinkedDevice(bus, device, actor.companyId);
  const becomes = (like: object) =>
    eventually(async () => expect(await call(getDevice, { params: { id: device.id } })).toMatchObject(like));
  const line = (status: 'failed' | 'registered') => [{ line: 1, account: '201', server: 'pbx.example', status }];
  await link.state({ lines: line('failed'), dnd: 'on', ip: '10.0.0.7', configVersion: 't1' }, 0);
  await becomes({ lines: line('failed'), dnd: 'on', internalIp: '10.0.0.7', configVersion: 't1', state: 'offline' });
  await link.state({ lines: line('registered') }, 0);
  await becomes({ lines: line('registered'), dnd: 'on', state: 'offline' });

  await link.online();
  await becomes({ state: 'online' });
  await link.state({ lines: line('failed'), dnd: 'off', ip: '10.0.0.8', configVersion: 't2' }, 0);
  await becomes({ lines: line('registered'), dnd: 'on', internalIp: '10.0.0.7', configVersion: 't2', state: 'online' });
  await link.offline();
  await becomes({ state: 'offline' });
  await link.state({ lines: line('failed') }, 0);
  await becomes({ lines: line('failed'), state: 'offline' });
});

it('a phone over HTTP is online with what it reports, until it connects by MQTT [DEV-10/online]', async () => {
  const actor = newActor();
  const call = service.as(actor);
  const body = { ...(await places(actor)), mac: '805ec0000301', name: 'Desk', model: 'SIP-T46U', sn: '1' };
  const { device } = await call(addDevice, { body: { ...body, orgId: actor.orgId } });
  const link = new LinkedDevice(bus, device, actor.companyId);
  const about = { deviceId: device.id, mac: device.mac, ownerEpoch: 1, receivedAt: Date.now() };
  const [began, connected] = [1_700_000_000, 1_700_000_000_000];
  const publish = (firmware: string, capabilities: string[]) =>
    bus.publish([
      toRecord(
        linkReport,
        device.id,
        { ...about, epoch: began, payload: { firmware, capabilities, boot: 'power' } },
        envelope('phone', { companyId: actor.companyId, orgId: actor.orgId }),
      ),
    ]);
  const becomes = (like: object) =>
    eventually(async () => expect(await call(getDevice, { params: { id: device.id } })).toMatchObject(like));
  const lines = (status: 'failed' | 'registered') => [{ line: 1, account: '201', server: 'pbx.example', status }];

  await link.online(began, phoneGateway);
  await publish('108.86.0.90', ['channel.http', 'configUpdate']);
  await link.state({ configVersion: 't1' }, 0);
  await becomes({
    state: 'online',
    channel: 'http',
    firmware: '108.86.0.90',
    capabilities: ['channel.http', 'configUpdate'],
  });
  await link.state({ lines: lines('failed') }, 0);
  await becomes({ state: 'abnormal', lines: lines('failed') });
  await link.online(connected);
  await link.state({ lines: lines('registered') }, connected);
  await becomes({ state: 'online', channel: 'mqtt', lines: lines('registered') });
  await publish('1.0', ['channel.http']);
  await link.state({ lines: lines('failed'), configVersion: 't2' }, 0);
  await becomes({ configVersion: 't2', lines: lines('registered'), firmware: '108.86.0.90' });
  const { records } = await call(listDeviceLog, { query: { deviceId: device.id } });
  expect(records.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['online', 'boot']));
});

it('shows no device online at a dead gateway process, in whatever order the events arrive', async () => {
  const actor = newActor();
  const call = service.as(actor);
  const add = async (mac: string) =>
    (
      await call(addDevice, {
        body: { ...(await places(actor)), mac, name: mac, model: 'X7A', sn: '1', orgId: actor.orgId },
      })
    ).device;
  const [late, alive] = [await add('0c383e000002'), await add('0c383e000003')];
  const online = (device: { id: string; mac: string }, gateway: string, at: number) =>
    bus.publish([
      toRecord(
        linkSession,
        device.id,
        { deviceId: device.id, mac: device.mac, ownerEpoch: 1, epoch: 7, gateway, address: '10.0.0.9', at },
        envelope('online', { companyId: actor.companyId, orgId: actor.orgId }),
      ),
    ]);
  await gatewayStarted(bus, 'gw-late', 'gw-late#2');
  await eventually(async () => expect((await bus.lag()).every((l) => l.lag === 0)).toBe(true));
  await online(late, 'gw-late#1', Date.now() - 5_000);
  await online(alive, 'gw-late#3', Date.now() + 5_000); // its own start has not arrived yet
  for (const device of [late, alive])
    await new LinkedDevice(bus, device, actor.companyId).hello({ configVersion: '1' });
  await eventually(async () => {
    expect((await call(getDevice, { params: { id: alive.id } })).state).toBe('online');
    const seen = await call(getDevice, { params: { id: late.id } });
    expect([seen.state, seen.publicIp]).toEqual(['offline', '10.0.0.9']);
  });
});

it('keeps the last state of each door, unknown while offline, and publishes changes [EGS-06/doors]', async () => {
  const actor = newActor();
  const call = service.as(actor);
  const { device } = await call(addDevice, {
    body: { ...(await places(actor)), mac: '0c383e000004', name: 'Gate', model: 'i16SV', sn: '1', orgId: actor.orgId },
  });
  const published: string[][] = [];
  const feed = await bus.fanout({
    topics: [live.name],
    from: 'end',
    handle: ({ records }) => {
      for (const r of records) {
        const { kind, ids } = JSON.parse(r.value!) as { kind: string; ids: string[] };
        if (kind === 'device') published.push(ids);
      }
    },
  });
  const link = new LinkedDevice(bus, device, actor.companyId);
  const doors = async () => (await call(getDevice, { params: { id: device.id } })).doors;
  const become = (like: object[]) => eventually(async () => expect(await doors()).toEqual(like));
  expect(await doors()).toEqual([]);
  await link.online();
  await link.hello({ model: 'i16SV', capabilities: ['doorControl'] });
  await link.state({
    doors: [
      { door: 2, status: 'closed' },
      { door: 1, status: 'closed' },
    ],
  });
  await become([
    { door: 1, status: 'closed' },
    { door: 2, status: 'closed' },
  ]);
  for (const status of doorStatuses) {
    const before = published.length;
    // Doors that it omits stay unchanged, and of two reports the later one counts.
    await link.state({
      doors: [
        { door: 2, status: status === 'open' ? 'closed' : 'open' },
        { door: 2, status },
      ],
    });
    await become([
      { door: 1, status: 'closed' },
      { door: 2, status },
    ]);
    if (status !== 'closed') await eventually(() => expect(published.slice(before).flat()).toContain(device.id));
  }
  await link.offline();
  await become([
    { door: 1, status: 'unknown' },
    { door: 2, status: 'unknown' },
  ]);
  const [listed] = (await call(listDevices, { query: {} })).records;
  expect(listed!.doors.map((d) => d.status)).toEqual(['unknown', 'unknown']);
  await link.online();
  await become([
    { door: 1, status: 'closed' },
    { door: 2, status: doorStatuses.at(-1) },
  ]);
  await feed.close();
});

const facts = {
  name: 'Turnstile',
  showName: '',
  internalName: 'TS-1',
  series: 'TS',
  type: 'egs' as const,
  sipCount: 1,
  doorCount: 1,
  softDssKeys: 0,
  dssKeysPerPage: 0,
  dssKeyPages: 0,
  sideKeysPerPage: 0,
  sideKeyPages: 0,
  hiddenItems: [],
  secondScreen: false,
  mutualAuth: false,
};

it('publishes the number of doors, from the model or else from the device, again after the model changes', async () => {
  const actor = newActor();
  const call = service.as(actor);
  const published = new Map<string, number | null | undefined>();
  const feed = await bus.fanout({
    topics: [deviceState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records)
        if (r.value !== null) {
          const { mac, doorCount } = JSON.parse(r.value) as DeviceView;
          published.set(mac, doorCount);
        }
    },
  });
  const add = async (mac: string, model: string) =>
    (await call(addDevice, { body: { ...(await places(actor)), mac, name: mac, model, sn: '1', orgId: actor.orgId } }))
      .device;
  const become = (mac: string, count: number | null) => eventually(() => expect(published.get(mac)).toBe(count));
  await add('0c383e000005', 'X7A');
  await become('0c383e000005', 0);
  const gate = await add('0c383e000006', 'i16SV');
  await become('0c383e000006', null);
  const link = new LinkedDevice(bus, gate, actor.companyId);
  await link.hello({ model: 'i16SV', capabilities: ['doorControl'] });
  await link.state({ doors: [{ door: 3, status: 'normal' }] });
  await become('0c383e000006', 3);

  const model = await call(addModel, { body: facts });
  await add('0c383e000007', 'Turnstile');
  await become('0c383e000007', 1);
  await call(editModel, { body: { id: model.id, ...facts, doorCount: 2 } });
  await become('0c383e000007', 2);
  // The model goes by the name that it has in its files.
  await link.hello({ model: 'TS-1', capabilities: ['doorControl'] });
  await become('0c383e000006', 2);
  await feed.close();
});

it('a device needs a certificate while its model says so [CFG-06/mutual]', async () => {
  const actor = newActor();
  const call = service.as(actor);
  const required = new Map<string, boolean>();
  const feed = await bus.fanout({
    topics: [deviceCredential.name],
    from: 'start',
    handle: ({ records }) => {
      for (const { value } of records) {
        const answer = JSON.parse(value ?? '{}') as { mac?: string; certificateRequired?: boolean };
        if (answer.mac) required.set(answer.mac, answer.certificateRequired === true);
      }
    },
  });
  const mac = '0c383e000009';
  const become = (yes: boolean) => eventually(() => expect(required.get(mac)).toBe(yes));
  const gate = await call(addModel, { body: { ...facts, mutualAuth: true } });
  const place = { ...(await places(actor)), orgId: actor.orgId };
  const { device } = await call(addDevice, { body: { ...place, mac, name: mac, model: 'Turnstile', sn: '1' } });
  await become(true);
  await call(editModel, { body: { id: gate.id, ...facts } });
  await become(false);
  await call(editModel, { body: { id: gate.id, ...facts, mutualAuth: true } });
  await become(true);
  await call(editDevice, { body: { id: device.id, name: mac, model: 'X7A', sn: '1' } });
  await become(false);
  // What the device says itself outranks what was typed.
  await new LinkedDevice(bus, device, actor.companyId).hello({ model: 'TS-1' });
  await become(true);
  await call(addDeviceChange, { body: { target: { ids: [device.id] }, set: { model: 'X7A' } } });
  await become(false);
  const file = inPieces(
    sheetFile([
      ['mac', 'model'],
      [mac, 'Turnstile'],
    ]),
  );
  const { import: made } = await call(addDeviceImport, { body: { name: 'models.xlsx', file } });
  await eventually(async () =>
    expect((await call(getDeviceImport, { params: { id: made!.id } })).status).toBe('checked'),
  );
  await call(commitDeviceImport, { params: { id: made!.id } });
  await become(true);
  await feed.close();
});
