import {
  Consumer,
  MessagesStreamModes,
  Producer,
  ProduceAcks,
  stringDeserializers,
  stringSerializers,
} from '@platformatic/kafka';
import type { OutRecord } from '../src/bus.ts';
import { KafkaBus } from '../src/drivers/kafka.ts';

/**
 * Figures of the bus and of a bare client: 500 records a call, one call after the other, acknowledged by all replicas.
 */
export interface KafkaFigures {
  producedPerSecond: number;
  produceMicros: number;
  consumedPerSecond: number;
  consumeMicros: number;
  p50: number;
  p99: number;
}

const perCall = 500;
const partitions = 24;
const value = JSON.stringify({ deviceId: '0199aaaa-0000-7000-8000-000000000000', payload: 'y'.repeat(250) });
const headers = {
  id: '0199aaaa-0000-7000-8000-000000000000',
  type: 'state',
  at: '1763740000000',
  era: '1',
  companyId: '0199aaaa-0000-7000-8000-000000000001',
};
export const record = (topic: string, n: number): OutRecord => ({ topic, key: `device-${n % 5_000}`, headers, value });

interface Client {
  publish(records: OutRecord[]): Promise<unknown>;
  /** Counts from the first record on. */
  consume(handled: (count: number) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

async function timed(count: number, work: () => Promise<void>): Promise<{ perSecond: number; micros: number }> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  const used = process.cpuUsage(cpu);
  return { perSecond: (count / took) * 1_000, micros: (used.user + used.system) / count };
}

async function measure(client: Client, topic: string, count: number, singles: number): Promise<KafkaFigures> {
  const produced = await timed(count, async () => {
    for (let n = 0; n < count; n += perCall)
      await client.publish(Array.from({ length: perCall }, (_, i) => record(topic, n + i)));
  });
  let handled = 0;
  let want = count;
  let reached = (): void => undefined;
  const after = (total: number): Promise<void> => {
    want = total;
    return handled >= want
      ? Promise.resolve()
      : new Promise((resolve) => {
          reached = resolve;
        });
  };
  let stop = async (): Promise<void> => undefined;
  const consumed = await timed(count, async () => {
    stop = await client.consume((n) => {
      handled += n;
      if (handled >= want) reached();
    });
    await after(count);
  });
  const times: number[] = [];
  for (let n = 0; n < singles; n += 1) {
    const began = performance.now();
    const there = after(count + n + 1);
    await client.publish([record(topic, n)]);
    await there;
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  await stop();
  await client.close();
  return {
    producedPerSecond: produced.perSecond,
    produceMicros: produced.micros,
    consumedPerSecond: consumed.perSecond,
    consumeMicros: consumed.micros,
    p50: times[singles >> 1]!,
    p99: times[Math.floor(singles * 0.99)]!,
  };
}

export async function ourBus(broker: string, topic: string, count: number, singles: number): Promise<KafkaFigures> {
  const bus = await KafkaBus.open({ connection: { brokers: [broker] } });
  await bus.ensureTopics([{ name: topic, partitions, cleanup: 'delete' }]);
  return measure(
    {
      publish: (records) => bus.publish(records),
      consume: async (handled) => {
        const consumer = await bus.group({
          group: topic,
          topics: [topic],
          handle: async ({ records }) => handled(records.length),
        });
        return () => consumer.close();
      },
      close: () => bus.close(),
    },
    topic,
    count,
    singles,
  );
}

/** Measures the package's own producer and consumer, used as its documentation shows. */
export async function bareClient(broker: string, topic: string, count: number, singles: number): Promise<KafkaFigures> {
  const bus = await KafkaBus.open({ connection: { brokers: [broker] } });
  await bus.ensureTopics([{ name: topic, partitions, cleanup: 'delete' }]);
  await bus.close();
  const producer = new Producer({
    clientId: 'bare',
    bootstrapBrokers: [broker],
    serializers: stringSerializers,
    idempotent: true,
  });
  const consumer = new Consumer({
    clientId: 'bare',
    bootstrapBrokers: [broker],
    groupId: topic,
    deserializers: stringDeserializers,
  });
  return measure(
    {
      publish: (records) =>
        producer.send({
          messages: records.map((r) => ({ topic: r.topic, key: r.key, value: r.value!, headers: r.headers })),
          acks: ProduceAcks.ALL,
        }),
      consume: async (handled) => {
        const stream = await consumer.consume({
          topics: [topic],
          mode: MessagesStreamModes.EARLIEST,
          autocommit: true,
          maxWaitTime: 500,
        });
        stream.on('data', () => handled(1));
        return async () => {
          await stream.close();
        };
      },
      close: async () => {
        await producer.close();
        await consumer.close(true);
      },
    },
    topic,
    count,
    singles,
  );
}
