import { describe, expect, it } from 'vitest';
import { CommandQueue, type QueueHost, type Recipient } from './command-queue.ts';

describe('packet ids of commands', () => {
  it('cover the whole range in order and skip ids that wait for their acknowledgement', () => {
    const host = {
      config: { outboundMessages: 8, outboundBytes: 1e9 },
      clock: Date,
      mayMoveDoors: () => true,
      countDrop: () => expect.unreachable(),
      countWritten: () => undefined,
    } satisfies QueueHost;
    const sent: { messageId: number; n: number }[] = [];
    const connection = {
      helloed: true,
      commandQos: 1,
      id: '00a859000001',
      nextMessageId: 1,
      socket: { writableLength: 0 },
      commands: null,
      closeFrozen: () => expect.unreachable(),
      send: (packet: string) =>
        void sent.push({
          messageId: Buffer.from(packet, 'latin1').readUInt16BE(3 + 2 + 22),
          n: Number(/"n":(\d+)/.exec(packet)![1]),
        }),
    } satisfies Recipient;
    const queue = new CommandQueue(host);
    const waiting = (n: number) => {
      const open = JSON.stringify({ args: { n }, filler: 'x'.repeat(100) }).slice(0, -1);
      return { id: `${n}`, open, bytes: open.length, deadline: Infinity, door: false };
    };
    queue.add(connection, waiting(0));
    const stuck = sent[0]!.messageId;
    for (let n = 1; n <= 70_000; n++) {
      queue.add(connection, waiting(n));
      const { messageId } = sent.at(-1)!;
      expect(messageId !== stuck && messageId >= 1 && messageId <= 65_535).toBe(true);
      queue.acknowledge(connection, messageId);
    }
    expect(sent).toHaveLength(70_001);
    expect(sent.every(({ n }, i) => n === i)).toBe(true);
  });
});
