import { randomBytes } from 'node:crypto';
import type { Packet } from 'mqtt-packet';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addDevice, linkCommand, linkReport, listDevices, type Client } from '@carillon/contracts';
import { linkTopic } from '@carillon/contracts/link';
import { deviceService } from '@carillon/device/module';
import { allTopics } from '@carillon/contracts/topics';
import { migrateBus, PostgresBus } from '@carillon/messaging';
import { Redis, type ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testDatabase, testService, type TestedService, devicePlaces } from '@carillon/testing';
import { testRedis, type TestRedis } from '@carillon/testing/redis';
import { mqttGatewayConfig } from './config.ts';
import { toRecord, uuidv7 } from './uplink/envelope.ts';
import { GatewayProcess } from './testing/gateways.ts';
import type { RawDevice } from './testing/raw-device.ts';
import { hello, payloadOf, up } from './testing/rig.ts';

/** Real gateway processes with one bus and one Redis, and the device service, whose rows tell who is online. */
let bus: PostgresBus;
let busDatabase: string;
let redis: TestRedis;
let device: TestedService;
let devices: Client;
const actor = newActor();
const gateways: GatewayProcess[] = [];
const sockets: RawDevice[] = [];
const prefix = `t${randomBytes(4).toString('hex')}`;

interface Known {
  id: string;
  mac: string;
  secret: string;
}
const known: Known[] = [];

beforeAll(async () => {
  [busDatabase, redis] = await Promise.all([testDatabase('bus'), testRedis()]);
  await migrateBus({ connectionString: busDatabase });
  bus = await PostgresBus.open({ connection: { connectionString: busDatabase }, name: 'test' });
  await bus.ensureTopics(allTopics);
  device = await testService(deviceService as unknown as ServiceDefinition, bus);
  devices = device.as(actor);
  const place = await devicePlaces(bus, device)(actor);
  for (let i = 0; i < 60; i++) {
    const mac = `00a859${randomBytes(3).toString('hex')}`;
    const { device: made, secret } = await devices(addDevice, {
      body: { ...place, mac, name: `Phone ${i}`, model: 'X6U', sn: `SN${mac}` },
    });
    known.push({ id: made.id, mac, secret });
  }
});
afterAll(async () => {
  await device?.close();
  await bus?.close();
  await redis?.stop();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  if (gateways.length > 0) await expectOnline([], 30_000).catch(() => {});
  for (const gateway of gateways.splice(0)) await gateway.end();
});

const start = async (name: string, config: Record<string, unknown> = {}): Promise<GatewayProcess> => {
  const gateway = await GatewayProcess.start({
    bus: busDatabase,
    redis: redis.url,
    prefix,
    config: { name, leaseSeconds: 4, ...config },
  });
  gateways.push(gateway);
  return gateway;
};
/** Connects, subscribes and says hello; resolves at the welcome. */
const connect = async (to: GatewayProcess, { mac, secret }: Known, keepalive = 120): Promise<RawDevice> => {
  const socket = await to.open();
  sockets.push(socket);
  socket.send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId: mac,
    username: mac,
    password: Buffer.from(secret),
    keepalive,
  } as Packet);
  const { returnCode } = await socket.next('connack');
  if (returnCode !== 0) throw new Error(`CONNACK ${returnCode}`);
  socket.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: linkTopic.command(mac), qos: 1 }] });
  socket.send(up(mac, 'hello', { ...hello, configVersion: '1' }, 1));
  await socket.next('publish', (p) => payloadOf(p).action === 'welcome');
  return socket;
};
const order = async ({ id: deviceId, mac }: Known): Promise<string> => {
  const id = uuidv7(Date.now());
  await bus.publish([
    toRecord(
      linkCommand.name,
      'command',
      deviceId,
      JSON.stringify({ deviceId, mac, ownerEpoch: 1, id, action: 'reboot', args: {}, expiresAt: Date.now() + 60_000 }),
      Date.now(),
      1,
      actor.companyId,
    ),
  ]);
  return id;
};
const heard = (socket: RawDevice): unknown[] =>
  socket.packets.flatMap((p) => (p.cmd === 'publish' && payloadOf(p).action === 'reboot' ? [payloadOf(p).id] : []));
const online = async (): Promise<Set<string>> =>
  new Set(
    (await devices(listDevices, { query: { limit: 200 } })).records
      .filter((d) => d.state === 'online' || d.state === 'abnormal')
      .map((d) => d.mac.replaceAll(':', '').toLowerCase()),
  );
const expectOnline = (macs: readonly Known[], within = 10_000): Promise<void> =>
  eventually(async () => expect([...(await online())].sort()).toEqual(macs.map((k) => k.mac).sort()), within);

describe('several gateway processes', () => {
  it('take devices over from each other, in turn and at once, and commands follow them [GW-01/processes]', async () => {
    const [a, b] = await Promise.all([start('a'), start('b')]);
    const some = known.slice(0, 30);
    const first = await Promise.all(some.map((k) => connect(a, k)));
    await expectOnline(some);
    const second = await Promise.all(some.map((k) => connect(b, k)));
    await Promise.all(first.map((s) => s.ended()));
    await eventually(async () => expect([(await a.stats()).devices, (await b.stats()).devices]).toEqual([0, 30]));
    await expectOnline(some);
    const orders = await Promise.all(some.map(order));
    await eventually(() => expect(second.map(heard)).toEqual(orders.map((id) => [id])));
    expect(first.flatMap(heard)).toEqual([]);

    // The same device connects to both at once, repeatedly: one connection remains, and it gets the commands.
    for (const one of known.slice(30, 50)) {
      const both = await Promise.all([connect(a, one).catch(() => null), connect(b, one).catch(() => null)]);
      await eventually(() => expect(both.filter((s) => s !== null && !s.closed)).toHaveLength(1));
      const id = await order(one);
      await eventually(() => expect(both.flatMap((s) => (s ? heard(s) : []))).toEqual([id]));
    }
    await expectOnline(known.slice(0, 50));
  });

  it(
    'silent devices go offline in time, and a stopped process disconnects its own [GW-03]',
    { tags: 'slow' },
    async () => {
      const settings = { leaseSeconds: mqttGatewayConfig.parse({}).leaseSeconds };
      const [a, b, c] = await Promise.all([start('a', settings), start('b', settings), start('c', settings)]);
      const [ofA, ofB, ofC] = [known.slice(0, 10), known.slice(10, 20), known.slice(20, 30)];
      await Promise.all(ofA.map((k) => connect(a!, k)));
      const kept = await Promise.all(ofB.map((k) => connect(b!, k)));
      const stopped = await Promise.all(ofC.map((k) => connect(c!, k)));
      const silent = await connect(b!, known[30]!, 4);
      await expectOnline(known.slice(0, 31));
      const lastWord = performance.now();
      silent.send({ cmd: 'pingreq' });
      await expectOnline(known.slice(0, 30), 1.5 * 4_000 + 5_000);
      expect(performance.now() - lastWord).toBeGreaterThan(1.5 * 4_000 - 1_000);

      a.signal('SIGKILL');
      c.signal('SIGSTOP');
      const from = performance.now();
      await Promise.all(ofC.map(order));
      for (const s of stopped) s.send({ cmd: 'pingreq' });
      await expectOnline(ofB, 30_000);
      expect(performance.now() - from).toBeGreaterThan(5_000);
      expect(performance.now() - from).toBeLessThan(30_000);
      // One device of the stopped process has gone to another one, and one comes back to it.
      const moved = await connect(b, ofC[0]!);
      c.signal('SIGCONT');
      await Promise.all(stopped.map((s) => s.ended()));
      expect(stopped.flatMap(heard)).toEqual([]);
      expect(stopped.flatMap((s) => s.packets.filter((p) => p.cmd === 'pingresp'))).toEqual([]);
      await connect(c, ofC[1]!);
      await expectOnline([...ofB, ofC[0]!, ofC[1]!]);
      expect([moved, ...kept].some((s) => s.closed)).toBe(false);
      expect(c.log.filter((l) => l.level === 'error')).toHaveLength(1);
      // It continues as a new instance, and nothing refers to the old one any more.
      const connection = await Redis.open({ url: redis.url, prefix });
      await eventually(async () =>
        expect((await connection.send<string[]>(['ZRANGE', `${prefix}:gateways`, '0', '-1'])).sort()).toEqual([
          (await b.stats()).gateway,
          (await c.stats()).gateway,
        ]),
      );
      await connection.close();
    },
  );

  it(
    'take over, command and report offline without Redis, and go on with an empty one [GW-03/redis]',
    { tags: 'slow' },
    async () => {
      const [a, b] = await Promise.all([start('a'), start('b')]);
      const some = known.slice(0, 10);
      const first = await Promise.all(some.map((k) => connect(a!, k)));
      await redis.kill();
      try {
        const second = await Promise.all(some.map((k) => connect(b!, k)));
        await Promise.all(first.map((s) => s.ended()));
        const id = await order(some[0]!);
        await eventually(() => expect(heard(second[0]!)).toEqual([id]));
        const third = await connect(a!, known[10]!);
        await expectOnline(known.slice(0, 11));
        a!.signal('SIGKILL');
        await third.ended();
        await expectOnline(some);
        const again = await start('a');
        await redis.start();
        await eventually(async () => expect((await b!.stats()).devices).toBe(10));
        await eventually(() => expect(b!.log.some((l) => l.message === 'Redis is back')).toBe(true), 15_000);
        const back = await Promise.all(some.map((k) => connect(again, k)));
        await Promise.all(second.map((s) => s.ended()));
        await expectOnline(some);
        expect(back.some((s) => s.closed)).toBe(false);
      } finally {
        await redis.kill();
        await redis.start();
      }
    },
  );

  it('store acknowledged data in its order, whichever process dies [GW-02/gateway]', { tags: 'slow' }, async () => {
    const stored = new Map<string, number[]>();
    const reader = await bus.fanout({
      topics: [linkReport.name],
      from: 'end',
      handle: ({ records }) => {
        for (const { headers, value } of records) {
          if (headers.type !== 'state') continue;
          const { mac, payload } = JSON.parse(value!) as { mac: string; payload: { calls: number } };
          stored.set(mac, [...(stored.get(mac) ?? []), payload.calls]);
        }
      },
    });
    await reader.caughtUp;
    let [one, other] = await Promise.all([start('a'), start('b')]);
    let running = true;
    const acknowledged = new Map<string, number>();
    // Each device sends consecutive numbers at whatever gateway it finds, and repeats one that was not acknowledged.
    const talk = async (k: Known): Promise<void> => {
      for (let next = 1; running;) {
        const socket = await connect(one!, k)
          .catch(() => connect(other!, k))
          .catch(() => null);
        try {
          while (socket && running) {
            socket.send(up(k.mac, 'state', { at: next, calls: next }, (next % 60_000) + 2));
            await socket.next('puback', (p) => p.messageId === (next % 60_000) + 2);
            acknowledged.set(k.mac, next++);
          }
        } catch {
          /* its gateway died */
        }
      }
    };
    const some = known.slice(0, 20);
    const talking = some.map(talk);
    for (const name of ['c', 'd']) {
      const before = [...acknowledged.values()].reduce((sum, n) => sum + n, 0);
      await eventually(() =>
        expect([...acknowledged.values()].reduce((sum, n) => sum + n, 0)).toBeGreaterThan(before + 200),
      );
      one!.signal('SIGKILL');
      [one, other] = [other, await start(name)];
    }
    await eventually(() => expect(Math.min(...acknowledged.values())).toBeGreaterThan(30));
    running = false;
    await Promise.all(talking);
    await eventually(() => {
      for (const { mac } of some) {
        const numbers = stored.get(mac)!;
        expect(new Set(numbers).size).toBeGreaterThanOrEqual(acknowledged.get(mac)!);
        // The number in progress may be repeated; a gap or an older number is a failure.
        for (const [i, n] of numbers.entries()) expect(n - (numbers[i - 1] ?? 0)).toBeOneOf([0, 1]);
      }
    });
    await reader.close();
  });

  it(
    'a drained process hands its devices over at its pace without refusals, then exits [OPS-01/drain]',
    { tags: 'slow' },
    async () => {
      const [a, b] = await Promise.all([start('a', { drainPerSecond: 20 }), start('b')]);
      const some = known.slice(0, 50);
      let running = true;
      const orders = new Map<string, string[]>();
      const answered = new Map<string, unknown[]>();
      const returned: number[] = [];
      const from = { at: 0 };
      // Like a real device, it reconnects through the load balancer as soon as it is closed.
      const live = async (k: Known): Promise<void> => {
        for (let to = a!; running; to = b!) {
          const socket = await connect(to, k);
          if (to === b) returned.push(performance.now() - from.at);
          await socket.until(() => socket.closed || !running);
          answered.set(k.mac, [...(answered.get(k.mac) ?? []), ...heard(socket)]);
        }
      };
      const living = some.map(live);
      await expectOnline(some);
      from.at = performance.now();
      const drained = a.drain();
      await eventually(() => expect(returned.length).toBeGreaterThan(10));
      for (const k of some) orders.set(k.mac, [await order(k)]);
      await drained;
      await eventually(() => expect(returned).toHaveLength(50));
      await expectOnline(some);
      const stats = await b.stats();
      expect(stats.devices).toBe(50);
      expect(Object.values(stats.refused).reduce((sum, n) => sum + n, 0)).toBe(0);
      // 20 per second, so no second may exceed its share.
      for (const t of returned) expect(returned.filter((r) => r >= t && r < t + 1_000).length).toBeLessThanOrEqual(30);
      running = false;
      for (const s of sockets) s.destroy();
      await Promise.all(living);
      // An id may arrive again over the new connection; a device executes it once (device-link.md).
      for (const k of some) expect(orders.get(k.mac), k.mac).toEqual(expect.arrayContaining(answered.get(k.mac)!));
    },
  );
});
