import fc from 'fast-check';
import { parser as peerParser, generate, type IPublishPacket, type Packet as PeerPacket } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { linkLimits } from '@carillon/contracts/link';
import { connect, disconnect, PacketReader, pingreq, puback, publish, subscribe, type Packet } from './codec.ts';
import { deviceLimits, parseCommand } from './protocol.ts';

/** Parses with another implementation of MQTT 3.1.1. */
function peer(bytes: Buffer): PeerPacket {
  const parser = peerParser();
  const packets: PeerPacket[] = [];
  parser
    .on('packet', (packet) => packets.push(packet))
    .on('error', (error: Error) => {
      throw error;
    });
  parser.parse(bytes);
  if (packets.length !== 1) throw new Error(`${packets.length} packets`);
  return packets[0]!;
}

function read(chunks: Buffer[]): Packet[] {
  const reader = new PacketReader();
  const packets: Packet[] = [];
  for (const chunk of chunks) reader.feed(chunk, (packet) => packets.push(packet));
  return packets;
}

describe('the codec', () => {
  it('writes packets that another implementation reads the same', () => {
    expect(peer(connect({ clientId: 'a', userName: 'b', password: 'c', keepAliveSeconds: 120 }))).toMatchObject({
      cmd: 'connect',
      protocolVersion: 4,
      clean: true,
      clientId: 'a',
      username: 'b',
      password: Buffer.from('c'),
      keepalive: 120,
    });
    expect(peer(subscribe('d/0c383e000001/command', 9))).toMatchObject({
      cmd: 'subscribe',
      messageId: 9,
      subscriptions: [{ topic: 'd/0c383e000001/command', qos: 1 }],
    });
    expect(peer(puback(0x1234))).toMatchObject({ cmd: 'puback', messageId: 0x1234 });
    expect([peer(pingreq).cmd, peer(disconnect).cmd]).toEqual(['pingreq', 'disconnect']);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '한', '😀', '\u0000', '"'), maxLength: 40 }),
        fc.constantFrom(0, 1, 3, 500, 1_200),
        fc.integer({ min: 1, max: 65_535 }),
        (text, times, id) => {
          const payload = text.repeat(times);
          const {
            cmd,
            qos,
            retain,
            dup,
            messageId,
            topic,
            payload: bytes,
          } = peer(publish('d/x/state', payload, id)) as IPublishPacket;
          expect({ cmd, qos, retain, dup, messageId, topic }).toEqual({
            cmd: 'publish',
            qos: 1,
            retain: false,
            dup: false,
            messageId: id,
            topic: 'd/x/state',
          });
          expect(bytes.toString() === payload).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('reads packets of another implementation, wherever the stream is cut', () => {
    const bytes = Buffer.concat([
      generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }),
      generate({ cmd: 'suback', messageId: 1, granted: [1] }),
      generate({
        cmd: 'publish',
        topic: 'd/x/command',
        payload: 'é'.repeat(200),
        qos: 1,
        messageId: 300,
        dup: true,
        retain: false,
      }),
      generate({ cmd: 'publish', topic: 't', payload: '', qos: 0, dup: false, retain: false }),
      generate({ cmd: 'puback', messageId: 65_535 }),
      generate({ cmd: 'pingresp' }),
    ]);
    const expected: Packet[] = [
      { type: 'connack', code: 0 },
      { type: 'suback', id: 1, granted: 1 },
      { type: 'publish', topic: 'd/x/command', payload: 'é'.repeat(200), qos: 1, id: 300 },
      { type: 'publish', topic: 't', payload: '', qos: 0, id: 0 },
      { type: 'puback', id: 65_535 },
      { type: 'pingresp' },
    ];
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        expect(read(at.slice(1).map((end, index) => bytes.subarray(at[index], end)))).toEqual(expected);
      }),
    );
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected);
  });

  it('refuses a packet that is longer than any command from its header', () => {
    expect(() => read([Buffer.from([0x30, 0x80, 0x80, 0x80, 0x01])])).toThrow('longer');
    expect(() => read([Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80])])).toThrow('four bytes');
  });

  it('throws only its own errors, on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          read([Buffer.from(bytes)]);
        } catch (error) {
          expect((error as Error).message).toMatch(/packet|remaining length/);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the limits that the SDK repeats', () => {
  it('equal those of the contract', () => {
    expect(deviceLimits).toEqual({
      payloadBytes: linkLimits.payloadBytes,
      keepAliveSeconds: linkLimits.keepAliveAdvisedSeconds,
      answerWithinMs: linkLimits.answerWithinMs,
      rememberedCommands: linkLimits.rememberedCommands,
      clockToleranceMs: linkLimits.clockToleranceMs,
    });
  });
});

describe('a command', () => {
  it('is null for any JSON that is not a command, without an error', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        parseCommand(text);
      }),
    );
    expect(parseCommand('{"id":"a","action":"b","args":[],"expiresAt":1,"now":1}')).toBeNull();
    expect(parseCommand('{"id":"a","action":"b","args":{},"expiresAt":1,"now":1,"more":2}')).toEqual({
      id: 'a',
      action: 'b',
      args: {},
      expiresAt: 1,
      now: 1,
      trace: undefined,
    });
  });
});
