import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  addConfigTemplate,
  addSipAccount,
  addSipServer,
  getDeviceConfigAddress,
  linkReport,
  listConfigRequests,
  type EventData,
} from '@carillon/contracts';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { setLogDestination } from '@carillon/observability';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type TestedService } from '@carillon/testing';
import { ask, type PhoneRequest } from '../testing/phone-client.ts';
import { phonePortOf, startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';
import { PhoneEvents } from './phone-events.service.ts';

let bus: PostgresBus;
let service: TestedService;
const reports: EventData<typeof linkReport, 'state'>[] = [];

beforeAll(async () => {
  bus = await testBus('phone_event_bus');
  service = await startProvisioning(bus, {
    deviceRequestsPerMinute: 30,
    forgedTokensPerMinute: 5,
    phoneCallMs: 4_000,
  });
  await bus.fanout({
    topics: [linkReport.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { type, data } = fromRecord(linkReport, record)!;
        if (type === 'state') reports.push(data as never);
      }
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const statusOf = async (path: string, more: PhoneRequest = {}) => (await ask(phonePortOf(service), path, more)).status;
const seen = (id: string) => reports.flatMap(({ deviceId, payload }) => (deviceId === id ? [payload] : []));

/** Creates a company with a Yealink phone that has accounts on these lines, and returns the folder of its files. */
async function phoneWith(mac: string, numbers: readonly string[]) {
  const own = newActor();
  const id = uuidv7();
  const call = service.as(own);
  const none = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const server = await call(addSipServer, {
    body: { name: 'PBX', address: 'pbx.example', port: 5060, transport: 'udp', ...none },
  });
  const accounts: { line: number; accountId: string; status: 'unregistered' }[] = [];
  for (const [index, number] of numbers.entries()) {
    const body = { name: `Account ${number}`, number, serverId: server.id, authPassword: 'wallaby-93' };
    const { id: accountId } = await call(addSipAccount, { body });
    accounts.push({ line: index + 1, accountId, status: 'unregistered' });
  }
  const publish = (more: object = {}) =>
    publishDevice(bus, own, id, { mac, model: 'SIP-T46U', secretMark: 'mark1', accounts, ...more });
  await publish();
  const values = { 'time.server': 'ntp.example' };
  await call(addConfigTemplate, { body: { name: 'All', description: '', level: 'general', target: null, values } });
  const { folder, file } = await eventually(async () => {
    const address = await call(getDeviceConfigAddress, { params: { id } });
    const { text } = await ask(phonePortOf(service), address.file!);
    expect(text.match(/\.user_name = /g)).toHaveLength(numbers.length);
    return { folder: address.folder, file: address.file! };
  });
  const requests = async () =>
    (await call(listConfigRequests, { params: { id } })).map((r) => `${r.outcome} ${r.file} ${r.times}`);
  return {
    id,
    call,
    publish: publish,
    folder,
    file,
    requests,
    event: (path: string) => statusOf(`${folder}event/${path}`),
  };
}
const line = (n: number, account: string, status: string) => ({ line: n, account, server: 'pbx.example', status });

test('URLs in a phone’s file report lines, DND and address like its connection [EDGE-03/url]', async () => {
  const { id, folder, file, requests, event } = await phoneWith('805ec0000101', ['201', '202']);
  const port = phonePortOf(service);
  const { text } = await ask(port, file);
  expect(text).toContain(
    `action_url.register_failed = http://127.0.0.1:${port}${folder.replace('/api/f/config/', '/c/')}event/failed?ip=$ip&account=$active_user&host=$active_host\n`,
  );
  for (const path of [
    'boot?ip=10.0.0.9&account=$active_user',
    'registered?account=201&host=pbx.example',
    'failed?account=202',
    'registered?account=202',
    'unregistered?account=201',
    'dnd-on',
    'dnd-off',
  ])
    expect(await event(path), path).toBe(200);
  await eventually(() => expect(seen(id)).toHaveLength(7));
  expect(seen(id).map(({ at: _, ...payload }) => payload)).toEqual([
    { ip: '10.0.0.9' },
    { lines: [line(1, '201', 'registered')] },
    { lines: [line(1, '201', 'registered'), line(2, '202', 'failed')] },
    { lines: [line(1, '201', 'registered'), line(2, '202', 'registered')] },
    { lines: [line(1, '201', 'unregistered'), line(2, '202', 'registered')] },
    { dnd: 'on' },
    { dnd: 'off' },
  ]);
  expect(reports.find((r) => r.deviceId === id)).toMatchObject({ mac: '805ec0000101', ownerEpoch: 1, epoch: 0 });
  await eventually(async () => expect(await requests()).toContain('event event.registered 2'));
});

test('two events at the same moment lose no line, and one whose line is not certain changes none', async () => {
  const { id, event, requests } = await phoneWith('805ec0000102', ['201', '202']);
  await Promise.all([event('registered?account=201'), event('registered?account=202')]);
  expect([await event('failed'), await event('failed?account=999'), await event('boot?ip=here')]).toEqual([
    200, 200, 200,
  ]);
  await eventually(async () => expect(await requests()).toContain('event event.boot 1'));
  await eventually(() => expect(seen(id)).toHaveLength(2));
  expect(seen(id).at(-1)!.lines).toEqual([line(1, '201', 'registered'), line(2, '202', 'registered')]);
});

test('what a phone told its former owner is not reported to the next one', async () => {
  const { id, call, publish, event, folder: former } = await phoneWith('805ec0000105', ['201', '202']);
  expect(await event('failed?account=201')).toBe(200);
  await publish({ ownerEpoch: 2 });
  const folder = await eventually(async () => {
    const address = await call(getDeviceConfigAddress, { params: { id } });
    expect(address.folder).not.toBe(former);
    return address.folder;
  });
  expect(await event('failed?account=201')).toBe(404);
  expect(await statusOf(`${folder}event/registered?account=202`)).toBe(200);
  await eventually(() => expect(seen(id).at(-1)!.lines).toEqual([line(2, '202', 'registered')]));
});

test('a forged, an old or a disabled token and an unknown event change nothing [EDGE-03/forged]', async () => {
  const { id, folder, file, event, publish, requests } = await phoneWith('805ec0000103', ['201']);
  const report = vi.spyOn(service.app.get(PhoneEvents), 'take');
  const forged = (n: number) => `/api/f/config/${'A'.repeat(100 + n)}/event/failed`;
  const from = '127.0.0.71';
  const statuses = [];
  for (let n = 0; n < 7; n++) statuses.push(await statusOf(forged(n), { from }));
  expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429]);
  for (const path of ['explode', 'failed/x', '']) expect(await event(path), path).toBe(404);
  expect(await statusOf(`${folder}event/failed`, { method: 'HEAD' })).toBe(405);
  expect(report).not.toHaveBeenCalled();
  report.mockRestore();

  await publish({ enabled: false });
  await eventually(async () => expect(await statusOf(file)).toBe(404));
  expect(await event('failed')).toBe(404);
  await publish({ secretMark: 'mark2' });
  await eventually(async () => {
    expect(await event('failed')).toBe(404);
    expect((await requests()).some((one) => one.startsWith('oldAddress event.failed'))).toBe(true);
  });
  expect(seen(id)).toEqual([]);
});

test('a phone that reports too often gets 429, loads its file, and no log has its values [EDGE-03/rate]', async () => {
  const lines: string[] = [];
  setLogDestination({ write: (text) => void lines.push(text) });
  try {
    const { folder, file, event, requests } = await phoneWith('805ec0000104', ['201']);
    const statuses = [];
    for (let n = 0; n < 33; n++) statuses.push(await event('failed?account=201&host=secret.example'));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(await statusOf(file)).toBe(200);
    await eventually(async () => expect((await requests()).join()).toContain('tooMany event.failed'));
    expect((await requests()).join() + lines.join()).not.toMatch(/secret\.example/);
    expect(lines.join()).not.toContain(folder);
  } finally {
    setLogDestination(undefined);
  }
});

test('calls are counted by name and end with the next start or by themselves [EDGE-03/call]', async () => {
  const { id, event } = await phoneWith('805ec0000106', ['201', '202']);
  for (const path of [
    'call-start?account=201&host=pbx.example&call=a',
    'call-start?account=201&call=a',
    'call-start?account=202&call=b',
    'call-end?account=201&call=a',
    'boot?ip=10.0.0.9',
    'call-start?account=202&call=c',
    'call-start?account=999&call=d',
    'registered?account=202',
  ])
    expect(await event(path), path).toBe(200);
  await eventually(() => expect(seen(id)).toHaveLength(8));
  const [calling, idle] = ['calling', 'registered'];
  const both = (first: string, second: string) => [line(1, '201', first), line(2, '202', second)];
  expect(seen(id).map(({ at: _, ...payload }) => payload)).toEqual([
    { calls: 1, lines: [line(1, '201', calling)] },
    { calls: 1, lines: [line(1, '201', calling)] },
    { calls: 2, lines: both(calling, calling) },
    { calls: 1, lines: both(idle, calling) },
    { ip: '10.0.0.9', calls: 0, lines: both(idle, idle) },
    { calls: 1, lines: both(idle, calling) },
    // A registration does not prolong a call.
    { lines: both(idle, calling) },
    // Four seconds after the call began.
    { calls: 0, lines: both(idle, idle) },
  ]);
});

test('a door is reported by its number, and a post by the line that it names [EDGE-03/post]', async () => {
  const { id, folder, event } = await phoneWith('805ec0000107', ['201', '202']);
  for (const path of ['door-open?door=2', 'door-closed?door=2', 'door-open', 'door-open?door=0', 'door-open?door=x'])
    expect(await event(path), path).toBe(200);
  const post = (body: string, more: PhoneRequest = {}) =>
    statusOf(`${folder}event/post`, { method: 'POST', body, ...more });
  const posted = (name: string, eventType: string, attributes = '') =>
    `<PolycomIPPhone><${name}${attributes}><LineNumber>${eventType}</LineNumber></${name}></PolycomIPPhone>`;
  const connected = ' CallReference="7" CallState="Connected"';
  expect(await post(posted('LineRegistrationEvent', '2'))).toBe(200);
  expect(await post(posted('CallStateChangeEvent', '1', connected))).toBe(200);
  expect([await post(posted('OffhookEvent', '1')), await post(''), await post('x'.repeat(8_193))]).toEqual([
    404, 404, 413,
  ]);
  expect([await post('', { method: 'GET' }), await statusOf(`${folder}event/boot`, { method: 'POST' })]).toEqual([
    405, 405,
  ]);
  const forged = { method: 'POST', body: posted('LineRegistrationEvent', '1'), from: '127.0.0.73' };
  expect(await statusOf(`/c/${'A'.repeat(100)}/event/post`, forged)).toBe(404);
  const door = (number: number, status: string) => ({ doors: [{ door: number, status }] });
  await eventually(() => expect(seen(id).length).toBeGreaterThanOrEqual(5));
  expect(
    seen(id)
      .map(({ at: _, ...payload }) => payload)
      .slice(0, 5),
  ).toEqual([
    door(2, 'open'),
    door(2, 'closed'),
    door(1, 'open'),
    { lines: [line(2, '202', 'registered')] },
    { calls: 1, lines: [line(1, '201', 'calling'), line(2, '202', 'registered')] },
  ]);
});
