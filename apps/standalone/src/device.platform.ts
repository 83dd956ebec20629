import { randomBytes } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addDevice,
  addTask,
  getDevice,
  getTask,
  linkResult,
  listDeviceLog,
  listDevices,
  type DeviceRecord,
} from '@carillon/contracts';
import { TestFiles, TestPlatform } from '@carillon/device-sdk/test-platform';
import { PostgresBus } from '@carillon/messaging';
import { eventually, devicePlace } from '@carillon/testing';
import { carillon, Platform } from '@carillon/testing/platform';
import { pythonDevice } from './testing/python-device.ts';
import { newTrace, openConnections, spansOf, type Span } from './testing/trace.ts';
import { connectTwin } from './testing/twin-device.ts';

const count = 40;
const traceFile = `/tmp/carillon-trace-${process.pid}.jsonl`;

let platform: Platform;
let bus: PostgresBus;
let records: DeviceRecord[];
let python: ChildProcess | undefined;

beforeAll(async () => {
  // 12 s instead of 30 s to answer: longer than the slowest simulated device waits, and short enough for a test.
  platform = await Platform.start({
    name: 'device',
    devices: count,
    online: count - 4,
    args: ['--behaviour', `offline=4,normal=${count - 4}`],
    env: { CARILLON_TASK_PATIENCE: '0.4', CARILLON_TRACE_FILE: traceFile },
  });
  bus = await PostgresBus.open({
    connection: {
      host: platform.socket,
      port: 5432,
      database: 'carillon_bus',
      user: 'carillon_bus_app',
      password: platform.databasePassword('bus'),
    },
  });
  records = (await platform.call(listDevices, { query: { limit: 100, sort: 'mac' } })).records;
});
afterAll(async () => {
  python?.kill('SIGKILL');
  await bus?.close();
  await platform?.close();
  rmSync(traceFile, { force: true });
});

const reboot = (name: string, target: { ids: string[] } | { filter: object }) =>
  platform.call(addTask, { body: { name, action: 'reboot', params: {}, target } });
/** Waits until every device behaves normally and is connected. */
async function allSound(): Promise<void> {
  await platform.behave(
    (await platform.devices()).filter((d) => d.behaviour !== 'normal').map((d) => d.mac),
    'normal',
  );
  await platform.allOnline(count);
}
/** Waits until all stored results are handled. */
const resultsHandled = () =>
  eventually(async () => {
    const behind = (await bus.lag()).filter((l) => l.group === 'task' && l.topic === linkResult.name && l.lag > 0);
    if (behind.length > 0) throw new Error(`${behind.length} partitions behind`);
  }, 30_000);

it('counts slow, failing, repeating, dead and late devices as what they did [GW-02/behaviour]', async () => {
  const offline = (await platform.devices()).filter((d) => d.behaviour === 'offline').map((d) => d.mac);
  const macs = records.map((r) => r.mac).filter((mac) => !offline.includes(mac));
  const counts = {
    slow: macs.slice(0, 4),
    failing: macs.slice(4, 8),
    duplicating: macs.slice(8, 12),
    reordering: macs.slice(12, 16),
    dead: macs.slice(16, 20),
    clock: macs.slice(20, 24),
  };
  for (const [behaviour, some] of Object.entries(counts)) await platform.behave(some, behaviour);
  const task = await reboot('Misbehaving', { filter: {} });
  const waiting = await eventually(async () => {
    const found = await platform.call(getTask, { params: { id: task.id } });
    if (found.counts.process > 0 || found.counts.wait !== offline.length) throw new Error(JSON.stringify(found.counts));
    return found;
  }, 240_000);
  expect(waiting.counts).toEqual({
    total: count,
    success: count - 12,
    fail: 4,
    timeout: 4,
    cancel: 0,
    process: 0,
    wait: 4,
  });
  expect(waiting.status).toBe('process');

  await platform.behave(offline, 'normal');
  const done = await platform.ended(task.id);
  expect(done.status).toBe('finished');
  expect(done.counts).toEqual({
    total: count,
    success: count - 8,
    fail: 4,
    timeout: 4,
    cancel: 0,
    process: 0,
    wait: 0,
  });
  const rows = await platform.taskDevices(task.id);
  const effects = await platform.effects();
  for (const row of rows) {
    const expected = counts.failing.includes(row.mac)
      ? ['fail', 'failed', 0]
      : counts.dead.includes(row.mac)
        ? ['timeout', 'noAnswer', 0]
        : ['success', null, 1];
    expect(
      [row.status, row.code, (effects.get(row.mac) ?? []).reduce((sum, e) => sum + e.count, 0)],
      `${row.mac} ${row.name}`,
    ).toEqual(expected);
  }
});

it('a repeated, replayed or foreign result changes nothing [GW-02/replay]', async () => {
  await allSound();
  const [mine, other] = [records[30]!, records[31]!];
  const task = await reboot('To be replayed', { ids: [mine.id, other.id] });
  const before = await platform.ended(task.id);
  await platform.allOnline(count);
  const effects = await platform.effects();
  const [ownId, otherId] = [mine, other].map(({ mac }) => effects.get(mac)!.at(-1)!.id);
  await platform.behave([mine.mac], 'offline');

  // Another client connects as the same device and sends what a correct device never sends.
  const secrets = readFileSync(join(platform.folder, 'simulator-devices.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { mac: string; secret: string; model: string; sn: string });
  const { secret, model, sn } = secrets.find(({ mac }) => mac === mine.mac)!;
  const device = await mqtt.connectAsync(platform.ready.mqtt, {
    clientId: mine.mac,
    username: mine.mac,
    password: secret,
    clean: true,
    reconnectPeriod: 0,
  });
  const say = (kind: string, payload: object) =>
    device.publishAsync(`d/${mine.mac}/${kind}`, JSON.stringify(payload), { qos: 1 });
  await say('hello', {
    model,
    sn,
    firmware: '1',
    ip: '10.0.0.1',
    uptime: 1,
    boot: 'reconnect',
    capabilities: ['reboot'],
  });
  const results = await Promise.all(
    ['success', 'success', 'accepted', 'fail'].flatMap((status) =>
      [ownId, otherId].map((id) => say('result', { id, status, code: 'replayed', at: Date.now() })),
    ),
  );
  expect(results).toHaveLength(8);
  await resultsHandled();
  await device.endAsync();

  expect(await platform.call(getTask, { params: { id: task.id } })).toEqual(before);
  expect((await platform.taskDevices(task.id)).map(({ status, code }) => [status, code])).toEqual([
    ['success', null],
    ['success', null],
  ]);
});

it(
  'a poison message is set aside, and dead-letters lists, retries and drops it [GW-02/poison]',
  { tags: 'slow' },
  async () => {
    await allSound();
    const poison = (value: string | null, type = 'result') => ({
      topic: linkResult.name,
      key: records[0]!.id,
      headers: {
        id: `00000000-0000-7000-8000-${randomBytes(6).toString('hex')}`,
        type,
        at: String(Date.now()),
        era: '1',
        companyId: '00000000-0000-7000-8000-000000000001',
      },
      value,
    });
    const garbage = [
      poison('{"half":'),
      poison(JSON.stringify({ deviceId: 'nobody', payload: 7 })),
      { topic: linkResult.name, key: records[0]!.id, headers: {}, value: 'no envelope' },
    ];
    await bus.publish(garbage);
    const task = await reboot('Beside poison', { filter: {} });
    expect((await platform.ended(task.id)).counts).toMatchObject({ total: count, success: count });

    const letters = async (): Promise<string[]> => {
      const listed = await carillon(['dead-letters', 'list', '--data', platform.folder]);
      expect(listed.code, listed.stderr).toBe(0);
      return listed.stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(/\s+/)[1]!);
    };
    const ids = await letters();
    expect(ids).toHaveLength(3);
    expect(ids).toEqual(
      expect.arrayContaining(garbage.slice(0, 2).map((record) => (record.headers as { id: string }).id)),
    );

    expect(
      (await carillon(['dead-letters', 'drop', ids[0]!, ids[1]!, '--data', platform.folder])).stdout.match(/dropped/g),
    ).toHaveLength(2);
    expect(await letters()).toEqual([ids[2]]);
    // The cause still exists, so the message comes back; otherwise it would be gone.
    const log = platform.log('standalone');
    expect((await carillon(['dead-letters', 'retry', ids[2]!, '--data', platform.folder])).stdout).toContain(
      'sent again',
    );
    await log.line((line) => line['msg'] === 'a message could not be handled and was put aside');
    await eventually(async () => {
      expect(await letters()).toHaveLength(1);
    });
    const unknown = await carillon(['dead-letters', 'drop', 'no-such-letter', '--data', platform.folder]);
    expect([unknown.code, unknown.stderr]).toEqual([1, 'carillon: There is no dead letter no-such-letter.\n']);
  },
);

it('one trace leads from a click to the device and back, and none leaves the machine [OPS-02/device]', async () => {
  await allSound();
  const { traceparent, traceId, spanId } = newTrace();
  const log = platform.log('standalone');
  const task = await platform.client({ traceparent })(addTask, {
    body: { name: 'Traced', action: 'reboot', params: {}, target: { ids: [records[5]!.id] } },
  });
  await platform.ended(task.id);

  const spans = await eventually(() => {
    const found = spansOf(traceFile, traceId);
    expect(found.map((s) => s.name)).toContain('link.result.v1 process');
    return found;
  });
  const one = (name: string): Span => {
    const found = spans.filter((s) => s.name === name);
    expect(found.length, `spans named ${name} of ${spans.map((s) => s.name).join(', ')}`).toBeGreaterThan(0);
    return found[0]!;
  };
  const chain = [
    'POST /api/f/task/task',
    'TaskController.add',
    'task dispatch',
    'command to device',
    'device result',
    'link.result.v1 process',
  ];
  expect(chain.map((name) => [name, one(name).parentId])).toEqual(
    chain.map((name, i) => [name, i === 0 ? spanId : one(chain[i - 1]!).spanId]),
  );
  expect(one('task expand').parentId).toBe(one('TaskController.add').spanId);
  expect(new Set(spans.map((s) => s.kind))).toEqual(new Set(['SERVER', 'INTERNAL', 'PRODUCER', 'CONSUMER']));
  for (const point of ['created', 'expanded', 'queued', 'stored'])
    expect((await log.line((line) => line['point'] === point))['traceId'], point).toBe(traceId);
  expect(openConnections(platform.pid('standalone')).filter((address) => !address.startsWith('127.'))).toEqual([]);
});

it('the Python device resumes and verifies a firmware download and keeps verified resources', async () => {
  const link = await TestPlatform.start({ port: 0 });
  const files = await TestFiles.start(Buffer.alloc(400_000, 'firmware'));
  const mac = '0c383e00cafe';
  const folder = mkdtempSync(join(platform.folder, 'python-'));
  const { child, state } = await pythonDevice({ folder, mac, secret: 'none', url: link.url, rebootSeconds: 0 });
  try {
    await link.hello(mac);
    files.answer = (request, response, nth) => (nth === 1 ? files.send(request, response, 150_000) : undefined);
    const upgrade = (version: string, sha256 = files.sha256) =>
      link.send(mac, { action: 'firmwareUpgrade', args: { ...files.linked(version), sha256, version } });
    const id = upgrade('2.4.10');
    await link.answer(id);
    expect(link.answers(id).map(({ status }) => status)).toEqual(['accepted', 'downloaded', 'success']);
    expect(files.asked).toEqual(['', 'bytes=150000-']);
    const hellos = link.received.filter(({ kind }) => kind === 'hello').map(({ payload }) => payload);
    expect(hellos.at(-1)).toMatchObject({ boot: 'upgrade', firmware: '2.4.10' });
    expect((await link.answer(upgrade('2.4.11', '0'.repeat(64)))).payload).toMatchObject({ code: 'checksum' });
    files.answer = (_request, response) => (response.writeHead(410).end(), 'answered');
    expect((await link.answer(upgrade('2.4.11'))).payload).toMatchObject({ status: 'fail', code: 'download' });
    const kept = () => JSON.parse(readFileSync(state, 'utf8')) as { firmware: string; resources: object[] };
    expect(kept().firmware).toBe('2.4.10');

    files.answer = () => undefined;
    const { url, size, sha256 } = files.linked('');
    const file = { url, size, sha256 };
    const resource = (kind: string, files: object[]) =>
      link.send(mac, { action: 'resourceUpgrade', args: { kind, name: 'Bells', files: files } });
    const bells = resource('ringtone', [
      { name: 'one.wav', ...file },
      { name: 'two.wav', ...file },
    ]);
    await link.answer(bells);
    expect(link.answers(bells).map(({ status }) => status)).toEqual(['accepted', 'downloaded', 'success']);
    await link.answer(resource('image', [{ name: 'a.png', ...file }]));
    await link.answer(resource('ringtone', [{ name: 'three.wav', ...file }]));
    const all = [
      { kind: 'image', name: 'Bells', files: [{ name: 'a.png', size, sha256 }] },
      { kind: 'ringtone', name: 'Bells', files: [{ name: 'three.wav', size, sha256 }] },
    ];
    expect(kept().resources).toEqual(all);
    for (const [change, code] of [
      [{ sha256: '0'.repeat(64) }, 'checksum'],
      [{ size: 16 * 1_048_576 }, 'space'],
    ] as const) {
      const id = resource('image', [
        { name: 'b.png', ...file },
        { name: 'c.png', ...file, ...change },
      ]);
      expect((await link.answer(id)).payload).toMatchObject({ status: 'fail', code });
    }
    expect(kept().resources).toEqual(all);
    expect(link.refused).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    await Promise.all([link.stop(), files.stop()]);
  }
});

it('a Python device with the Paho client reboots beside the simulated ones [GW-01/python]', async () => {
  await allSound();
  const mac = '0c383e00cafe';
  const { device, secret } = await platform.call(addDevice, {
    body: { ...(await devicePlace(platform.call)), mac, name: 'Python', model: 'X4U', sn: 'PY-1' },
  });
  const folder = mkdtempSync(join(platform.folder, 'python-'));
  const started = await pythonDevice({ folder, mac, secret, url: platform.ready.mqtt, rebootSeconds: 0.5 });
  python = started.child;
  const firmware = async (): Promise<string> => {
    const { onlineSince, firmware: told } = await platform.call(getDevice, { params: { id: mac } });
    if (told === null || onlineSince === null) throw new Error('the Python device has not said hello');
    return onlineSince;
  };
  const first = await eventually(firmware, 30_000);
  // A device in a call waits, as the protocol says, and the task shows it.
  python.kill('SIGUSR1');
  await eventually(async () =>
    expect(await platform.call(getDevice, { params: { id: mac } })).toMatchObject({ calls: 1 }),
  );
  const waiting = await reboot('In a call', { ids: [device.id] });
  await eventually(async () =>
    expect(await platform.call(getTask, { params: { id: waiting.id } })).toMatchObject({ waitingIdle: 1 }),
  );
  python.kill('SIGUSR2');
  expect((await platform.ended(waiting.id)).counts).toMatchObject({ success: 1 });
  const task = await reboot('In Python too', { ids: [device.id, ...records.slice(8, 13).map((r) => r.id)] });
  expect((await platform.ended(task.id)).counts).toMatchObject({ total: 6, success: 6 });
  expect((JSON.parse(readFileSync(started.state, 'utf8')) as { reboots: number }).reboots).toBe(2);
  // The device comes back by itself.
  await eventually(async () => {
    expect(Date.parse(await firmware())).toBeGreaterThan(Date.parse(first));
  }, 30_000);
});

it('a device may connect in the moment in which its secret is shown, and two with one identity are named', async () => {
  const mac = '0c383e00beef';
  const { device, secret } = await platform.call(addDevice, {
    body: { ...(await devicePlace(platform.call)), mac, name: 'Twins', model: 'X4U', sn: 'T-1' },
  });
  const twin = (sn: string, ip: string) => connectTwin(platform.ready.mqtt, { mac, secret, sn, ip });
  const first = twin('T-1', '10.9.0.1');
  await new Promise((resolve) => first.client.once('connect', resolve));
  expect(first.refused).toEqual([]);
  const second = twin('T-2', '10.9.0.2');
  const shared = await eventually(async () => {
    const { sharedIdentity } = await platform.call(getDevice, { params: { id: device.id } });
    expect(sharedIdentity).toHaveLength(2);
    return sharedIdentity!;
  });
  await Promise.all([first, second].map(({ client }) => client.endAsync(true)));
  expect(new Set(shared.map(({ ip, sn }) => `${ip} ${sn}`))).toEqual(new Set(['10.9.0.1 T-1', '10.9.0.2 T-2']));
  const { records: log } = await platform.call(listDeviceLog, { query: { deviceId: [device.id], limit: 100 } });
  expect(log.filter(({ kind }) => kind === 'sharedIdentity')).toHaveLength(1);
});
