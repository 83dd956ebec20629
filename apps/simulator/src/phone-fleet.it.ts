import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Fleet } from './fleet.ts';
import { imageOf } from './http-firmware.ts';
import { makePhones } from './inventory.ts';
import { startPhones } from './phone-fleet.ts';

let folder: string;
let server: Server;
let fleet: Fleet | undefined;
let [running, most] = [0, 0];
let withFiles = true;
/** Answers that wait; undefined when each is sent at once. */
let held: (() => void)[] | undefined;
/** Status of the image that the files name; none when absent. */
let image: number | undefined;
/** What each phone asked for, with its address. */
const asked: { url: string; from: string }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'carillon-phones-'));
  asked.length = running = most = 0;
  withFiles = true;
  held = image = undefined;
  server = createServer((request, response) => {
    most = Math.max(most, ++running);
    asked.push({ url: request.url!, from: request.socket.remoteAddress! });
    const host = `http://${request.headers.host}`;
    const lines = [
      '#!version:1.0.0.1',
      `static.auto_provision.server.url = ${host}/own/`,
      `action_url.setup_completed = ${host}/boot?ip=$ip`,
      'sip.notify_reboot_enable = 0',
      ...(image === undefined ? [] : [`static.firmware.url = ${host}/image.rom`]),
    ];
    const answer = () => {
      running--;
      if (request.url === '/image.rom') return void response.writeHead(image!).end(imageOf('9.8.7', Buffer.alloc(8)));
      const isFile = withFiles && /\/[0-9a-f]{12}\.cfg$/.test(request.url!);
      const isKnown = isFile || request.url!.startsWith('/boot');
      response.writeHead(isKnown ? 200 : 404).end(isFile ? lines.join('\n') : '');
    };
    if (held) held.push(answer);
    else setImmediate(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await fleet?.stop();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const start = async (count: number, more: object = {}) => {
  fleet = await startPhones({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    phones: makePhones(['Yealink'], count, 1),
    stateDir: folder,
    connectPerSecond: 0,
    rebootMs: 0,
    sipPort: 5_062,
    ...more,
  });
  await fleet.ready;
  return fleet;
};
const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await new Promise((resolve) => setImmediate(resolve));
};

it('hundreds of phones load their files, at most 32 at a time, each from a loopback address of its own', async () => {
  const phones = await start(300);
  expect(phones.stats()).toMatchObject({ devices: 300, connected: 300, troubles: 0 });
  expect(most).toBeLessThanOrEqual(32);
  expect(new Set(asked.map(({ from }) => from)).size).toBe(300);
  expect(asked.filter(({ url }) => /^\/own\/[0-9a-f]{12}\.cfg$/.test(url))).toHaveLength(300);
});

it('a phone acts on each NOTIFY once, and keeps its file over a new process', async () => {
  const phones = await start(1);
  const { from } = asked[0]!;
  const socket = createSocket('udp4');
  const notify = async (event: string, call: string) => {
    const lines = [`NOTIFY sip:${from} SIP/2.0`, `Event: ${event}`, `Call-ID: ${call}`, 'CSeq: 1 NOTIFY', '', ''];
    socket.send(lines.join('\r\n'), 5_062, from);
    const [answer] = (await once(socket, 'message')) as [Buffer];
    return answer.toString().split('\r\n')[0];
  };
  try {
    const before = asked.length;
    for (const event of ['check-sync;reboot=true', 'check-sync;reboot=true', 'check-sync;reboot=false'])
      expect(await notify(event, event)).toBe('SIP/2.0 200 OK');
    await until(() => phones.stats().effects['fetch'] === 1);
    expect(phones.stats().effects).toEqual({ restart: 1, fetch: 1 });
    const since = asked.slice(before).map(({ url }) => url);
    expect(since.filter((url) => url === `/boot?ip=${from}`)).toHaveLength(1);
    expect(since.filter((url) => /\/[0-9a-f]{12}\.cfg$/.test(url))).toHaveLength(2);
  } finally {
    socket.close();
  }
  await phones.stop();
  asked.length = 0;
  await start(1);
  // It asks where its file told it, and no longer at the server's own address.
  expect(asked.every(({ url }) => url.startsWith('/own/') || url.startsWith('/boot'))).toBe(true);
});

it('a phone without a file asks again until it has one, and one that is off asks no more', async () => {
  withFiles = false;
  const phones = await start(2, { retryMs: 1 });
  expect(phones.stats().connected).toBe(0);
  const [first] = phones.devices();
  await phones.behave(first!.mac, 'offline');
  withFiles = true;
  await until(() => phones.stats().connected === 1);
  expect(phones.devices().map(({ online }) => online)).toEqual([false, true]);
  await expect(phones.behave(first!.mac, 'slow')).rejects.toMatchObject({ status: 400 });
  await phones.behave(first!.mac, 'normal');
  await until(() => phones.stats().connected === 2);
});

it('a phone that is switched off while it starts asks no more, and starts when it is switched on', async () => {
  held = [];
  const starting = start(1);
  await until(() => held!.length === 1);
  const [phone] = fleet!.devices();
  await fleet!.behave(phone!.mac, 'offline');
  await starting;
  asked.length = 0;
  const late = held;
  held = undefined;
  for (const answer of late) answer();
  await fleet!.behave(phone!.mac, 'normal');
  await until(() => fleet!.stats().connected === 1);
  expect(asked[0]!.url).toBe(`/${phone!.mac}.boot`);
  expect(asked.some(({ url }) => url.startsWith('/boot'))).toBe(true);
  expect(fleet!.stats().troubles).toBe(0);
});

it('a phone that no NOTIFY reaches tries again to load its image, and starts once more with it', async () => {
  image = 503;
  // A phone opens no port for SIP when its server is on no loopback address.
  const phones = await start(1, { server: `http://0.0.0.0:${(server.address() as AddressInfo).port}` });
  const [phone] = phones.devices();
  expect(phone!.firmware).not.toBe('9.8.7');
  image = 200;
  const before = asked.length;
  await phones.bootOverHttp(phone!.mac, '', []);
  expect(phones.devices()[0]!.firmware).toBe('9.8.7');
  expect(asked.slice(before).filter(({ url }) => url.startsWith('/boot'))).toHaveLength(2);
});
