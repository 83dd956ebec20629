import { expect, it } from 'vitest';
import type { Bus, BusRecord } from '@carillon/messaging';
import { eventually, gate, Journal, sequenceOf } from './bus.journal.ts';
import { out, topic, type BusPlace } from './bus.place.ts';

/** Tests that groups receive every record in order, and know how far they are behind. */
export function testGroups(place: BusPlace): void {
  it('gives a group every record unchanged, in order per key', async () => {
    const journal = new Journal();
    await place.bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
    const odd = '{"text":"雪 \\u0000 \\"quoted\\" {}, \\\\ \u{1F514} \n"}';
    for (let n = 0; n < 50; n += 1)
      await place.bus.publish(Array.from({ length: 10 }, (_, k) => out(`k${k}`, String(n))));
    await place.bus.publish([
      { topic, key: 'odd "key", \\ {}', headers: { a: '1', 'b"': 'zwei, {drei}' }, value: odd },
    ]);
    await eventually('all handled', () => journal.records.length === 501);
    for (let k = 0; k < 10; k += 1) expect(journal.valuesOf(`k${k}`)).toEqual(sequenceOf(50));
    const last = journal.records.find((r) => r.key.startsWith('odd'))!;
    expect([last.headers, last.value, last.key]).toEqual([{ a: '1', 'b"': 'zwei, {drei}' }, odd, 'odd "key", \\ {}']);
    expect(Math.abs(last.timestamp - Date.now())).toBeLessThan(60_000);
  });

  it('keeps the order of a caller that does not wait between calls', async () => {
    const journal = new Journal();
    await place.bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
    await Promise.all(
      Array.from({ length: 2_000 }, (_, n) => place.bus.publish([out(`k${n % 7}`, String(Math.floor(n / 7)))])),
    );
    await eventually('all handled', () => journal.records.length === 2_000);
    for (let k = 0; k < 7; k += 1)
      expect(journal.valuesOf(`k${k}`)).toEqual(sequenceOf(journal.valuesOf(`k${k}`).length));
  });

  it('keeps the order per key when two processes write to the same partitions', async () => {
    const second = await place.another();
    const journal = new Journal();
    await place.bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
    const keys = (who: string): string[] => Array.from({ length: 6 }, (_, k) => `${who}${k}`);
    const write = async (from: Bus, who: string): Promise<void> => {
      for (let n = 0; n < 200; n += 1) await from.publish(keys(who).map((key) => out(key, String(n))));
    };
    await Promise.all([write(place.bus, 'a'), write(second, 'b')]);
    await eventually('all handled', () => journal.records.length === 2_400);
    for (const key of [...keys('a'), ...keys('b')]) expect(journal.valuesOf(key)).toEqual(sequenceOf(200));
    for (const p of [0, 1, 2]) {
      const offsets = journal.records.filter((r) => r.partition === p).map((r) => r.offset);
      expect(offsets).toEqual([...offsets].sort((x, y) => Number(x - y)));
      expect(new Set(offsets).size).toBe(offsets.length);
    }
  });

  it('resolves a publish while the only consumer hangs', async () => {
    const hang = gate();
    await place.bus.group({ group: 'g', topics: [topic], handle: () => hang.opened });
    for (let n = 0; n < 20; n += 1) await place.bus.publish([out('k', String(n))]);
    hang.open();
  });

  it('refuses a record that is too large or has an unknown topic, and stores the others', async () => {
    const journal = new Journal();
    await place.bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
    const results = await Promise.allSettled([
      place.bus.publish([out('a', '0')]),
      place.bus.publish([out('a', 'x', 'none.such.v1')]),
      place.bus.publish([out('a', 'x'.repeat(2_000_000))]),
      place.bus.publish([out('b', '0')]),
    ]);
    expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    await eventually('both handled', () => journal.records.length === 2);
    expect(journal.records.map((r) => r.value)).toEqual(['0', '0']);
  });

  it('repeats a batch from its first record until the handler resolves', async () => {
    const calls: string[][] = [];
    let rejections = 3;
    await place.bus.publish(['0', '1', '2', '3'].map((v) => out('k', v)));
    await place.bus.group({
      group: 'g',
      topics: [topic],
      maxBatch: 2,
      async handle({ records }) {
        calls.push(records.map((r) => r.value!));
        if (rejections-- > 0) throw new Error('not yet');
      },
    });
    await eventually('all handled', () => calls.length === 5);
    expect(calls).toEqual([
      ['0', '1'],
      ['0', '1'],
      ['0', '1'],
      ['0', '1'],
      ['2', '3'],
    ]);
  });

  it('handles other partitions while one handler is slow and another always fails', async () => {
    const slow = gate();
    const journal = new Journal();
    const partitionOf = new Map<string, number>();
    const keys = Array.from({ length: 30 }, (_, k) => `k${k}`);
    const scout = await place.bus.group({
      group: 'scout',
      topics: [topic],
      handle: async ({ records }) => {
        for (const r of records) partitionOf.set(r.key, r.partition);
      },
    });
    await place.bus.publish(keys.map((k) => out(k, '0')));
    await eventually('keys placed', () => partitionOf.size === keys.length);
    await scout.close();
    expect(new Set(partitionOf.values()).size).toBe(3);
    await place.bus.group({
      group: 'g',
      topics: [topic],
      async handle({ partition, records }) {
        if (partition === 0) await slow.opened;
        if (partition === 1) throw new Error('always');
        journal.add(records);
      },
    });
    const free = keys.filter((k) => partitionOf.get(k) === 2);
    for (let n = 1; n < 20; n += 1) await place.bus.publish(keys.map((k) => out(k, String(n))));
    await eventually('the free partition is done', () => free.every((k) => journal.valuesOf(k).length === 20));
    for (const k of free) expect(journal.valuesOf(k)).toEqual(sequenceOf(20));
    slow.open();
  });

  it('gives each of two groups every record', async () => {
    const [a, b] = [new Journal(), new Journal()];
    await place.bus.group({ group: 'a', topics: [topic], handle: async ({ records }) => a.add(records) });
    await place.bus.publish(sequenceOf(30).map((v) => out('k', v)));
    await place.bus.group({ group: 'b', topics: [topic], handle: async ({ records }) => b.add(records) });
    await eventually('both have all', () => a.records.length === 30 && b.records.length === 30);
    expect(b.valuesOf('k')).toEqual(sequenceOf(30));
  });

  it('continues after the last handled record after a clean close, without repetitions', async () => {
    const journal = new Journal();
    const handle = async ({ records }: { records: readonly BusRecord[] }): Promise<void> => {
      journal.add(records);
    };
    for (let round = 0; round < 3; round += 1) {
      const running = await place.another();
      const consumer = await running.group({ group: 'g', topics: [topic], handle });
      await running.publish(
        Array.from({ length: 40 }, (_, n) => out(`k${n % 4}`, String(10 * round + Math.floor(n / 4)))),
      );
      await eventually('handled', () => journal.records.length === 40 * (round + 1));
      if (round === 0) await consumer.close();
      await running.close();
    }
    for (let k = 0; k < 4; k += 1) expect(journal.valuesOf(`k${k}`)).toEqual(sequenceOf(30));
  });

  it('waits at close for the running handler and signals it to stop early', async () => {
    const [started, aborted] = [gate(), gate()];
    let ended = false;
    const consumer = await place.bus.group({
      group: 'g',
      topics: [topic],
      async handle({ signal }) {
        started.open();
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.open();
            setTimeout(resolve, 50);
          });
        });
        ended = true;
      },
    });
    await place.bus.publish([out('k', '0')]);
    await started.opened;
    await consumer.close();
    await aborted.opened;
    expect(ended).toBe(true);
  });

  it('reports how far a group is behind', async () => {
    const hang = gate();
    await place.bus.group({ group: 'g', topics: [topic], handle: () => hang.opened });
    await place.bus.publish(sequenceOf(25).map((v) => out('k', v)));
    const sum = async (): Promise<number> =>
      (await place.bus.lag()).filter((l) => l.group === 'g' && l.topic === topic).reduce((n, l) => n + l.lag, 0);
    expect(await sum()).toBe(25);
    hang.open();
    await eventually('no lag', async () => (await sum()) === 0);
    expect(await place.bus.healthy()).toBe(true);
  });

  it('never changes an existing topic', async () => {
    const partitions = new Set<number>();
    await place.bus.ensureTopics([{ name: topic, partitions: 1, cleanup: 'compact' }]);
    await place.bus.group({
      group: 'g',
      topics: [topic],
      handle: async ({ records }) => {
        for (const r of records) partitions.add(r.partition);
      },
    });
    await place.bus.publish(Array.from({ length: 60 }, (_, k) => out(`k${k}`, '0')));
    await eventually('all partitions', () => partitions.size === 3);
  });

  it('stores what was published before close and refuses later calls', async () => {
    const second = await place.another();
    const pending = Array.from({ length: 500 }, (_, n) => second.publish([out('k', String(n))]));
    await second.close();
    await Promise.all(pending);
    await expect(second.publish([out('k', 'late')])).rejects.toThrow();
    const journal = new Journal();
    await place.bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
    await eventually('all handled', () => journal.records.length === 500);
    expect(journal.valuesOf('k')).toEqual(sequenceOf(500));
  });
}
