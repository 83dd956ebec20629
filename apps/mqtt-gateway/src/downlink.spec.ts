import { describe, expect, it } from 'vitest';
import type { Commands } from './commands.ts';
import type { Connection } from './connection.ts';
import { Downlink } from './downlink.ts';

describe('packet ids of commands', () => {
  it('go round the whole range without using one that waits for its acknowledgement, in order', () => {
    const commands = {
      config: { outboundMessages: 8, outboundBytes: 1e9 },
      clock: Date,
      doorsTrusted: () => true,
      dropped: () => expect.unreachable(),
      written: () => undefined,
    } as unknown as Commands;
    const sent: { messageId: number; n: number }[] = [];
    const connection = {
      helloed: true,
      commandQos: 1,
      id: '00a859000001',
      nextMessageId: 1,
      socket: { writableLength: 0 },
      send: (packet: string) =>
        void sent.push({
          messageId: Buffer.from(packet, 'latin1').readUInt16BE(3 + 2 + 22),
          n: Number(/"n":(\d+)/.exec(packet)![1]),
        }),
    } as unknown as Connection;
    const downlink = new Downlink(commands);
    const waiting = (n: number) => ({
      id: `${n}`,
      open: JSON.stringify({ args: { n }, filler: 'x'.repeat(100) }).slice(0, -1),
      deadline: Infinity,
      door: false,
    });
    downlink.add(connection, waiting(0));
    const stuck = sent[0]!.messageId;
    for (let n = 1; n <= 70_000; n++) {
      downlink.add(connection, waiting(n));
      const { messageId } = sent.at(-1)!;
      expect(messageId !== stuck && messageId >= 1 && messageId <= 65_535).toBe(true);
      downlink.acknowledged(connection, messageId);
    }
    expect(sent).toHaveLength(70_001);
    expect(sent.every(({ n }, i) => n === i)).toBe(true);
  });
});
