import { devicePlace } from '@carillon/testing/device-place';
import { createHash } from 'node:crypto';
import { Agent, request, type ClientRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import mqtt, { type MqttClient } from 'mqtt';
import { addDevice } from '@carillon/contracts';
import { bench, percentile, report, spread } from '@carillon/devtools/bench';
import { up, type Instance } from './lib/instance.ts';

/**
 * Measures what others notice during a flood: logins during each flood without a login, and the PUBACKs of other
 * devices while one device floods. Uses the product's default limits; the flood and the logins come from different
 * addresses. `--seconds N`, by default 30.
 */
const { values } = parseArgs({ strict: false, options: { seconds: { type: 'string', default: '30' } } });
const ms = 1_000 * Number(values.seconds);
/** The flood comes from three addresses, because one alone may not have 2,500 connections. */
let opened = 0;
const flooder = (): string => `127.0.0.${66 + (opened++ % 3)}`;

type Flood = (port: number, over: () => boolean) => Promise<void>;
const swallow = (socket: Socket): Socket => socket.on('error', () => undefined).resume();
const open = (port: number, text: string): Socket => {
  const socket = swallow(connect({ port, host: '127.0.0.1', localAddress: flooder() }));
  socket.write(text);
  return socket;
};
const token = 'POST /api/f/auth/oauth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
const chunked = `${token}transfer-encoding: chunked\r\n\r\n`;

const floods: Record<string, Flood> = {
  'sockets send headers and a chunk and leave, 140 at once': async (port, over) => {
    while (!over()) {
      const sockets = Array.from({ length: 140 }, () => open(port, `${chunked}5\r\n{"gra\r\n`));
      await delay(50);
      for (const socket of sockets) socket.resetAndDestroy();
    }
  },
  '130 bodies come a byte now and then': async (port, over) => {
    const sockets = new Set<Socket>();
    while (!over()) {
      while (sockets.size < 130) {
        const socket = open(port, chunked);
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket));
      }
      for (const socket of sockets) if (socket.writable) socket.write('1\r\n \r\n');
      await delay(500);
    }
    for (const socket of sockets) socket.destroy();
  },
  '/readyz is asked over 2,500 connections': async (port, over) => {
    const ask = 'GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n';
    const sockets = new Set<Socket>();
    while (!over()) {
      while (sockets.size < 2_500) {
        const socket = open(port, ask);
        sockets.add(socket);
        socket.on('data', () => {
          if (socket.writable) socket.write(ask);
        });
        socket.on('close', () => sockets.delete(socket));
      }
      await delay(100);
    }
    for (const socket of sockets) socket.destroy();
  },
  'wrong logins of one address, as fast as they are answered': async (port, over) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    const body = JSON.stringify({ grant_type: 'captcha', scope: 'all', username: 'nobody', password: '0'.repeat(32) });
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        while (!over())
          await new Promise<void>((done) => {
            const asked: ClientRequest = request({
              port,
              agent,
              host: '127.0.0.1',
              localAddress: flooder(),
              method: 'POST',
              path: '/api/f/auth/oauth/token',
              headers: { 'content-type': 'application/json', 'content-length': body.length },
            });
            asked.on('response', (answer) => answer.resume().on('close', done));
            asked.on('error', () => done());
            asked.end(body);
          });
      }),
    );
    agent.destroy();
  },
};

/**
 * Logs in again and again, each time from a new address, until `over`. Returns the milliseconds of the answered logins.
 */
async function logins({ url, data }: Instance, over: () => boolean): Promise<{ times: number[]; failed: number }> {
  const { admin, client } = JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')) as {
    admin: { username: string; password: string };
    client: { id: string; secret: string };
  };
  const body = JSON.stringify({
    grant_type: 'captcha',
    scope: 'all',
    username: admin.username,
    password: createHash('md5').update(admin.password).digest('hex'),
  });
  const times: number[] = [];
  let failed = 0;
  for (let i = 0; !over(); i++) {
    const began = performance.now();
    const status = await new Promise<number>((done) => {
      const asked = request(`${url}/api/f/auth/oauth/token`, {
        method: 'POST',
        localAddress: `127.0.1.${1 + (i % 200)}`,
        agent: false,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
        },
      });
      asked.on('response', (answer) => answer.resume().on('close', () => done(answer.statusCode ?? 0)));
      asked.on('error', () => done(0));
      asked.end(body);
    });
    if (status === 200) times.push(performance.now() - began);
    else failed++;
    await delay(100);
  }
  return { times, failed };
}

const hello = {
  model: 'X7A',
  sn: '1',
  firmware: '1',
  ip: '10.0.0.1',
  uptime: 1,
  boot: 'power',
  capabilities: [],
};

async function device(instance: Instance, n: number): Promise<{ mac: string; open: () => Promise<MqttClient> }> {
  const mac = `0c383ef1${n.toString(16).padStart(4, '0')}`;
  const { secret } = await instance.call(addDevice, {
    body: { ...(await devicePlace(instance.call)), mac, name: mac, model: 'X7A', sn: mac },
  });
  return {
    mac,
    async open() {
      const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${instance.mqttPort}`, {
        clientId: mac,
        username: mac,
        password: secret,
        reconnectPeriod: 0,
      });
      client.on('error', () => undefined);
      await client.publishAsync(`d/${mac}/hello`, JSON.stringify(hello), { qos: 1 });
      return client;
    },
  };
}

/** Sends four events per second from each client until `over`. Returns the milliseconds from sending to PUBACK. */
async function pubacks(clients: readonly (readonly [string, MqttClient])[], over: () => boolean): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    clients.map(async ([mac, client], i) => {
      await delay(i * 10);
      for (let n = 0; !over(); n++) {
        const began = performance.now();
        const event = JSON.stringify({ id: `e-${Date.now()}-${n}`, at: Date.now(), kind: 'tamper' });
        await client.publishAsync(`d/${mac}/event`, event, { qos: 1 });
        times.push(performance.now() - began);
        await delay(250);
      }
    }),
  );
  return times;
}

/** Sends messages of 60 KB as long as the connection stays open, and reconnects as often as possible. */
async function floodOf(
  { mac, open: connected }: Awaited<ReturnType<typeof device>>,
  over: () => boolean,
): Promise<void> {
  const call = JSON.stringify({ id: 'c', at: 1, record: { filler: 'x'.repeat(60_000) } });
  while (!over()) {
    const client = await connected().catch(() => null);
    if (client === null) {
      await delay(200);
      continue;
    }
    const closed = new Promise<void>((done) => {
      client.once('close', () => done());
    });
    while (!over() && client.connected)
      await Promise.race([
        Promise.all(
          Array.from({ length: 16 }, () =>
            client.publishAsync(`d/${mac}/call`, call, { qos: 1 }).catch(() => undefined),
          ),
        ),
        closed,
      ]);
    client.end(true);
  }
}

const overAfter = (duration: number): (() => boolean) => {
  const until = performance.now() + duration;
  return () => performance.now() > until;
};

await bench('what others notice of a flood', async () => {
  const instance = await up({ devices: 0, limits: true });
  try {
    const port = Number(new URL(instance.url).port);
    const idle = await logins(instance, overAfter(ms / 2));
    for (const [name, flood] of Object.entries(floods)) {
      const over = overAfter(ms);
      const flooding = flood(port, over);
      const { times, failed } = await logins(instance, over);
      await flooding;
      report(
        {
          name: `login p95 of others while ${name} (${times.length} logins, ${failed} failed)`,
          unit: 'ms',
          value: percentile(times, 0.95),
          atMost: 400,
          beside: { name: 'idle p95', value: percentile(idle.times, 0.95) },
        },
        spread(times),
      );
      report({ name: '… of which failed', unit: '', value: failed, atMost: 0 });
    }
    const others = await Promise.all(Array.from({ length: 20 }, (_, n) => device(instance, n)));
    const bad = await device(instance, 999);
    // The gateway learns of a new device's secret a moment later.
    await delay(2_000);
    const clients = await Promise.all(others.map(async ({ mac, open: come }) => [mac, await come()] as const));
    const before = await pubacks(clients, overAfter(ms));
    const over = overAfter(ms);
    const flooding = floodOf(bad, over);
    const flooded = await pubacks(clients, over);
    await flooding;
    const loginsMeanwhile = overAfter(ms);
    const again = floodOf(bad, loginsMeanwhile);
    const beside = await logins(instance, loginsMeanwhile);
    await again;
    for (const [, client] of clients) await client.endAsync(true);
    report({
      name: `PUBACK p99 of 20 other devices while one floods (${flooded.length} of them)`,
      unit: 'ms',
      value: percentile(flooded, 0.99),
      atMost: 2 * percentile(before, 0.99),
      beside: { name: 'idle p99', value: percentile(before, 0.99) },
    });
    report({
      name: 'login p95 while a device floods',
      unit: 'ms',
      value: percentile(beside.times, 0.95),
      atMost: 400,
      beside: { name: 'idle p95', value: percentile(idle.times, 0.95) },
    });
  } finally {
    instance.down();
  }
});
