import { copyFileSync } from 'node:fs';
import { connect } from 'mqtt';
import type { IClientOptions } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { linkTopic } from '@carillon/contracts/link';
import { badPackets, judge } from '../conformance/judge.ts';
import { proxyHeader } from '../testing/proxy.ts';
import type { Way } from '../testing/raw-device.ts';
import { Rig, deviceIdOf, hello, macOf, payloadOf, secretOf } from '../testing/rig.ts';
import { TestAuthority } from '../testing/test-authority.ts';

let authority: TestAuthority;
let rig: Rig;
let tls: { tlsCertificate: string; tlsKey: string; tlsClientCa: string };
const mac = macOf(1);

beforeAll(() => {
  authority = new TestAuthority();
  const server = authority.sign('gateway');
  tls = { tlsCertificate: server.certFile, tlsKey: server.keyFile, tlsClientCa: authority.caFile };
});
afterAll(() => authority.remove());
afterEach(() => rig.stop());

const start = async (settings: Record<string, unknown> = {}): Promise<void> => {
  rig = await Rig.start({ mqttListen: 'tcp,tls,ws,wss', ...tls, connectBurst: 100_000, ...settings });
};
/** All ways to connect, with the header of a proxy where there is one. */
const ways = (): Record<string, Way & { kind: string }> => ({
  tcp: { kind: 'tcp' },
  tls: { kind: 'tls', tls: { ca: authority.ca } },
  ws: { kind: 'ws', webSocket: { path: '/mqtt' } },
  wss: { kind: 'wss', tls: { ca: authority.ca }, webSocket: { path: '/mqtt' } },
});
const text = (address: string): Buffer => Buffer.from(`PROXY TCP4 ${address} 127.0.0.1 40000 1883\r\n`);

describe('a stock client', () => {
  it.each([
    ['over TLS [GW-01/tls]', 'tls', 'mqtts', {}],
    ['over WebSocket [GW-01/websocket]', 'ws', 'ws', { path: '/mqtt' }],
    ['over WebSocket with TLS', 'wss', 'wss', { path: '/mqtt' }],
    ['over TLS with the certificate that names it, without a secret [GW-01/mutual]', 'tls', 'mqtts', { own: true }],
  ] as const)(
    'connects over %s, gets a command and answers',
    async (_, kind, protocol, more: { path?: string; own?: boolean }) => {
      await start();
      await rig.know(mac);
      const own = more.own === true ? authority.sign(mac.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:')) : null;
      const options: IClientOptions = {
        protocolVersion: 4,
        clientId: mac,
        username: mac,
        reconnectPeriod: 0,
        ca: [authority.ca],
        ...(own === null ? { password: secretOf(mac) } : { cert: own.cert, key: own.key }),
      };
      const client = connect(`${protocol}://127.0.0.1:${rig.portOf(kind)}${more.path ?? ''}`, options);
      await new Promise((resolve, reject) => client.on('connect', resolve).on('error', reject));
      const heard: Record<string, unknown>[] = [];
      client.on('message', (_topic, payload) => heard.push(payloadOf({ payload })));
      await client.subscribeAsync(linkTopic.command(mac), { qos: 1 });
      await client.publishAsync(linkTopic.up(mac, 'hello'), JSON.stringify(hello), { qos: 1 });
      const big = 'x'.repeat(40_000);
      const id = await rig.command(mac, 'reboot', { args: { big } });
      await expect.poll(() => heard.map((m) => m.action)).toEqual(['welcome', 'reboot']);
      expect(heard[1]).toMatchObject({ id, args: { big } });
      await client.publishAsync(linkTopic.up(mac, 'call'), JSON.stringify({ id: 'c1', at: 1, record: { big } }), {
        qos: 1,
      });
      expect(rig.bus.of('link.report.v1').map((m) => m.type)).toEqual(['hello', 'call']);
      expect(rig.bus.of('link.session.v1')).toMatchObject([{ type: 'online', data: { mac, address: '127.0.0.1' } }]);
      await client.endAsync();
      await rig.bus.until(() => rig.bus.of('link.session.v1').length === 2);
      expect(rig.bus.of('link.session.v1')[1]).toMatchObject({ type: 'offline', data: { mac, reason: 'closed' } });
      expect(rig.gateway.stats()).toMatchObject({ connections: 0, halfOpen: 0, defects: 0 });
    },
  );

  it('takes over from itself by another way in', async () => {
    await start();
    const first = await rig.device(mac, {}, ways().tcp);
    const second = await rig.device(mac, {}, ways().wss);
    await first.ended();
    const third = await rig.device(mac, {}, ways().tls);
    await second.ended();
    const id = await rig.command(mac);
    await third.next('publish', (p) => payloadOf(p).id === id);
    expect(rig.gateway.stats()).toMatchObject({ devices: 1, ended: { taken: 2 } });
  });
});

describe('a client certificate', () => {
  const tried = async (
    commonName: string,
    connectPacket: Record<string, unknown>,
    by = authority,
  ): Promise<number | string> => {
    const { cert, key } = by.sign(commonName);
    const device = await rig.open({ kind: 'tls', tls: { ca: authority.ca, cert, key } });
    device.send(rig.connectPacket(mac, connectPacket));
    return rig.connack(device).then(
      (p) => p.returnCode ?? -1,
      () => 'closed',
    );
  };
  it('is valid only for the device that it names, and does not make up for a wrong secret', async () => {
    await start();
    await rig.know(mac);
    await rig.know(macOf(2));
    const other = macOf(2);
    expect(await tried(mac, { password: undefined })).toBe(0);
    expect(await tried(mac, { password: undefined, username: undefined })).toBe(0);
    expect(await tried(mac, {})).toBe(0);
    expect(await tried(mac, { password: Buffer.from('guessed') })).toBe(4);
    expect(await tried(other, {})).toBe(5);
    expect(await tried(mac, { clientId: other, username: other, password: Buffer.from(secretOf(other)) })).toBe(5);
    // A certificate that names no device changes nothing.
    expect(await tried('A vendor', {})).toBe(0);
    expect(await tried('A vendor', { password: undefined })).toBe(4);
    await rig.know(mac, { enabled: false });
    expect(await tried(mac, { password: undefined })).toBe(5);
    await rig.forget(mac);
    expect(await tried(mac, { password: undefined })).toBe(4);
  });

  it('is refused when a foreign authority signed it, or when it is missing but required', async () => {
    await start();
    await rig.know(mac);
    const stranger = new TestAuthority('Stranger');
    expect(await tried(mac, {}, stranger)).toBe('closed');
    expect(await tried(mac, { password: undefined }, stranger)).toBe('closed');
    await rig.stop();
    await start({ tlsClient: 'required' });
    await rig.know(mac);
    const without = await rig.open(ways().tls);
    without.send(rig.connectPacket(mac));
    await without.ended();
    expect(without.packets).toEqual([]);
    expect(await tried(mac, { password: undefined })).toBe(0);
    expect(await tried(mac, {}, stranger)).toBe('closed');
    stranger.remove();
  });

  it('is demanded from a device of a model with mutual authentication, at once [CFG-06/mutual]', async () => {
    await start();
    await rig.know(mac);
    const before = await rig.open(ways().tls);
    before.send(rig.connectPacket(mac));
    expect((await rig.connack(before)).returnCode).toBe(0);
    await rig.know(mac, { certificateRequired: true });
    await before.ended();
    const without = async (kind: 'tcp' | 'tls', secret = secretOf(mac)) => {
      const device = await rig.open(ways()[kind]);
      device.send(rig.connectPacket(mac, { password: Buffer.from(secret) }));
      return (await rig.connack(device)).returnCode;
    };
    expect([await without('tcp'), await without('tls')]).toEqual([5, 5]);
    // Only the right secret tells that a certificate is missing.
    expect(await without('tls', 'guessed')).toBe(4);
    expect([await tried(mac, {}), await tried(mac, { password: undefined })]).toEqual([0, 0]);
    await rig.know(mac);
    expect(await without('tcp')).toBe(0);
  });

  it('ends with its device: when that is disabled, its connection is closed', async () => {
    await start();
    await rig.know(mac);
    const { cert, key } = authority.sign(mac);
    const device = await rig.open({ kind: 'tls', tls: { ca: authority.ca, cert, key } });
    device.send(rig.connectPacket(mac, { password: undefined }));
    await rig.connack(device);
    await rig.know(mac, { enabled: false });
    await device.ended();
  });

  it('of the gateway is reloaded on a change or SIGHUP; a broken one leaves the old one in use', async () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => authority.sign(name));
    const live = authority.sign('live');
    const put = (from: { certFile: string; keyFile: string }): void => {
      copyFileSync(from.keyFile, live.keyFile);
      copyFileSync(from.certFile, live.certFile);
    };
    put(first!);
    await start({ tlsCertificate: live.certFile, tlsKey: live.keyFile });
    const shown = async (): Promise<string> => {
      let name = '';
      const device = await rig.open({
        kind: 'tls',
        tls: {
          ca: authority.ca,
          checkServerIdentity: (_host, certificate) => void (name = String(certificate.subject.CN)),
        },
      });
      device.destroy();
      return name;
    };
    const old = await rig.device(mac, {}, ways().tls);
    expect(await shown()).toBe('first');
    put(second!);
    await expect.poll(shown, { timeout: 15_000 }).toBe('second');
    copyFileSync(third!.certFile, live.certFile);
    process.emit('SIGHUP', 'SIGHUP');
    expect(rig.log.some((l) => l.level === 'error' && l.message.includes('certificates'))).toBe(true);
    expect(await shown()).toBe('second');
    put(third!);
    process.emit('SIGHUP', 'SIGHUP');
    expect(await shown()).toBe('third');
    expect(old.closed).toBe(false);
  });
});

describe('a proxy in front', () => {
  it.each(['tcp', 'tls', 'ws', 'wss'])(
    "by %s passes a device's address, in versions 1 and 2 and any cut [GW-01/proxy]",
    async (kind) => {
      await start({ proxyFrom: '127.0.0.5' });
      for (const [i, header] of [
        text('203.0.113.1'),
        proxyHeader('203.0.113.2'),
        proxyHeader('2001:db8::3', { commonName: mac }),
      ].entries()) {
        await rig.device(macOf(10 + i), {}, { ...ways()[kind]!, localAddress: '127.0.0.5', header });
      }
      await rig.device(macOf(20), {}, ways()[kind]!);
      const online = rig.bus
        .of('link.session.v1')
        .filter((m) => m.type === 'online')
        .map((m) => m.data.address);
      expect(online).toEqual(['203.0.113.1', '203.0.113.2', '2001:db8::3', '127.0.0.1']);
    },
  );

  it('is trusted only at its own address, and must send a header there', async () => {
    await start({ proxyFrom: '127.0.0.5' });
    await rig.know(mac);
    for (const way of Object.values(ways())) {
      for (const wrong of [
        { header: text('203.0.113.1') },
        { header: proxyHeader('203.0.113.1') },
        { localAddress: '127.0.0.5' },
        { localAddress: '127.0.0.5', header: Buffer.from('PROXY TCP4 nowhere') },
      ]) {
        const device = await rig.open({ ...way, ...wrong });
        device.send(rig.connectPacket(mac)).send(Buffer.alloc(200));
        await device.ended();
        expect(device.packets).toEqual([]);
      }
    }
    await expect.poll(() => rig.gateway.stats()).toMatchObject({ connections: 0, halfOpen: 0, accepted: 0 });
  });

  it('may vouch for a certificate where it is trusted to, and nowhere else', async () => {
    const code = async (): Promise<number> => {
      const device = await rig.open({
        kind: 'tcp',
        localAddress: '127.0.0.5',
        header: proxyHeader('203.0.113.1', { commonName: mac }),
      });
      device.send(rig.connectPacket(mac, { password: undefined }));
      return (await rig.connack(device)).returnCode ?? -1;
    };
    await start({ proxyFrom: '127.0.0.5' });
    await rig.know(mac);
    expect(await code()).toBe(4);
    await rig.stop();
    await start({ proxyFrom: '127.0.0.5', proxyCertificates: 'trust' });
    await rig.know(mac);
    expect(await code()).toBe(0);
  });

  it('lets limits of half-open sockets count the devices behind it separately', async () => {
    await start({ proxyFrom: '127.0.0.5', halfOpenPerAddress: 2, connectSeconds: 60 });
    const crowd = await Promise.all(
      Array.from({ length: 6 }, () =>
        rig.open({ kind: 'tcp', localAddress: '127.0.0.5', header: text('203.0.113.1') }),
      ),
    );
    const others = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        rig.open({ kind: 'tcp', localAddress: '127.0.0.5', header: text(`203.0.113.${10 + i}`) }),
      ),
    );
    await expect.poll(() => crowd.filter((d) => d.closed).length, { timeout: 8_000 }).toBe(4);
    expect(others.filter((d) => d.closed)).toEqual([]);
  });

  it('and of IPv6 one /64 as one address, however it is written; what is IPv4 behind it stays apart', async () => {
    await start({ proxyFrom: '127.0.0.5', halfOpenPerAddress: 2, connectSeconds: 60 });
    const from = (address: string) =>
      rig.open({
        kind: 'tcp',
        localAddress: '127.0.0.5',
        header: Buffer.from(`PROXY TCP6 ${address} ::1 40000 1883\r\n`),
      });
    const one = [1, 2, 3, 4, 5, 6].map((host) => `2001:db8:1:2:${host}::${host}`);
    const crowd = await Promise.all([...one, '2001:DB8:0001:0002::7', '::ffff:203.0.113.1'].map(from));
    const others = await Promise.all(
      ['2001:db8:1:3::1', '2001:db8:1:4::1', '::ffff:203.0.113.2', '::ffff:cb00:7103'].map(from),
    );
    await expect.poll(() => crowd.filter((d) => d.closed).length, { timeout: 8_000 }).toBe(5);
    expect(crowd.at(-1)!.closed).toBe(false);
    expect(others.filter((d) => d.closed)).toEqual([]);
  });
});

describe('limits before MQTT', () => {
  it.each(['tls', 'ws', 'wss'])('end slow clients over %s without affecting a healthy device', async (kind) => {
    await start({ connectSeconds: 2, halfOpen: 300, halfOpenPerAddress: 300 });
    const healthy = await rig.device(mac, {}, ways()[kind]!);
    // Silent from the first byte, in the middle of the handshake or request, and after it.
    const middle = kind === 'ws' ? 'GET /mqtt HTTP/1.1\r\nUpg' : '\u0016\u0003\u0001\u0002\u0000\u0001\u0000';
    const silent = await Promise.all(Array.from({ length: 100 }, () => rig.open({ kind })));
    const stuck = await Promise.all(
      Array.from({ length: 100 }, async () => (await rig.open({ kind })).send(Buffer.from(middle, 'latin1'))),
    );
    const behind = await Promise.all(Array.from({ length: 10 }, () => rig.open(ways()[kind]!)));
    expect(rig.gateway.stats().halfOpen).toBe(210);
    await Promise.all([...silent, ...stuck, ...behind].map((d) => d.ended()));
    expect(rig.gateway.stats()).toMatchObject({ halfOpen: 0, connections: 1, refused: { connectTimeout: 210 } });
    healthy.send({ cmd: 'pingreq' });
    await healthy.next('pingresp');
  });

  it.each(['tls', 'ws', 'wss'])(
    'outlive a client refused over %s that resets during the handshake, the request or the answer',
    async (kind) => {
      await start({ halfOpen: 1_000, halfOpenPerAddress: 1_000, connectBurst: 100_000 });
      const uncaught: unknown[] = [];
      const note = (error: unknown): void => void uncaught.push(error);
      process.on('uncaughtException', note);
      try {
        for (let i = 0; i < 60; i++) {
          const device = await rig.open(
            i % 3 === 0 ? { kind } : { kind, ...(kind === 'ws' ? {} : { tls: { ca: authority.ca } }) },
          );
          device.send(Buffer.from(upgrade(i % 2 === 0 ? '/other' : '/mqtt', i % 4 === 1 ? 'soap' : 'mqtt'), 'latin1'));
          if (i % 5 > 0) await new Promise((resolve) => setTimeout(resolve, i % 5));
          device.reset();
          await device.ended();
        }
        await expect.poll(() => rig.gateway.stats().halfOpen).toBe(0);
        expect(uncaught).toEqual([]);
      } finally {
        process.off('uncaughtException', note);
      }
    },
  );

  it('close sockets above the half-open limit, also before a handshake', async () => {
    await start({ halfOpen: 5, connectSeconds: 60 });
    const devices = await Promise.all(
      ['tls', 'ws', 'wss'].flatMap((kind) => Array.from({ length: 4 }, () => rig.open({ kind }))),
    );
    await expect.poll(() => devices.filter((d) => d.closed).length).toBe(7);
    expect(rig.gateway.stats().refused).toEqual({ halfOpen: 7 });
  });

  it.each([
    ['a request above 4 KiB', () => `GET /mqtt HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['another path', () => upgrade('/other')],
    ['another sub-protocol', () => upgrade('/mqtt', 'soap')],
    ['no sub-protocol', () => upgrade('/mqtt', null)],
    ['a request that is no upgrade', () => 'GET /mqtt HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no HTTP at all', () => '\u0010\u0010\u0000\u0004MQTT'],
  ])('refuses a WebSocket for %s', async (_, bytes) => {
    await start();
    const device = await rig.open({ kind: 'ws' });
    let answer = '';
    device.socket.on('data', (data: Buffer) => (answer += data.toString('latin1')));
    device.send(Buffer.from(bytes(), 'latin1'));
    await device.ended();
    expect(answer).not.toMatch(/^HTTP\/1.1 101/);
    await expect.poll(() => rig.gateway.stats()).toMatchObject({ connections: 0, halfOpen: 0, defects: 0 });
  });

  it.each([
    ['text instead of bytes', (mask: (opcode: number, data: Buffer) => Buffer) => mask(0x81, Buffer.from('hello'))],
    [
      'a frame above the longest packet',
      () => Buffer.concat([Buffer.from([0x82, 0xff]), Buffer.from('0000000000100000', 'hex'), Buffer.alloc(4)]),
    ],
    ['30 kB before CONNECT', (mask: (opcode: number, data: Buffer) => Buffer) => mask(0x02, Buffer.alloc(30_000))],
    [
      'a CONNECT above 4 KiB',
      (mask: (opcode: number, data: Buffer) => Buffer) => mask(0x82, Buffer.from([0x10, 0x80, 0x40])),
    ],
    ['frames that are not masked', () => Buffer.from([0x82, 0x02, 0x10, 0x00])],
  ])('closes a WebSocket for %s', async (_, bytes) => {
    await start();
    const device = await rig.open({ kind: 'ws' });
    device.send(Buffer.from(upgrade('/mqtt'), 'latin1'));
    await device.until(() => device.received > 0);
    device.send(bytes(masked));
    await device.ended();
    await expect
      .poll(() => rig.gateway.stats())
      .toMatchObject({ connections: 0, halfOpen: 0, accepted: 0, defects: 0 });
  });

  it('a packet may span many frames, and a frame may contain many packets', async () => {
    await start();
    await rig.know(mac);
    const { generate } = await import('mqtt-packet');
    const device = await rig.open(ways().ws);
    const bytes = generate(rig.connectPacket(mac));
    for (let at = 0; at < bytes.length; at += 5) device.send(bytes.subarray(at, at + 5));
    await rig.connack(device);
    device.send(
      Buffer.concat([
        generate({ cmd: 'pingreq' }),
        generate({ cmd: 'subscribe', messageId: 3, subscriptions: [{ topic: linkTopic.command(mac), qos: 1 }] }),
        generate({ cmd: 'pingreq' }),
      ]),
    );
    await device.until(() => device.packets.length === 4);
    expect(device.packets.map((p) => p.cmd)).toEqual(['connack', 'pingresp', 'suback', 'pingresp']);
  });
});

describe('bad packets', () => {
  // A third of them where each costs a handshake, because all ways share the packet reader.
  it.each([
    ['ws', 1, 0],
    ['tls', 3, 0],
    ['wss', 3, 1],
  ] as const)('get the same answers over %s as over TCP', async (kind, step, offset) => {
    await start();
    const wrong: string[] = [];
    const rows = badPackets.filter((_, i) => i % step === offset).entries();
    const way = ways()[kind]!;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const [i, row] of rows)
          await judge(rig, row, macOf(1_000 + i), way).catch((error: Error) =>
            wrong.push(`${row.name}: ${error.message}`),
          );
      }),
    );
    expect(wrong).toEqual([]);
    await expect
      .poll(() => rig.gateway.stats())
      .toMatchObject({ devices: 0, connections: 0, halfOpen: 0, defects: 0, invalid: 0 });
    expect(rig.bus.of('link.session.v1').every((m) => m.key !== deviceIdOf(mac))).toBe(true);
  });
});

function upgrade(path: string, protocol: string | null = 'mqtt'): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${protocol === null ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`}\r\n`;
}

/** Returns a frame with the mask 0, which leaves its data unchanged. */
function masked(opcode: number, data: Buffer): Buffer {
  const length =
    data.length < 126 ? Buffer.from([0x80 | data.length]) : Buffer.from([0xfe, data.length >> 8, data.length & 255]);
  return Buffer.concat([Buffer.from([opcode]), length, Buffer.alloc(4), data]);
}
