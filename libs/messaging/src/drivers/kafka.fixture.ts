import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { eventually, Journal } from '@carillon/testing/bus-journal';
import type { TestKafka } from '@carillon/testing/kafka';
import type { Bus } from '../bus.ts';
import { KafkaBus, type KafkaBusOptions } from './kafka.ts';

export const faultTopic = 'fault.event.v1';

export const openKafka = async (
  kafka: TestKafka,
  options: Partial<KafkaBusOptions> & { partitions?: number } = {},
): Promise<KafkaBus> => {
  const { partitions = 12, ...more } = options;
  const bus = await KafkaBus.open({
    connection: { brokers: kafka.bootstrap.split(',') },
    prefix: `f${randomBytes(4).toString('hex')}.`,
    heartbeatMs: 200,
    ...more,
  });
  await bus.ensureTopics([{ name: faultTopic, partitions, cleanup: 'delete', retentionMs: 3_600_000 }]);
  return bus;
};

export interface Writers {
  /** Rejected publishes that were repeated: each may be stored twice. */
  refused: number;
  /** Stops the writers and returns how many records of each key were acknowledged. */
  stop(): Promise<number[]>;
  stored(): number;
}

/**
 * Starts one writer per key, like a device or an outbox: it writes the next number when the last is stored, and repeats
 * a rejected one. Every eighth writer writes to many partitions in one call.
 */
export function write(bus: Bus, keys: number): Writers {
  let writing = true;
  const counts = Array<number>(keys).fill(0);
  const one = async (k: number): Promise<void> => {
    while (writing) {
      const n = counts[k]!;
      const records =
        k % 8 === 0
          ? Array.from({ length: 30 }, (_, i) => ({
              topic: faultTopic,
              key: `k${k}-${i}`,
              headers: {},
              value: String(n),
            }))
          : [{ topic: faultTopic, key: `k${k}`, headers: {}, value: String(n) }];
      try {
        await bus.publish(records);
        counts[k] = n + 1;
      } catch {
        writers.refused += 1;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 2);
      });
    }
  };
  const running = Array.from({ length: keys }, (_, k) => one(k));
  const writers: Writers = {
    refused: 0,
    stop: async () => {
      writing = false;
      await Promise.all(running);
      return counts;
    },
    stored: () => counts.reduce((a, b) => a + b, 0),
  };
  return writers;
}

/** Checks that every acknowledged number is stored, in order, and exactly once unless a publish was rejected. */
export async function judge(bus: Bus, counts: readonly number[], refused: number, group: Journal): Promise<void> {
  const log = new Journal();
  const feed = await bus.fanout({ topics: [faultTopic], from: 'start', handle: ({ records }) => log.add(records) });
  await feed.caughtUp;
  await feed.close();
  const wanted = counts.flatMap((count, k) =>
    k % 8 === 0 ? Array.from({ length: 30 }, (_, i) => ({ key: `k${k}-${i}`, count })) : [{ key: `k${k}`, count }],
  );
  await eventually(
    'the group has all',
    () => wanted.every(({ key, count }) => count === 0 || group.has(`${key} ${count - 1}`)),
    60_000,
  );
  for (const journal of [log, group]) {
    const byKey = Map.groupBy(journal.records, (r) => r.key);
    for (const { key, count } of wanted) {
      let seen = -1;
      for (const r of byKey.get(key) ?? []) {
        expect(Number(r.value), `${key} leaves one out`).toBeLessThanOrEqual(seen + 1);
        seen = Math.max(seen, Number(r.value));
      }
      expect(seen, `${key} has all`).toBeGreaterThanOrEqual(count - 1);
    }
  }
  const doubles = log.records.length - log.distinct();
  if (refused === 0) expect(doubles, 'stored twice').toBe(0);
}
