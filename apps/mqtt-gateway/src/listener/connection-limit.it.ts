import { describe, expect, it } from 'vitest';
import { linkTopic } from '@carillon/contracts/link';
import { badPackets, judge } from '../conformance/judge.ts';
import { deviceIdOf, macOf } from '../testing/rig.ts';
import { mac, startListeners } from './listeners-test.ts';

const { authority, tested, start, ways } = startListeners();

describe('limits before MQTT', () => {
  it.each(['tls', 'ws', 'wss'])('end slow clients over %s without affecting a healthy device', async (kind) => {
    await start({ connectSeconds: 2, halfOpen: 300, halfOpenPerAddress: 300 });
    const healthy = await tested.rig.device(mac, {}, ways()[kind]!);
    // Silent from the first byte, in the middle of the handshake or request, and after it.
    const middle = kind === 'ws' ? 'GET /mqtt HTTP/1.1\r\nUpg' : '\u0016\u0003\u0001\u0002\u0000\u0001\u0000';
    const silent = await Promise.all(Array.from({ length: 100 }, () => tested.rig.open({ kind })));
    const stuck = await Promise.all(
      Array.from({ length: 100 }, async () => (await tested.rig.open({ kind })).send(Buffer.from(middle, 'latin1'))),
    );
    const behind = await Promise.all(Array.from({ length: 10 }, () => tested.rig.open(ways()[kind]!)));
    expect(tested.rig.gateway.stats().halfOpen).toBe(210);
    await Promise.all([...silent, ...stuck, ...behind].map((d) => d.ended()));
    expect(tested.rig.gateway.stats()).toMatchObject({ halfOpen: 0, connections: 1, refused: { connectTimeout: 210 } });
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
          const device = await tested.rig.open(
            i % 3 === 0 ? { kind } : { kind, ...(kind === 'ws' ? {} : { tls: { ca: authority.ca } }) },
          );
          device.send(Buffer.from(upgrade(i % 2 === 0 ? '/other' : '/mqtt', i % 4 === 1 ? 'soap' : 'mqtt'), 'latin1'));
          if (i % 5 > 0) await new Promise((resolve) => setTimeout(resolve, i % 5));
          device.reset();
          await device.ended();
        }
        await expect.poll(() => tested.rig.gateway.stats().halfOpen).toBe(0);
        expect(uncaught).toEqual([]);
      } finally {
        process.off('uncaughtException', note);
      }
    },
  );

  it('close sockets above the half-open limit, also before a handshake', async () => {
    await start({ halfOpen: 5, connectSeconds: 60 });
    const devices = await Promise.all(
      ['tls', 'ws', 'wss'].flatMap((kind) => Array.from({ length: 4 }, () => tested.rig.open({ kind }))),
    );
    await expect.poll(() => devices.filter((d) => d.closed).length).toBe(7);
    expect(tested.rig.gateway.stats().refused).toEqual({ halfOpen: 7 });
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
    const device = await tested.rig.open({ kind: 'ws' });
    let answer = '';
    device.socket.on('data', (data: Buffer) => (answer += data.toString('latin1')));
    device.send(Buffer.from(bytes(), 'latin1'));
    await device.ended();
    expect(answer).not.toMatch(/^HTTP\/1.1 101/);
    await expect.poll(() => tested.rig.gateway.stats()).toMatchObject({ connections: 0, halfOpen: 0, defects: 0 });
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
    const device = await tested.rig.open({ kind: 'ws' });
    device.send(Buffer.from(upgrade('/mqtt'), 'latin1'));
    await device.until(() => device.received > 0);
    device.send(bytes(masked));
    await device.ended();
    await expect
      .poll(() => tested.rig.gateway.stats())
      .toMatchObject({ connections: 0, halfOpen: 0, accepted: 0, defects: 0 });
  });

  it('a packet may span many frames, and a frame may contain many packets', async () => {
    await start();
    await tested.rig.know(mac);
    const { generate } = await import('mqtt-packet');
    const device = await tested.rig.open(ways().ws);
    const bytes = generate(tested.rig.connectPacket(mac));
    for (let at = 0; at < bytes.length; at += 5) device.send(bytes.subarray(at, at + 5));
    await tested.rig.connack(device);
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
          await judge(tested.rig, row, macOf(1_000 + i), way).catch((error: Error) =>
            wrong.push(`${row.name}: ${error.message}`),
          );
      }),
    );
    expect(wrong).toEqual([]);
    await expect
      .poll(() => tested.rig.gateway.stats())
      .toMatchObject({ devices: 0, connections: 0, halfOpen: 0, defects: 0, invalid: 0 });
    expect(tested.rig.bus.sent('link.session.v1').every((m) => m.key !== deviceIdOf(mac))).toBe(true);
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
