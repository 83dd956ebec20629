// @module-tag slow
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually, gate, Journal, sequenceOf } from '@carillon/testing/bus-journal';
import { testKafka, type TestKafka } from '@carillon/testing/kafka';
import { faultTopic, judge, openKafka, write } from './kafka.fixture.ts';
import type { KafkaClient } from './kafka.client.ts';
import { KafkaBus } from './kafka.ts';

const out = (key: string, value: string) => ({ topic: faultTopic, key, headers: {}, value });

declare module 'vitest' {
  interface ProvidedContext {
    faults: 'short' | 'whole';
  }
}
const whole = inject('faults') === 'whole';

/**
 * Faults that the bus over Kafka must survive besides the suite; `./carillon test service --faults` runs all of them.
 */
describe('Kafka with one broker', () => {
  let kafka: TestKafka;
  const opened: KafkaBus[] = [];
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    kafka = await testKafka({ proxied: true });
  });
  afterEach(async () => {
    for (const c of children.splice(0)) c.kill('SIGKILL');
    await Promise.all(opened.splice(0).map((b) => b.close()));
  });
  afterAll(() => kafka.stop());
  const open = async (options: Parameters<typeof openKafka>[1] = {}): Promise<KafkaBus> => {
    const bus = await openKafka(kafka, options);
    opened.push(bus);
    return bus;
  };

  it(
    'loses, duplicates and reorders nothing while the broker is killed and restarted',
    async () => {
      const bus = await open();
      const journal = new Journal();
      await bus.group({ group: 'g', topics: [faultTopic], handle: async ({ records }) => journal.add(records) });
      const writers = write(bus, 16);
      for (let kills = 0; kills < (whole ? 8 : 1); kills += 1) {
        const before = writers.stored();
        await eventually('under load', () => writers.stored() > before + 400);
        await kafka.nodes[0]!.signal('SIGKILL');
        await kafka.nodes[0]!.start();
      }
      const before = writers.stored();
      await eventually('goes on', () => writers.stored() > before + 400, 30_000);
      await judge(bus, await writers.stop(), writers.refused, journal);
      expect(writers.refused).toBe(0);
    },
    whole ? 600_000 : undefined,
  );

  // Happened in a cluster whose broker was fenced for a moment: the gateways then accepted no device until their
  // restart.
  it('reads on after metadata, asked for by whomever, named no leader for a moment', async () => {
    const bus = await open();
    const [group, feed] = [new Set<string>(), new Set<string>()];
    await bus.group({
      group: 'leaderless',
      topics: [faultTopic],
      handle: async ({ records }) => {
        for (const r of records) group.add(r.value!);
      },
    });
    const copy = await bus.fanout({
      topics: [faultTopic],
      from: 'end',
      handle: ({ records }) => {
        for (const r of records) feed.add(r.value!);
      },
    });
    await copy.caughtUp;
    const seen = async (value: string): Promise<void> => {
      await bus.publish([out('k', value)]);
      await eventually(`both have ${value}`, () => group.has(value) && feed.has(value), 20_000);
    };
    await seen('before');
    // Sets the shared state that such an answer leaves; nothing is published, so that only the readers can refresh it.
    const { topics } = (bus as unknown as { client: KafkaClient }).client;
    const leaders = (): number[] => [...topics.values()].flatMap((t) => t.leaders);
    for (const t of topics.values()) t.leaders.fill(-1);
    await eventually(
      'the leaders are looked up again',
      () => leaders().length > 0 && leaders().every((l) => l >= 0),
      10_000,
    );
    await seen('after');
    await eventually('the copy is complete again', () => Date.now() - copy.confirmedAt() < 2_000, 10_000);
  });

  it.runIf(whole).each(['SIGKILL', 'SIGSTOP'] as const)(
    'loses and reorders nothing while the broker is away for 30 s (%s)',
    async (signal) => {
      const bus = await open();
      const [journal, feed] = [new Journal(), new Journal()];
      await bus.group({ group: 'g', topics: [faultTopic], handle: async ({ records }) => journal.add(records) });
      const copy = await bus.fanout({ topics: [faultTopic], from: 'end', handle: ({ records }) => feed.add(records) });
      const writers = write(bus, 16);
      await eventually('under load', () => writers.stored() > 400, 30_000);
      await kafka.nodes[0]!.signal(signal);
      await new Promise((resolve) => {
        setTimeout(resolve, 30_000);
      }); // the time itself is the fault
      expect(await bus.healthy()).toBe(false);
      expect(Date.now() - copy.confirmedAt()).toBeGreaterThan(25_000);
      if (signal === 'SIGKILL') await kafka.nodes[0]!.start();
      else await kafka.nodes[0]!.signal('SIGCONT');
      const back = Date.now();
      const before = writers.stored();
      await eventually('goes on', () => writers.stored() > before + 400, 30_000);
      process.stdout.write(
        `the broker was away for 30 s (${signal}): writing went on within ${Date.now() - back} ms of its return, ${writers.refused} publishes were refused\n`,
      );
      await judge(bus, await writers.stop(), writers.refused, journal);
      await eventually('the copy is complete again', () => Date.now() - copy.confirmedAt() < 2_000, 20_000);
    },
    180_000,
  );

  it.runIf(whole)(
    'loses and reorders nothing over a network that stops, breaks and delays at random',
    async () => {
      const bus = await open();
      const journal = new Journal();
      const [proxy] = kafka.proxies;
      await bus.group({ group: 'g', topics: [faultTopic], handle: async ({ records }) => journal.add(records) });
      const writers = write(bus, 16);
      for (let n = 0; n < 40; n += 1) {
        if (n % 4 === 0) proxy!.cut();
        if (n % 4 === 1) proxy!.swallow = true;
        if (n % 4 === 2) proxy!.delayMs = 200;
        if (n % 4 === 3) proxy!.stalled = true;
        await new Promise((resolve) => {
          setTimeout(resolve, n % 4 === 3 ? 4_000 : 400);
        });
        proxy!.stalled = false;
        proxy!.delayMs = 0;
      }
      await judge(bus, await writers.stop(), writers.refused, journal);
      expect(writers.refused).toBe(0);
    },
    180_000,
  );

  it('keeps a partition with its member while a handler runs, without blocking other members', async () => {
    const first = await open();
    const hang = gate();
    const [mine, theirs] = [new Journal(), new Journal()];
    const [hanging, claimed] = [new Set<number>(), new Set<number>()];
    await first.publish(Array.from({ length: 120 }, (_, n) => out(`k${n % 40}`, String(Math.floor(n / 40)))));
    await first.group({
      group: 'g',
      topics: [faultTopic],
      async handle({ partition, records, signal }) {
        if (partition % 2 === 0) {
          hanging.add(partition);
          signal.addEventListener('abort', () => claimed.add(partition));
          await hang.opened;
        }
        mine.add(records);
      },
    });
    await eventually('the even ones hang and the others are done', () => hanging.size >= 5 && mine.records.length > 40);
    const other = await openKafka(kafka, { prefix: first.prefix });
    opened.push(other);
    await other.group({ group: 'g', topics: [faultTopic], handle: async ({ records }) => theirs.add(records) });
    for (let n = 3; n < 30; n += 1) await first.publish(Array.from({ length: 40 }, (_, k) => out(`k${k}`, String(n))));
    await eventually('some are claimed while they hang', () => claimed.size > 0);
    // The member with the free partitions continues with them.
    const free = (): number => [...mine.records, ...theirs.records].filter((r) => r.partition % 2 === 1).length;
    const before = free();
    for (let n = 30; n < 40; n += 1) await first.publish(Array.from({ length: 40 }, (_, k) => out(`k${k}`, String(n))));
    await eventually('the free ones are handled', () => free() >= before + 100);
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    }); // several heartbeats, in which nothing must happen
    expect(theirs.records.filter((r) => hanging.has(r.partition))).toEqual([]);
    hang.open();
    await eventually('all handled', () => mine.distinct() + theirs.distinct() >= 1_600);
    expect(mine.records.length + theirs.records.length).toBe(1_600);
    for (let k = 0; k < 40; k += 1) {
      const values = [...mine.records, ...theirs.records]
        .filter((r) => r.key === `k${k}`)
        .sort((a, b) => Number(a.offset - b.offset))
        .map((r) => r.value);
      expect(values).toEqual(sequenceOf(40));
    }
    for (let n = 40; n < 50; n += 1) await first.publish(Array.from({ length: 40 }, (_, k) => out(`k${k}`, String(n))));
    await eventually('the new member has got its share', () => theirs.records.length > 50);
  });

  it('never assigns a partition to two members while members are added and removed under load', async () => {
    const bus = await open();
    const writers = write(bus, 24);
    const journal = new Journal();
    const busy = new Set<number>();
    let clashes = 0;
    const join = async (): Promise<KafkaBus> => {
      const own = await openKafka(kafka, { prefix: bus.prefix });
      opened.push(own);
      await own.group({
        group: 'g',
        topics: [faultTopic],
        maxBatch: 50,
        async handle({ partition, records }) {
          if (busy.has(partition)) clashes += 1;
          busy.add(partition);
          await new Promise((resolve) => {
            setTimeout(resolve, 5);
          });
          journal.add(records);
          busy.delete(partition);
        },
      });
      return own;
    };
    const members = [await join()];
    for (let round = 0; round < 4; round += 1) {
      members.push(await join());
      const before = journal.records.length;
      await eventually('goes on', () => journal.records.length > before + 500, 20_000);
      if (round % 2 === 1) await members.shift()!.close();
    }
    await judge(bus, await writers.stop(), writers.refused, journal);
    expect(clashes).toBe(0);
    expect(journal.records.length).toBe(journal.distinct());
  });

  it('another process gets the partitions of a stopped one, which moves nothing when it wakes', async () => {
    const bus = await open({ partitions: 2 });
    await bus.publish(Array.from({ length: 100 }, (_, n) => out(`k${n % 4}`, String(Math.floor(n / 4)))));
    const file = join(tmpdir(), `carillon-kafka-zombie-${process.pid}`);
    const child = fork(
      new URL('../../../testing/src/bus.child.ts', import.meta.url),
      [
        new URL('./kafka.conformance.ts', import.meta.url).href,
        `${kafka.bootstrap}#${bus.prefix}`,
        JSON.stringify({ mode: 'consume', topic: faultTopic, group: 'g', journal: file, point: 'after' }),
      ],
      { execArgv: ['--conditions=carillon-source'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    children.push(child);
    await new Promise<void>((resolve) => {
      child.on('message', (m) => {
        if (m === 'point') resolve();
      });
    });
    child.kill('SIGSTOP');
    const journal = new Journal();
    const hang = gate();
    await bus.group({
      group: 'g',
      topics: [faultTopic],
      maxBatch: 10,
      handle: async ({ records }) => {
        journal.add(records);
        await hang.opened;
      },
    });
    await eventually('taken over', () => new Set(journal.records.map((r) => r.partition)).size === 2, 60_000);
    const before = JSON.stringify(await bus.lag());
    const handled = (): number => readFileSync(file, 'utf8').trim().split('\n').length;
    const woken = handled();
    child.kill('SIGCONT');
    // Its running batch ends; nothing more begins, and no position moves until the new owner has worked.
    await new Promise((resolve) => {
      setTimeout(resolve, 1_500);
    }); // nothing must happen in this time
    expect(JSON.stringify(await bus.lag())).toBe(before);
    expect(handled() - woken).toBeLessThanOrEqual(14);
    hang.open();
    rmSync(file, { force: true });
  });

  it('stores a record once when the answer is lost', async () => {
    const bus = await open({ partitions: 1 });
    await bus.publish([out('k', '0')]);
    for (let n = 1; n < 10; n += 1) {
      kafka.proxies[0]!.swallow = true;
      await bus.publish([out('k', String(n))]);
      expect(kafka.proxies[0]!.swallow).toBe(false);
    }
    const journal = new Journal();
    await bus
      .fanout({ topics: [faultTopic], from: 'start', handle: ({ records }) => journal.add(records) })
      .then((f) => f.caughtUp);
    expect(journal.valuesOf('k')).toEqual(sequenceOf(10));
  });

  it('never mistakes a new record for the retry of one that it gave up', async () => {
    const bus = await open({ partitions: 1, deadlineMs: 1_500 });
    await bus.publish([out('k', '0')]);
    kafka.proxies[0]!.swallow = 'then stall';
    await expect(bus.publish([out('k', 'stored, and given up')])).rejects.toThrow(/in time/);
    kafka.proxies[0]!.stalled = false;
    await eventually('healthy', () => bus.healthy(), 20_000);
    for (let n = 1; n < 5; n += 1) await bus.publish([out('k', String(n))]);
    const journal = new Journal();
    await bus
      .fanout({ topics: [faultTopic], from: 'start', handle: ({ records }) => journal.add(records) })
      .then((f) => f.caughtUp);
    expect(journal.valuesOf('k')).toEqual(['0', 'stored, and given up', '1', '2', '3', '4']);
  });

  it('rejects a publish at its deadline or queue limit, and accepts the next when the broker is back', async () => {
    const bus = await open({ deadlineMs: 600, queueBytes: 100_000 });
    await bus.publish([out('k', 'before')]);
    await kafka.nodes[0]!.signal('SIGKILL');
    expect(await bus.healthy()).toBe(false);
    const began = performance.now();
    await expect(bus.publish([out('k', '0')])).rejects.toThrow();
    expect(performance.now() - began).toBeLessThan(5_000);
    const calls = Array.from({ length: 300 }, () => bus.publish([out('k', 'x'.repeat(1_000))]));
    await expect(calls.at(-1)).rejects.toThrow(/does not take more/);
    await Promise.allSettled(calls);
    await kafka.nodes[0]!.start();
    await eventually(
      'stored again',
      () =>
        bus.publish([out('k', '1')]).then(
          () => true,
          () => false,
        ),
      20_000,
    );
    await eventually('healthy again', () => bus.healthy());
  });

  // Happened in a cluster that started on a busy machine: processes ended because the broker took 3 s for a connection,
  // and were reported as broken.
  it('waits for a starting broker to open, create topics and join, and fails at once without a wait', async () => {
    const topic = { name: `${faultTopic}.late`, partitions: 2, cleanup: 'delete', retentionMs: 3_600_000 } as const;
    await kafka.nodes[0]!.signal('SIGKILL');
    await expect(KafkaBus.open({ connection: { brokers: kafka.bootstrap.split(',') } })).rejects.toThrow();
    const opening = KafkaBus.open({ connection: { brokers: kafka.bootstrap.split(',') }, openWithinMs: 60_000 });
    await kafka.nodes[0]!.start();
    const bus = await opening;
    opened.push(bus);
    await kafka.nodes[0]!.signal('SIGKILL');
    const made = bus.ensureTopics([topic]);
    await kafka.nodes[0]!.start();
    await made;
    const late = await KafkaBus.open({ connection: { brokers: kafka.bootstrap.split(',') } });
    opened.push(late);
    const hasty = await KafkaBus.open({ connection: { brokers: kafka.bootstrap.split(',') }, deadlineMs: 2_000 });
    opened.push(hasty);
    await kafka.nodes[0]!.signal('SIGKILL');
    // One after the other they would take a minute.
    const hurry = performance.now();
    const refused = await Promise.allSettled(
      Array.from({ length: 30 }, (_, i) => hasty.publish([{ ...out('k', `${i}`), topic: topic.name }])),
    );
    expect(refused.map((r) => r.status)).toEqual(Array(30).fill('rejected'));
    expect(performance.now() - hurry).toBeLessThan(15_000);
    const handled: string[] = [];
    const joining = late.group({
      group: 'late',
      topics: [topic.name],
      handle: ({ records }) => {
        handled.push(...records.map((r) => r.value!));
        return Promise.resolve();
      },
    });
    await kafka.nodes[0]!.start();
    await joining;
    await bus.publish([{ ...out('k', 'after'), topic: topic.name }]);
    await eventually('it has a share', () => handled.includes('after'), 20_000);
  });

  it('works over a network that takes 40 ms each way', async () => {
    const bus = await open();
    const journal = new Journal();
    await bus.group({ group: 'g', topics: [faultTopic], handle: async ({ records }) => journal.add(records) });
    kafka.proxies[0]!.delayMs = 40;
    const writers = write(bus, 8);
    await eventually('under way', () => writers.stored() > 100, 30_000);
    const counts = await writers.stop();
    kafka.proxies[0]!.delayMs = 0;
    await judge(bus, counts, writers.refused, journal);
  });
});
