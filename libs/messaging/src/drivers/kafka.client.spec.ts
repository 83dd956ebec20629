import { createServer } from 'node:net';
import { ResponseError } from '@platformatic/kafka';
import { describe, expect, it } from 'vitest';
import { KafkaClient } from './kafka.client.ts';
import { code, errorCodeOf } from './kafka.protocol.ts';

/** Opens a port that closes every connection; after `close` nothing listens on it. */
async function silentBroker(): Promise<{ broker: string; close(): Promise<void> }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as { port: number };
  return {
    broker: `127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
      }),
  };
}

describe('the error code of a failed request to Kafka', () => {
  it('is the code that the broker answered with', () => {
    const answer = new ResponseError(68, 1, { '/': [code.fencedMemberEpoch, null] }, {});
    expect(errorCodeOf(answer)).toBe(code.fencedMemberEpoch);
  });

  it('is absent, not the code of success, when the connection is refused or lost', async () => {
    const { broker, close } = await silentBroker();
    const client = new KafkaClient({ brokers: [broker] });
    const lost: unknown = await client.refresh(['t']).catch((error: unknown) => error);
    await close();
    const refused: unknown = await client.refresh(['t']).catch((error: unknown) => error);
    await client.close();
    for (const error of [lost, refused]) {
      expect(error).toBeInstanceOf(Error);
      expect(errorCodeOf(error)).toBeUndefined();
      expect(errorCodeOf(error)).not.toBe(code.none);
    }
  });

  it('decides about a retry: after a lost connection, but not after an answer of the broker', async () => {
    const client = new KafkaClient({ brokers: [] });
    let asked = 0;
    const answered = new ResponseError(3, 12, { '/': [code.topicAuthorization, null] }, {});
    const failures = [new Error('lost'), answered];
    const outcome: unknown = await client
      .patiently(performance.now() + 5_000, () => Promise.reject(failures[asked++]!))
      .catch((error: unknown) => error);
    expect([outcome, asked]).toEqual([answered, 2]);
    await client.close();
  });
});
