import { randomUUID } from 'node:crypto';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addDevice,
  addFirmware,
  addTask,
  alarmKinds,
  firmwareKind,
  listAlarms,
  listDevices,
  listMessages,
  noticeTypes,
  readMessages,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';
import { openBrowser } from './testing/people.ts';

/** Tests of alarms in the whole product, caused by devices, tasks and the store. */
const megabyte = 1_048_576;
let platform: Platform;
const clients: MqttClient[] = [];

beforeAll(async () => {
  platform = await Platform.start({
    name: 'alarm',
    devices: 1,
    args: ['--behaviour', 'failing=1'],
    env: {
      CARILLON_ALARM_OFFLINE_GRACE_MS: '500',
      CARILLON_ALARM_EVENT_WAIT_MS: '200',
      CARILLON_STORAGE_MEGABYTES: '10',
    },
  });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.endAsync(true)));
  await platform?.close();
});

interface Phone {
  name: string;
  say(kind: 'hello' | 'state' | 'event', payload: object): Promise<void>;
  /** Connects again like after a restart, with this hello. */
  start(hello: object): Promise<void>;
  leave(): Promise<void>;
}
let macs = 0;
/** Creates a device with a stock MQTT library that has sent its hello. */
async function phone(name: string): Promise<Phone> {
  const mac = `0c383efd00${(++macs).toString(16).padStart(2, '0')}`;
  const { secret } = await platform.call(addDevice, {
    body: { ...(await devicePlace(platform.call)), mac, name, model: 'X4U', sn: `A-${macs}` },
  });
  let client: MqttClient;
  const made: Phone = {
    name,
    say: async (kind, payload) => {
      const body = { at: Date.now(), ...payload };
      await client.publishAsync(`d/${mac}/${kind}`, JSON.stringify(body), { qos: 1 });
    },
    async start(hello) {
      await client?.endAsync(true);
      client = await eventually(() =>
        mqtt.connectAsync(
          platform.ready.mqtt,
          { clientId: mac, username: mac, password: secret, clean: true, reconnectPeriod: 0 },
          false,
        ),
      );
      client.on('error', () => undefined);
      clients.push(client);
      const as = { model: 'X4U', sn: `A-${macs}`, firmware: '1.0', ip: '10.0.0.1', uptime: 100, capabilities: [] };
      await client.publishAsync(`d/${mac}/hello`, JSON.stringify({ ...as, ...hello }), { qos: 1 });
    },
    leave: () => client.endAsync(),
  };
  await made.start({ boot: 'reconnect' });
  await eventually(async () =>
    expect((await platform.call(listDevices, { query: { search: mac } })).records[0]).toMatchObject({
      firmware: '1.0',
    }),
  );
  return made;
}
/** Begins an upload. The announced length counts as used at once. */
async function announce(noun: string, name: string, length: number): Promise<string> {
  const begun = await fetch(`${platform.ready.url}/api/f/resource/${noun}/upload`, {
    method: 'POST',
    headers: {
      'carillon-auth': platform.authorization,
      'tus-resumable': '1.0.0',
      'upload-length': String(length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
  expect(begun.status).toBe(201);
  return begun.headers.get('location')!;
}
async function upload(noun: string, name: string, bytes: Buffer): Promise<string> {
  const at = await announce(noun, name, bytes.length);
  const sent = await fetch(platform.ready.url + at, {
    method: 'PATCH',
    headers: {
      'carillon-auth': platform.authorization,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes,
  });
  expect(sent.status).toBe(204);
  return at.split('/').at(-1)!;
}

it('devices, tasks and the store raise alarms that the page shows unread [NOTE-01]', async () => {
  const began = Date.now();
  const [unregistered, reset, restarted, gone, opened, updated] = [
    await phone('Lost line'),
    await phone('Reset by hand'),
    await phone('Power cut'),
    await phone('Unplugged'),
    await phone('Opened case'),
    await phone('Updated by hand'),
  ];
  const line = { line: 1, account: '4711', server: 'pbx.alarm.example' };
  await unregistered.say('state', { lines: [{ ...line, status: 'failed' }] });
  await reset.say('event', { id: randomUUID(), kind: 'factoryReset' });
  await restarted.say('event', { id: randomUUID(), kind: 'reboot' });
  await gone.leave();
  await opened.say('event', { id: randomUUID(), kind: 'tamper' });
  await updated.start({ boot: 'upgrade', firmware: '2.13', uptime: 1 });
  const failing = (await platform.call(listDevices, { query: { limit: 100 } })).records.find(
    ({ mac }) => !mac.startsWith('0c383efd00'),
  )!;
  await platform.call(addTask, {
    body: { name: 'Sunday reboot', action: 'reboot', params: {}, target: { ids: [failing.id] } },
  });
  const image = Buffer.concat([Buffer.from('\u0001\u0002image\u0000'), Buffer.alloc(1_000, 7)]);
  await platform.call(addFirmware, {
    body: {
      name: 'Desk',
      version: '3.1',
      models: ['X4U'],
      description: '',
      least: null,
      notice: { whom: 'company', at: null },
      upload: await upload('firmware', 'desk.bin', image),
    },
  });
  await announce('resourceFile', 'tone.wav', 8.5 * megabyte);

  const expected = [
    [alarmKinds.registrationFailed, 'high', 'Account registration failed', 'Lost line'],
    [firmwareKind, 'low', 'Firmware update', 'Updated by hand'],
    [alarmKinds.storage, 'medium', 'Cloud storage is low or full', null],
    [alarmKinds.factoryReset, 'medium', 'Factory reset', 'Reset by hand'],
    [alarmKinds.reboot, 'low', 'Device reboot', 'Power cut'],
    [alarmKinds.taskFailed, 'high', 'Task failed', 'Sunday reboot'],
    [alarmKinds.offline, 'medium', 'Device offline', 'Unplugged'],
    [alarmKinds.tamper, 'high', 'Tamper alarm', 'Opened case'],
  ] as const;
  const alarms = await eventually(async () => {
    const { records } = await platform.call(listAlarms, { query: { limit: 100 } });
    expect(
      records.map((a) => [a.type, a.level, a.title, a.objectName]).toSorted(([a], [b]) => Number(a) - Number(b)),
    ).toEqual(expected);
    return records;
  }, 240_000);
  for (const { title, content, read, createTime, lastAt } of alarms) {
    expect([title, content === '', read]).toEqual([title, false, false]);
    for (const time of [createTime, lastAt]) {
      expect(Date.parse(time), title).toBeGreaterThanOrEqual(began - 1_000);
      expect(Date.parse(time), title).toBeLessThanOrEqual(Date.now() + 1_000);
    }
  }

  const { page, close } = await openBrowser(platform);
  try {
    await page.goto('/alarm');
    const row = (title: string) => page.locator('main [data-id]').filter({ hasText: title });
    for (const { title, level, content } of alarms) {
      await row(title)
        .getByText(`${level[0]!.toUpperCase()}${level.slice(1)}`, { exact: true })
        .waitFor();
      await row(title).getByText(content, { exact: true }).waitFor();
      await row(title).getByLabel('Unread').waitFor();
    }
    expect(await page.locator('main [data-id]').count()).toBe(alarms.length);
    // Opening an alarm marks it as read; the others stay unread.
    await row('Tamper alarm').getByText('Tamper alarm').first().click();
    await page.getByRole('dialog', { name: 'Tamper alarm' }).waitFor();
    await row('Tamper alarm').getByLabel('Unread').waitFor({ state: 'detached' });
    await page.goto('/alarm?read=true');
    await row('Tamper alarm').waitFor();
    expect(await page.locator('main [data-id]').count()).toBe(1);
    expect(
      (await platform.call(listAlarms, { query: { limit: 100, read: 'true' } })).records.map(({ type }) => type),
    ).toEqual([alarmKinds.tamper]);

    await page.goto('/alarm?tableCheck=message');
    await row('New firmware version').getByLabel('Unread').waitFor();
    const messages = (await platform.call(listMessages, { query: { tab: 'message' } })).records;
    expect(messages.map(({ type, read }) => [type, read])).toEqual([[noticeTypes.firmware, false]]);
    await row('New firmware version').getByText(messages[0]!.content, { exact: true }).waitFor();
    expect(await page.locator('main [data-id]').count()).toBe(1);
    await platform.call(readMessages, { body: [messages[0]!.id] });
    await page.goto('/alarm?tableCheck=message&read=false');
    await page.getByText('Nothing matches these filters').waitFor();
  } finally {
    await close();
  }
}, 240_000);
