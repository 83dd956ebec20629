// @module-tag slow
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually, Journal } from '@carillon/testing/bus-journal';
import { testKafka, type TestKafka } from '@carillon/testing/kafka';
import { faultTopic, judge, openKafka, write } from './kafka.fixture.ts';

const out = (key: string, value: string) => ({ topic: faultTopic, key, headers: {}, value });
const whole = inject('faults') === 'whole';

/** Faults of several brokers and of a broker's disk; `./carillon test service --faults` runs all of them. */
describe('Kafka with three brokers', () => {
  let kafka: TestKafka;
  beforeAll(async () => {
    kafka = await testKafka({ nodes: 3 });
  });
  afterAll(() => kafka.stop());

  it(
    'a killed broker loses, doubles and reorders nothing, also when it is back',

    async () => {
      const bus = await openKafka(kafka);
      const journal = new Journal();
      await bus.group({ group: 'g', topics: [faultTopic], handle: async ({ records }) => journal.add(records) });
      const writers = write(bus, 24);
      for (const node of whole ? [...kafka.nodes, ...kafka.nodes] : kafka.nodes.slice(0, 1)) {
        const before = writers.stored();
        await eventually('under load', () => writers.stored() > before + 300, 30_000);
        await node.signal('SIGKILL');
        const without = writers.stored();
        await eventually('goes on with two', () => writers.stored() > without + 300, 30_000);
        await node.start();
      }
      await judge(bus, await writers.stop(), writers.refused, journal);
      expect(writers.refused).toBe(0);
      await bus.close();
    },
    whole ? 600_000 : undefined,
  );
});

const disk = whole ? mkdtempSync(join(tmpdir(), 'carillon-disk-')) : '';
/** A disk of 40 MB, when this user may mount one. */
const mounted = whole && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', disk]).status === 0;

describe.runIf(mounted)('Kafka whose disk is full', () => {
  afterAll(() => {
    spawnSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  it('has every acknowledged record, in order, when there is room again', async () => {
    const kafka = await testKafka({ folder: disk });
    const bus = await openKafka(kafka, { partitions: 2, deadlineMs: 3_000 });
    const journal = new Journal();
    await bus.group({
      group: 'g',
      topics: [faultTopic],
      handle: async ({ records }) => journal.add(records.map((r) => ({ ...r, value: r.value!.split(' ')[0]! }))),
    });
    let n = 0;
    let refused = 0;
    for (const padding = 'x'.repeat(100_000); refused < 3;)
      await bus.publish([out('k', `${n} ${padding}`)]).then(
        () => {
          n += 1;
        },
        () => {
          refused += 1;
        },
      );
    expect(n).toBeGreaterThan(50);
    expect(await bus.healthy()).toBe(false);
    // A broker exits when its only disk fails; an operator adds room and restarts it.
    await kafka.nodes[0]!.signal('SIGKILL');
    expect(spawnSync('mount', ['-o', 'remount,size=200m', disk]).status).toBe(0);
    await kafka.nodes[0]!.start();
    for (const until = n + 50; n < until;)
      await bus.publish([out('k', `${n} again`)]).then(
        () => {
          n += 1;
        },
        () => undefined,
      );
    await eventually('all handled', () => journal.has(`k ${n - 1}`), 30_000);
    expect(journal.skips('k')).toBe(false);
    await bus.close();
    await kafka.stop();
  }, 180_000);
});
