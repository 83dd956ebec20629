import { fork, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Packet } from 'mqtt-packet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deviceCredential, linkCommand, linkReport } from '@carillon/contracts';
import { linkTopic } from '@carillon/contracts/link';
import { allTopics } from '@carillon/contracts/topics';
import { migrateBus, PostgresBus } from '@carillon/messaging';
import { eventually, testDatabase } from '@carillon/testing';
import { testRedis, type TestRedis } from '@carillon/testing/redis';
import { toRecord, uuidv7 } from '../uplink/envelope.ts';
import { GatewayProcess } from '../testing/gateways.ts';
import type { RawDevice, Way } from '../testing/raw-device.ts';
import { company, deviceIdOf, hello, org, payloadOf, up } from '../testing/rig.ts';
import { TestAuthority } from '../testing/test-authority.ts';
import { macOf } from '../testing/wire.ts';

/** Connections per process; a process here may open 20,000 files, including those of the devices. */
const each = 10_000;
let bus: PostgresBus;
let busDatabase: string;
let redis: TestRedis;
let authority: TestAuthority;
const children: ChildProcess[] = [];
const gateways: GatewayProcess[] = [];
const prefix = `t${randomBytes(4).toString('hex')}`;

beforeAll(async () => {
  authority = new TestAuthority();
  [busDatabase, redis] = await Promise.all([testDatabase('bus'), testRedis()]);
  await migrateBus({ connectionString: busDatabase });
  bus = await PostgresBus.open({ connection: { connectionString: busDatabase }, name: 'test' });
  await bus.ensureTopics(allTopics);
  const secretHash = (mac: string): string => createHash('sha256').update(mac).digest('base64url');
  for (let from = 0; from < 2 * each; from += 1_000)
    await bus.publish(
      Array.from({ length: 1_000 }, (_, i) => {
        const mac = macOf(from + i);
        return toRecord(
          deviceCredential.name,
          'credential',
          deviceIdOf(mac),
          JSON.stringify({
            deviceId: deviceIdOf(mac),
            mac,
            orgId: org,
            ownerEpoch: 1,
            secretHash: secretHash(mac),
            previousHash: null,
            enabled: true,
          }),
          Date.now(),
          1,
          company,
        );
      }),
    );
  const server = authority.sign('gateway');
  const start = (name: string) =>
    GatewayProcess.start({
      bus: busDatabase,
      redis: redis.url,
      prefix,
      config: {
        name,
        mqttListen: 'tcp,tls,ws,wss',
        tlsHost: '127.0.0.1',
        tlsPort: 0,
        webSocketPort: 0,
        secureWebSocketPort: 0,
        tlsCertificate: server.certFile,
        tlsKey: server.keyFile,
        tlsClientCa: authority.caFile,
        connectsPerSecond: 100_000,
        connectBurst: 100_000,
        halfOpenPerAddress: 5_000,
      },
    });
  gateways.push(...(await Promise.all([start('a'), start('b')])));
});
afterAll(async () => {
  for (const child of children) child.disconnect();
  for (const gateway of gateways) await gateway.end();
  await bus?.close();
  await redis?.stop();
  authority.remove();
});

const fleet = async (port: number, first: number): Promise<ChildProcess> => {
  const child = fork(
    fileURLToPath(new URL('../testing/fleet.child.ts', import.meta.url)),
    [port, first, each].map(String),
    {
      execArgv: [
        '--experimental-transform-types',
        '--conditions=carillon-source',
        '--disable-warning=ExperimentalWarning',
      ],
    },
  );
  children.push(child);
  await once(child, 'message');
  return child;
};
const asked = async (child: ChildProcess): Promise<{ standing: number; heard: number }> => {
  child.send('how');
  return ((await once(child, 'message')) as [{ standing: number; heard: number }])[0];
};
const order = (n: number) => {
  const mac = macOf(n);
  const id = uuidv7(Date.now());
  return {
    id,
    record: toRecord(
      linkCommand.name,
      'command',
      deviceIdOf(mac),
      JSON.stringify({
        deviceId: deviceIdOf(mac),
        mac,
        ownerEpoch: 1,
        id,
        action: 'reboot',
        args: {},
        expiresAt: Date.now() + 120_000,
      }),
      Date.now(),
      1,
      company,
    ),
  };
};

it(
  'two processes hold 20,000 devices, and a device switches between them by every way in [GW-01]',
  { tags: 'slow', timeout: 180_000 },
  async () => {
    const [a, b] = gateways as [GatewayProcess, GatewayProcess];
    const [ofA, ofB] = await Promise.all([fleet(a.port, 0), fleet(b.port, each)]);
    await eventually(
      async () => expect([(await a.stats()).devices, (await b.stats()).devices]).toEqual([each, each]),
      20_000,
    );

    // One device of each fleet moves between the processes by every way in.
    const [wanderer, mac] = [7, macOf(7)];
    const own = authority.sign(mac);
    const ways: [GatewayProcess, Way & { kind: string }, boolean][] = [
      [b, { kind: 'tls', tls: { ca: authority.ca } }, true],
      [a, { kind: 'tls', tls: { ca: authority.ca, cert: own.cert, key: own.key } }, false],
      [b, { kind: 'ws', webSocket: { path: '/mqtt' } }, true],
      [a, { kind: 'wss', tls: { ca: authority.ca }, webSocket: { path: '/mqtt' } }, true],
      [b, { kind: 'tcp' }, true],
    ];
    let last: RawDevice | null = null;
    for (const [to, way, secret] of ways) {
      const device = await to.open(way);
      device.send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: mac,
        username: mac,
        ...(secret ? { password: Buffer.from(mac) } : {}),
        keepalive: 120,
      } as Packet);
      expect((await device.next('connack')).returnCode).toBe(0);
      device
        .send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: linkTopic.command(mac), qos: 1 }] })
        .send(up(mac, 'hello', hello, 1));
      await device.next('publish', (p) => payloadOf(p).action === 'welcome');
      if (last === null) await eventually(async () => expect((await asked(ofA)).standing).toBe(each - 1), 10_000);
      else await last.ended();
      const { id, record } = order(wanderer);
      await bus.publish([record]);
      await device.next('publish', (p) => payloadOf(p).id === id);
      last = device;
    }
    expect(last!.closed).toBe(false);
    await eventually(async () =>
      expect([(await a.stats()).devices, (await b.stats()).devices]).toEqual([each - 1, each + 1]),
    );

    // All others are where they were, and each gets one command.
    const before = [(await asked(ofA)).heard, (await asked(ofB)).heard];
    const all = Array.from({ length: 2 * each }, (_, n) => n)
      .filter((n) => n !== wanderer)
      .map((n) => order(n).record);
    for (let from = 0; from < all.length; from += 1_000) await bus.publish(all.slice(from, from + 1_000));
    await eventually(
      async () =>
        expect([(await asked(ofA)).heard, (await asked(ofB)).heard]).toEqual([
          before[0]! + each - 1,
          before[1]! + each,
        ]),
      30_000,
    );
    expect([(await asked(ofA)).standing, (await asked(ofB)).standing]).toEqual([each - 1, each]);
    expect((await a.stats()).defects + (await b.stats()).defects).toBe(0);
  },
);

it('a device gets in only by its own secret or certificate, and reaches only its own topics [DEV-09]', async () => {
  const [a, b] = gateways as [GatewayProcess, GatewayProcess];
  const [mac, other] = [macOf(2 * each + 1), macOf(2 * each + 2)];
  const secrets = new Map([mac, other].map((m) => [m, randomBytes(32).toString('base64url')]));
  await bus.publish(
    [...secrets].map(([m, secret]) =>
      toRecord(
        deviceCredential.name,
        'credential',
        deviceIdOf(m),
        JSON.stringify({
          deviceId: deviceIdOf(m),
          mac: m,
          orgId: org,
          ownerEpoch: 1,
          secretHash: createHash('sha256').update(secret).digest('base64url'),
          previousHash: null,
          enabled: true,
        }),
        Date.now(),
        1,
        company,
      ),
    ),
  );
  const reports: string[] = [];
  await bus.fanout({
    topics: [linkReport.name],
    from: 'end',
    handle: ({ records }) => {
      reports.push(...records.map((r) => r.value!));
    },
  });
  const tries = async (
    to: GatewayProcess,
    way: Way,
    as: string,
    password?: string,
  ): Promise<[number | string, RawDevice]> => {
    const device = await to.open(way);
    device.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: as,
      username: as,
      ...(password === undefined ? {} : { password: Buffer.from(password) }),
      keepalive: 120,
    } as Packet);
    return [(await device.next('connack')).returnCode!, device];
  };
  const comes = async (to: GatewayProcess, way: Way, as: string, password?: string): Promise<RawDevice> => {
    const [code, device] = await tries(to, way, as, password);
    expect(code).toBe(0);
    device
      .send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: linkTopic.command(as), qos: 1 }] })
      .send(up(as, 'hello', hello, 1));
    await device.next('publish', (p) => payloadOf(p).action === 'welcome');
    return device;
  };
  const tcp: Way = { kind: 'tcp' } as Way;
  const tls = (certificate?: { cert: Buffer; key: Buffer }): Way =>
    ({ kind: 'tls', tls: { ca: authority.ca, ...certificate } }) as Way;
  // Both processes know both devices before anyone tries to guess.
  await eventually(() => comes(b, tcp, mac, secrets.get(mac)!));
  const owner = await eventually(() => comes(a, tcp, mac, secrets.get(mac)!));
  const neighbour = await eventually(() => comes(b, tcp, other, secrets.get(other)!));
  const stranger = new TestAuthority('Another authority');
  try {
    const guesses = [
      undefined,
      '',
      mac,
      hello.sn,
      `${mac}${hello.sn}`,
      secrets.get(other)!,
      secrets.get(mac)!.slice(0, -1),
    ];
    for (const to of [a, b])
      for (const guess of guesses) {
        const [code, device] = await tries(to, tcp, mac, guess);
        expect(code, String(guess)).toBe(4);
        await device.ended();
      }
    const [code] = await tries(b, tls(authority.sign(other)), mac);
    expect(code).toBe(5);
    // A certificate for this name from another authority is refused, in the handshake or at the CONNECT.
    expect(
      await tries(b, tls(stranger.sign(mac)), mac).then(
        ([answer]) => answer,
        () => 'closed',
      ),
    ).not.toBe(0);
  } finally {
    stranger.remove();
  }
  owner.send({ cmd: 'pingreq' });
  await owner.next('pingresp');
  expect(owner.closed).toBe(false);

  // Connected by its own secret, another device can neither read this one's topics nor write to them.
  neighbour.send({
    cmd: 'subscribe',
    messageId: 2,
    subscriptions: [linkTopic.command(mac), '#', 'd/+/command'].map((topic) => ({ topic, qos: 1 })),
  } as Packet);
  expect((await neighbour.next('suback', (p) => p.messageId === 2)).granted).toEqual([128, 128, 128]);
  const id = uuidv7(Date.now());
  await bus.publish([
    toRecord(
      linkCommand.name,
      'command',
      deviceIdOf(mac),
      JSON.stringify({
        deviceId: deviceIdOf(mac),
        mac,
        ownerEpoch: 1,
        id,
        action: 'reboot',
        args: {},
        expiresAt: Date.now() + 120_000,
      }),
      Date.now(),
      1,
      company,
    ),
  ]);
  await owner.next('publish', (p) => payloadOf(p).id === id);
  neighbour.send(up(mac, 'call', { id: 'forged', at: 1, record: {} }, 3));
  await neighbour.ended();
  expect(neighbour.packets.some((p) => p.cmd === 'publish' && p.payload.toString().includes(id))).toBe(false);
  owner.send(up(mac, 'call', { id: 'own', at: 1, record: {} }, 4));
  await owner.next('puback', (p) => p.messageId === 4);
  await eventually(() => {
    expect(reports.some((text) => text.includes('"own"'))).toBe(true);
  });
  expect(reports.some((text) => text.includes('forged'))).toBe(false);

  // Its own certificate is as good as the secret: it takes over the previous connection.
  const certified = await comes(b, tls(authority.sign(mac)), mac);
  await owner.ended();
  expect(certified.closed).toBe(false);
}, 240_000);
