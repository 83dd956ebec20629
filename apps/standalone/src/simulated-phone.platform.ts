import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addConfigTemplate,
  addDevice,
  addModel,
  addSipAccount,
  addSipServer,
  addTask,
  alarmKinds,
  assignAccount,
  editConfigTemplate,
  getDevice,
  getTask,
  listAlarms,
  listConfigTemplates,
  listDeviceLog,
  listDevices,
  openFirstAccess,
  previewTask,
} from '@carillon/contracts';
import { makePhones } from '@carillon/simulator/inventory';
import { modelOf } from '@carillon/simulator/model';
import type { ProvisionedFile } from '@carillon/simulator/provisioned';
import { devicePlace, eventually, rawRequest } from '@carillon/testing';
import { Platform, projectRoot } from '@carillon/testing/platform';

/** The phones over HTTP of the demo company, and those of `./carillon simulate`. */
let platform: Platform;
let env: Record<string, string>;
let serverId: string;

beforeAll(async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  env = { CARILLON_PHONE_SIP_PORT: String(socket.address().port) };
  socket.close();
  platform = await Platform.start({ name: 'simulated-phone', devices: 1, phones: 3, env });
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const server = { name: 'PBX', address: 'pbx.example', port: 5060, transport: 'udp' as const, ...none };
  serverId = (await platform.call(addSipServer, { body: server })).id;
});
afterAll(() => platform?.close());

/** Runs `./carillon simulate --kind` until the work has ended. */
async function simulating<T>(kind: string, count: number, work: () => Promise<T>): Promise<T> {
  const args = ['simulate', '--data', platform.folder, '--kind', kind, '--devices', String(count)];
  const child = spawn(join(projectRoot, 'carillon'), args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    return await work();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** Requests a path of the control socket of phones. */
async function control<T>(path: string, body?: object, name = 'simulator-sold'): Promise<T> {
  const { status, text, json } = await rawRequest(
    { socketPath: join(platform.folder, 'run', `${name}.sock`) },
    {
      path,
      method: body ? 'POST' : 'GET',
      headers: { host: '127.0.0.1', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    },
  );
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return json as T;
}

it('the demo company has phones over HTTP of three makers, and tasks update and restart them', async () => {
  const phones = await eventually(async () => {
    const { records } = await platform.call(listDevices, { query: { channel: ['http'] } });
    expect(records.map(({ model, state }) => [modelOf('', model).vendor, state]).sort()).toEqual([
      ['Fanvil', 'online'],
      ['Grandstream', 'online'],
      ['Yealink', 'online'],
    ]);
    return records;
  }, 60_000);
  const ids = phones.map(({ id }) => id);
  const { records: templates } = await platform.call(listConfigTemplates, { query: {} });
  const { id, name, description, values } = templates.find((one) => one.level === 'group')!;
  const changed = { id, name, description, values: { ...values, 'time.server': 'ntp.example' } };
  await platform.call(editConfigTemplate, { body: changed });
  for (const [action, params] of [
    ['configUpdate', { by: 'template' }],
    ['reboot', {}],
  ] as const) {
    const task = await platform.call(addTask, { body: { name: action, action, params, target: { ids } } });
    expect((await platform.ended(task.id)).counts, action).toMatchObject({ total: 3, success: 3 });
  }
  const known = await control<{ file: ProvisionedFile }[]>('/devices', undefined, 'simulator-phones');
  expect(known).toHaveLength(3);
  for (const { file } of known) expect(Object.values(file.values)).toContain('ntp.example');
  for (const params of ids.map((one) => ({ id: one })))
    expect(await platform.call(getDevice, { params })).toMatchObject({ channel: 'http' });
});

it('simulated phones of each maker come online when they are let in, and a task restarts them', async () => {
  const makers = ['Fanvil', 'Yealink', 'Grandstream', 'Snom', 'Poly', 'Akuvox', 'Htek'] as const;
  const values = { 'time.server': 'ntp.example' };
  const template = { name: 'All', description: '', level: 'general' as const, target: null, values };
  await platform.call(addConfigTemplate, { body: template });
  const place = await devicePlace(platform.call);
  const ids: string[] = [];
  for (const phone of makePhones(makers, makers.length, 1))
    ids.push((await platform.call(addDevice, { body: { ...place, ...phone } })).device.id);
  await eventually(() => platform.call(openFirstAccess, { body: { ids } }));
  await simulating(makers.join(',').toLowerCase(), makers.length, async () => {
    await eventually(async () => {
      const { records } = await platform.call(listDevices, { query: { channel: ['http'], state: 'online' } });
      expect(records.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    }, 60_000);
    const body = { action: 'reboot', params: {}, target: { ids } };
    // Poly's and Akuvox's phones take no NOTIFY for a restart.
    await eventually(async () => {
      const { skipped } = await platform.call(previewTask, { query: {}, body });
      expect(skipped.map(({ code, message }) => `${code}: ${message}`).sort()).toEqual([
        'unsupported: The CCX 500 cannot do this',
        'unsupported: The SP-R63G cannot do this',
      ]);
    });
    const { id } = await platform.call(addTask, { body: { name: 'Restart', ...body } });
    expect((await platform.ended(id)).counts).toMatchObject({ success: 5, fail: 2 });
    expect(await control('/stats')).toMatchObject({ connected: 7, effects: { restart: 5 } });
    expect(await platform.call(getDevice, { params: { id: ids[0]! } })).toMatchObject({ state: 'online' });
  });
});

/** Adds a phone with an account on its line, and lets it in. Returns its device's id. */
async function added({ mac, model, name, sn }: ReturnType<typeof makePhones>[number], number: string) {
  const place = await devicePlace(platform.call);
  const { device } = await platform.call(addDevice, { body: { ...place, mac, model, name, sn } });
  const body = { name, number, serverId, authPassword: 'wallaby-93' };
  const account = await platform.call(addSipAccount, { body });
  const assigned = { deviceId: device.id, accountId: account.id, line: 1 };
  await eventually(() => platform.call(assignAccount, { body: assigned }));
  await eventually(() => platform.call(openFirstAccess, { body: { ids: [device.id] } }));
  return device.id;
}

/** What the platform shows of a device's events. */
async function shown(id: string) {
  const { state, lines, dnd, calls, doors } = await platform.call(getDevice, { params: { id } });
  return { state, line: lines[0]?.status, dnd, calls, doors };
}

it('a restart of a phone over HTTP waits for the end of its call, and its task says so [TASK-11/phone]', async () => {
  const [phone] = makePhones(['Grandstream'], 1, 1);
  const id = await added(phone!, '4304');
  const publish = (calls: number) => control('/state', { mac: phone!.mac, calls });
  const restarts = async () => (await control<{ effects: { restart?: number } }>('/stats')).effects.restart ?? 0;
  await simulating('grandstream', 1, async () => {
    await eventually(
      async () => expect(await shown(id)).toMatchObject({ state: 'online', line: 'registered' }),
      60_000,
    );
    // Its start ends later than its line is registered, and begins without calls.
    await eventually(async () => expect(await control('/stats')).toMatchObject({ connected: 1 }));
    const before = await restarts();
    await publish(1);
    await eventually(async () => expect(await shown(id)).toMatchObject({ calls: 1 }));
    const body = { name: 'Restart later', action: 'reboot', params: {}, target: { ids: [id] } };
    const task = await platform.call(addTask, { body });
    await eventually(async () =>
      expect(await platform.call(getTask, { params: { id: task.id } })).toMatchObject({
        counts: { process: 1 },
        waitingIdle: 1,
      }),
    );
    expect(await restarts()).toBe(before);
    await publish(0);
    expect((await platform.ended(task.id)).counts).toMatchObject({ total: 1, success: 1 });
    expect(await restarts()).toBe(before + 1);
  });
});

it('events of phones by URL or post show the same state and alarms as those over MQTT [EDGE-03]', async () => {
  const [linked] = (await platform.call(listDevices, { query: { channel: ['mqtt'] } })).records;
  const phones = makePhones(['Yealink', 'Poly', 'Akuvox'], 3, 1);
  const own = {
    showName: 'R20A',
    internalName: '',
    series: 'Akuvox R',
    type: 'egs' as const,
    sipCount: 2,
    doorCount: 2,
  };
  const keys = { softDssKeys: 0, dssKeysPerPage: 0, dssKeyPages: 0, sideKeysPerPage: 0, sideKeyPages: 0 };
  const flags = { secondScreen: false, mutualAuth: false, hiddenItems: [] };
  await platform.call(addModel, { body: { name: 'R20A', ...own, ...keys, ...flags } });
  const ids = [
    await added(phones[0]!, '4301'),
    await added(phones[1]!, '4302'),
    await added({ ...phones[2]!, model: 'R20A' }, '4303'),
  ] as const;
  const alarm = async () => {
    const { records } = await platform.call(listAlarms, { query: { limit: 100 } });
    return records.find(({ type, causeName }) => type === alarmKinds.registrationFailed && causeName === 'pbx.example');
  };
  const line = (status: string) => [{ line: 1, account: '4300', server: 'pbx.example', status }];
  const publish = (n: number, state: object) => control('/state', { mac: phones[n]!.mac, ...state });
  /** Tells the same over HTTP and over MQTT, and waits until the platform shows the same of both. */
  const same = async (numbers: readonly number[], state: object, overMqtt: object, like: object) => {
    for (const n of numbers) await publish(n, state);
    await platform.simulator('/state', { mac: linked!.mac, ...overMqtt });
    await eventually(async () => {
      for (const id of [linked!.id, ...numbers.map((n) => ids[n]!)]) expect(await shown(id), id).toMatchObject(like);
    });
  };
  await simulating('yealink,poly,akuvox', 3, async () => {
    // Boot and registration, as each phone starts.
    const begun = { lines: line('registered'), calls: 0, configVersion: '1' };
    await platform.simulator('/state', { mac: linked!.mac, ...begun });
    await eventually(async () => {
      for (const id of [linked!.id, ...ids])
        expect(await shown(id)).toMatchObject({ state: 'online', line: 'registered' });
      for (const id of [linked!.id, ids[0]]) {
        const { records } = await platform.call(listDeviceLog, { query: { deviceId: id } });
        expect(records.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['online', 'boot']));
      }
    }, 60_000);
    const lines = (status: string) => ({ lines: [{ line: 1, status }] });
    await same([0, 1, 2], lines('unregistered'), { lines: line('unregistered') }, { line: 'unregistered' });
    await same([0, 2], lines('failed'), { lines: line('failed') }, { line: 'failed', state: 'abnormal' });
    await eventually(async () => expect(await alarm()).toMatchObject({ state: 'open', open: 3 }));
    await same([0, 1, 2], lines('registered'), { lines: line('registered') }, { line: 'registered', state: 'online' });
    await eventually(async () => expect(await alarm()).toMatchObject({ state: 'ended', open: 0 }));
    for (const dnd of ['on', 'off']) await same([0, 2], { dnd }, { dnd }, { dnd });
    const calling = { lines: line('calling'), calls: 1 };
    await same([0, 1, 2], { calls: 1 }, calling, { line: 'calling', calls: 1, state: 'online' });
    await same([0, 1, 2], { calls: 0 }, { lines: line('registered'), calls: 0 }, { line: 'registered', calls: 0 });
    for (const status of ['open', 'closed']) {
      const doors = [{ door: 1, status }];
      await same([2], { doors }, { doors }, { doors });
    }
  });
});
