import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { busSuite } from '@carillon/testing/bus';
import { eventually } from '@carillon/testing/bus-journal';
import { testKafka, type TestKafka } from '@carillon/testing/kafka';
import type { Bus } from '../bus.ts';
import { mark, open, parse } from './kafka.conformance.ts';

describe('over Kafka', () => {
  let kafka: TestKafka;
  let arg: string;
  beforeAll(async () => {
    kafka = await testKafka({ proxied: true, settings: { 'log.cleaner.backoff.ms': '50' } });
  });
  afterAll(() => kafka.stop());

  busSuite('Kafka', {
    module: new URL('./kafka.conformance.ts', import.meta.url).href,
    open,
    fresh: async () => (arg = `${kafka.bootstrap}#t${randomBytes(4).toString('hex')}.`),
    async compact(bus) {
      await eventually(
        'compacted',
        async () => {
          await mark(kafka.bootstrap, `${parse(arg).prefix}suite.state.v1`, 2);
          return compacted(bus);
        },
        30_000,
      );
    },
    cut: async () => {
      kafka.proxies[0]!.cut();
    },
  });
});

/** Returns whether each key exists exactly once and none was deleted. */
async function compacted(bus: Bus): Promise<boolean> {
  const seen = new Map<string, number>();
  let ended = 0;
  const feed = await bus.fanout({
    topics: ['suite.state.v1'],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) {
        seen.set(r.key, (seen.get(r.key) ?? 0) + 1);
        if (r.value === null) ended += 1;
      }
    },
  });
  await feed.caughtUp;
  await feed.close();
  return ended === 0 && [...seen.values()].every((n) => n === 1);
}
