import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bus, BusRecord, OutRecord } from '@carillon/messaging';
import type { ChildTask } from './bus.child.ts';
import { eventually, gate, Journal, sequenceOf } from './bus.journal.ts';

/** A bus driver under test. */
export interface BusDriver {
  /** URL of a module with `open(arg): Promise<Bus>`, which child processes also load. */
  module: string;
  /** Creates an empty log. Returns the argument of `open`. */
  fresh(): Promise<string>;
  open(arg: string): Promise<Bus>;
  /** Compacts and expires now, without a grace period for tombstones. */
  compact(bus: Bus): Promise<void>;
  /** Breaks every connection to the log once. */
  cut(arg: string): Promise<void>;
}

const childFile = join(dirname(fileURLToPath(import.meta.url)), 'bus.child.ts');
const topic = 'suite.event.v1';
const state = 'suite.state.v1';
const out = (key: string, value: string | null, name = topic): OutRecord => ({
  topic: name,
  key,
  headers: { id: `${key}-${value}` },
  value,
});

/** Tests the contract of every bus driver: see libs/messaging/src/bus.ts. */
export function busSuite(name: string, driver: BusDriver): void {
  describe(`bus: ${name}`, () => {
    let arg: string;
    let bus: Bus;
    const opened: Bus[] = [];
    const children: ChildProcess[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'carillon-bus-'));
    let files = 0;

    const another = async (): Promise<Bus> => {
      const made = await driver.open(arg);
      opened.push(made);
      return made;
    };
    const child = (
      task: Omit<ChildTask, 'journal'> & { journal?: string },
    ): { process: ChildProcess; journal: string; said(what: string): Promise<void>; kill(): Promise<void> } => {
      const journal = task.journal ?? join(folder, `journal-${++files}`);
      const process = fork(childFile, [driver.module, arg, JSON.stringify({ ...task, journal })], {
        execArgv: ['--conditions=carillon-source'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.push(process);
      const heard = new Set<unknown>();
      process.on('message', (m) => heard.add(m));
      return {
        process,
        journal,
        said: (what) => eventually(`the child says ${what}`, () => heard.has(what)),
        kill: () =>
          new Promise((resolve) => {
            process.once('exit', () => resolve());
            process.kill('SIGKILL');
          }),
      };
    };

    beforeEach(async () => {
      arg = await driver.fresh();
      bus = await another();
      await bus.ensureTopics([
        { name: topic, partitions: 3, cleanup: 'delete', retentionMs: 3_600_000 },
        { name: state, partitions: 2, cleanup: 'compact' },
      ]);
    });
    afterEach(async () => {
      for (const c of children.splice(0)) c.kill('SIGKILL');
      await Promise.all(opened.splice(0).map((b) => b.close()));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('gives a group every record unchanged, in order per key', async () => {
      const journal = new Journal();
      await bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
      const odd = '{"text":"雪 \\u0000 \\"quoted\\" {}, \\\\ \u{1F514} \n"}';
      for (let n = 0; n < 50; n += 1) await bus.publish(Array.from({ length: 10 }, (_, k) => out(`k${k}`, String(n))));
      await bus.publish([{ topic, key: 'odd "key", \\ {}', headers: { a: '1', 'b"': 'zwei, {drei}' }, value: odd }]);
      await eventually('all handled', () => journal.records.length === 501);
      for (let k = 0; k < 10; k += 1) expect(journal.valuesOf(`k${k}`)).toEqual(sequenceOf(50));
      const last = journal.records.find((r) => r.key.startsWith('odd'))!;
      expect([last.headers, last.value, last.key]).toEqual([{ a: '1', 'b"': 'zwei, {drei}' }, odd, 'odd "key", \\ {}']);
      expect(Math.abs(last.timestamp - Date.now())).toBeLessThan(60_000);
    });

    it('keeps the order of a caller that does not wait between calls', async () => {
      const journal = new Journal();
      await bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
      await Promise.all(
        Array.from({ length: 2_000 }, (_, n) => bus.publish([out(`k${n % 7}`, String(Math.floor(n / 7)))])),
      );
      await eventually('all handled', () => journal.records.length === 2_000);
      for (let k = 0; k < 7; k += 1)
        expect(journal.valuesOf(`k${k}`)).toEqual(sequenceOf(journal.valuesOf(`k${k}`).length));
    });

    it('keeps the order per key when two processes write to the same partitions', async () => {
      const second = await another();
      const journal = new Journal();
      await bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
      const keys = (who: string): string[] => Array.from({ length: 6 }, (_, k) => `${who}${k}`);
      const write = async (from: Bus, who: string): Promise<void> => {
        for (let n = 0; n < 200; n += 1) await from.publish(keys(who).map((key) => out(key, String(n))));
      };
      await Promise.all([write(bus, 'a'), write(second, 'b')]);
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
      await bus.group({ group: 'g', topics: [topic], handle: () => hang.opened });
      for (let n = 0; n < 20; n += 1) await bus.publish([out('k', String(n))]);
      hang.open();
    });

    it('refuses a record that is too large or has an unknown topic, and stores the others', async () => {
      const journal = new Journal();
      await bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
      const results = await Promise.allSettled([
        bus.publish([out('a', '0')]),
        bus.publish([out('a', 'x', 'none.such.v1')]),
        bus.publish([out('a', 'x'.repeat(2_000_000))]),
        bus.publish([out('b', '0')]),
      ]);
      expect(results.map((r) => r.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
      await eventually('both handled', () => journal.records.length === 2);
      expect(journal.records.map((r) => r.value)).toEqual(['0', '0']);
    });

    it('repeats a batch from its first record until the handler resolves', async () => {
      const calls: string[][] = [];
      let rejections = 3;
      await bus.publish(['0', '1', '2', '3'].map((v) => out('k', v)));
      await bus.group({
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
      const scout = await bus.group({
        group: 'scout',
        topics: [topic],
        handle: async ({ records }) => {
          for (const r of records) partitionOf.set(r.key, r.partition);
        },
      });
      await bus.publish(keys.map((k) => out(k, '0')));
      await eventually('keys placed', () => partitionOf.size === keys.length);
      await scout.close();
      expect(new Set(partitionOf.values()).size).toBe(3);
      await bus.group({
        group: 'g',
        topics: [topic],
        async handle({ partition, records }) {
          if (partition === 0) await slow.opened;
          if (partition === 1) throw new Error('always');
          journal.add(records);
        },
      });
      const free = keys.filter((k) => partitionOf.get(k) === 2);
      for (let n = 1; n < 20; n += 1) await bus.publish(keys.map((k) => out(k, String(n))));
      await eventually('the free partition is done', () => free.every((k) => journal.valuesOf(k).length === 20));
      for (const k of free) expect(journal.valuesOf(k)).toEqual(sequenceOf(20));
      slow.open();
    });

    it('gives each of two groups every record', async () => {
      const [a, b] = [new Journal(), new Journal()];
      await bus.group({ group: 'a', topics: [topic], handle: async ({ records }) => a.add(records) });
      await bus.publish(sequenceOf(30).map((v) => out('k', v)));
      await bus.group({ group: 'b', topics: [topic], handle: async ({ records }) => b.add(records) });
      await eventually('both have all', () => a.records.length === 30 && b.records.length === 30);
      expect(b.valuesOf('k')).toEqual(sequenceOf(30));
    });

    it('continues after the last handled record after a clean close, without repetitions', async () => {
      const journal = new Journal();
      const handle = async ({ records }: { records: readonly BusRecord[] }): Promise<void> => {
        journal.add(records);
      };
      for (let round = 0; round < 3; round += 1) {
        const running = await another();
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
      const consumer = await bus.group({
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
      await bus.publish([out('k', '0')]);
      await started.opened;
      await consumer.close();
      await aborted.opened;
      expect(ended).toBe(true);
    });

    it('never lets two members work on one partition while members change, and keeps every record in order', async () => {
      const busy = new Map<number, string>();
      const journal = new Journal();
      let clashes = 0;
      const member = async (who: string): Promise<{ close(): Promise<void> }> => {
        const own = await another();
        await own.group({
          group: 'g',
          topics: [topic],
          maxBatch: 5,
          async handle({ partition, records }) {
            if (busy.has(partition)) clashes += 1;
            busy.set(partition, who);
            await new Promise((resolve) => {
              setTimeout(resolve, 2);
            });
            journal.add(records);
            busy.delete(partition);
          },
        });
        return own;
      };
      let publishing = true;
      const publisher = (async () => {
        let n = 0;
        for (; publishing; n += 1) await bus.publish(Array.from({ length: 9 }, (_, k) => out(`k${k}`, String(n))));
        return n;
      })();
      const first = await member('first');
      const second = await member('second');
      await eventually('the second member works', () => [...busy.values()].includes('second'), 20_000);
      const third = await member('third');
      await first.close();
      await eventually('the third member works', () => [...busy.values()].includes('third'), 20_000);
      await second.close();
      publishing = false;
      const total = await publisher;
      await eventually('all handled', () => journal.records.length >= 9 * total, 30_000);
      expect(clashes).toBe(0);
      for (let k = 0; k < 9; k += 1) expect(journal.valuesOf(`k${k}`)).toEqual(sequenceOf(total));
      await third.close();
    });

    it.each(['before', 'during', 'after'] as const)(
      "gives a killed process's batch to the next one: killed %s the effect",
      async (point) => {
        await bus.publish(Array.from({ length: 200 }, (_, n) => out(`k${n % 10}`, String(Math.floor(n / 10)))));
        const victim = child({ mode: 'consume', topic, group: 'g', point });
        await victim.said('point');
        await victim.kill();
        const next = child({ mode: 'consume', topic, group: 'g', journal: victim.journal });
        const lines = (): string[] =>
          existsSync(victim.journal) ? readFileSync(victim.journal, 'utf8').trim().split('\n') : [];
        await eventually('all handled', () => new Set(lines()).size === 200, 30_000);
        await next.kill();
        const seen = new Map<string, number>();
        for (const line of lines()) {
          const [key, value] = line.split(' ') as [string, string];
          expect(Number(value), `${key} skips ahead`).toBeLessThanOrEqual((seen.get(key) ?? -1) + 1);
          seen.set(key, Math.max(seen.get(key) ?? -1, Number(value)));
        }
      },
    );

    it('has every record in order that a killed publisher got confirmed', async () => {
      const journal = new Journal();
      const victim = child({ mode: 'publish', topic, group: '', count: 300 });
      await victim.said('point');
      await victim.kill();
      const promised = readFileSync(victim.journal, 'utf8').trim().split('\n');
      await bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
      await eventually('all handled', () => promised.every((line) => journal.has(line)));
      for (let k = 0; k < 20; k += 1)
        expect(journal.valuesOf(`k${k}`)).toEqual(sequenceOf(journal.valuesOf(`k${k}`).length));
    });

    it('keeps every record in order when all connections break repeatedly under load', async () => {
      const [journal, feed] = [new Journal(), new Journal()];
      await bus.group({
        group: 'g',
        topics: [topic],
        handle: async ({ records }) => {
          journal.add(records);
          await new Promise((resolve) => {
            setTimeout(resolve, 1);
          });
        },
      });
      await bus.fanout({ topics: [topic], from: 'start', handle: ({ records }) => feed.add(records) });
      let cutting = true;
      const cutter = (async () => {
        for (let n = 0; cutting; n += 1) {
          await driver.cut(arg);
          await new Promise((resolve) => {
            setTimeout(resolve, 40);
          });
        }
      })();
      await Promise.all(
        Array.from({ length: 8 }, async (_, k) => {
          for (let n = 0; n < 150; n += 1) await bus.publish([out(`k${k}`, String(n))]);
        }),
      );
      cutting = false;
      await cutter;
      await eventually('all handled', () => [journal, feed].every((j) => j.distinct() === 1_200), 30_000);
      for (const j of [journal, feed]) for (let k = 0; k < 8; k += 1) expect(j.skips(`k${k}`)).toBe(false);
    });

    it('gives each process a fan-out feed from the start: all stored records, then new ones', async () => {
      const second = await another();
      await bus.publish(sequenceOf(700).map((v) => out('k', v)));
      const feeds = [new Journal(), new Journal()];
      const consumers = await Promise.all(
        [bus, second].map((b, i) =>
          b.fanout({ topics: [topic], from: 'start', handle: ({ records }) => feeds[i]!.add(records) }),
        ),
      );
      await Promise.all(consumers.map((c) => c.caughtUp));
      expect(feeds.map((f) => f.records.length)).toEqual([700, 700]);
      await bus.publish([out('k', '700')]);
      await eventually('both have it', () => feeds.every((f) => f.records.length === 701));
      for (const f of feeds) expect(f.valuesOf('k')).toEqual(sequenceOf(701));
    });

    it('gives a fan-out feed from the end exactly the records published after it opened', async () => {
      await bus.publish([out('k', 'before')]);
      const feed = new Journal();
      const consumer = await bus.fanout({ topics: [topic], from: 'end', handle: ({ records }) => feed.add(records) });
      await consumer.caughtUp;
      await bus.publish([out('k', 'after')]);
      await eventually('it came', () => feed.records.length > 0);
      expect(feed.valuesOf('k')).toEqual(['after']);
    });

    it('reports how fresh a fan-out feed is, and stops confirming while a handler is behind', async () => {
      const hang = gate();
      const consumer = await bus.fanout({ topics: [topic], from: 'start', handle: () => hang.opened });
      await consumer.caughtUp;
      await eventually('confirmed', () => Date.now() - consumer.confirmedAt() < 2_000);
      await bus.publish([out('k', '0')]);
      const published = Date.now();
      await new Promise((resolve) => {
        setTimeout(resolve, 1_000);
      }); // the test measures time itself
      expect(consumer.confirmedAt()).toBeLessThanOrEqual(published);
      hang.open();
      await eventually('confirmed again', () => consumer.confirmedAt() > published);
    });

    it('skips a fan-out batch whose handler fails', async () => {
      const feed = new Journal();
      let fail = true;
      const consumer = await bus.fanout({
        topics: [topic],
        from: 'end',
        handle: ({ records }) => {
          if (fail) {
            fail = false;
            throw new Error('once');
          }
          feed.add(records);
        },
      });
      await bus.publish([out('k', '0')]);
      await eventually('it failed', () => !fail);
      await bus.publish([out('k', '1')]);
      await eventually('the next came', () => feed.records.length === 1);
      expect(feed.valuesOf('k')).toEqual(['1']);
      await consumer.close();
    });

    it('keeps the last record of each key of a compacted topic in order and drops ended keys', async () => {
      for (let n = 0; n < 30; n += 1)
        await bus.publish(Array.from({ length: 50 }, (_, k) => out(`k${k}`, String(n), state)));
      await bus.publish([out('k7', null, state), out('k8', null, state)]);
      await driver.compact(bus);
      const feed = new Journal();
      const consumer = await bus.fanout({ topics: [state], from: 'start', handle: ({ records }) => feed.add(records) });
      await consumer.caughtUp;
      expect(feed.records.length).toBe(48);
      expect(new Set(feed.records.map((r) => r.value))).toEqual(new Set(['29']));
      expect(feed.records.some((r) => r.key === 'k7' || r.key === 'k8')).toBe(false);
      await bus.publish([out('k7', 'again', state)]);
      await eventually('a key comes back', () => feed.valuesOf('k7').length === 1);
    });

    it('gives a tombstone to followers as null', async () => {
      const journal = new Journal();
      await bus.group({ group: 'g', topics: [state], handle: async ({ records }) => journal.add(records) });
      await bus.publish([out('k', '1', state), out('k', null, state)]);
      await eventually('both came', () => journal.records.length === 2);
      expect(journal.valuesOf('k')).toEqual(['1', null]);
    });

    it('lets a group that was away during a compaction continue to the end', async () => {
      const journal = new Journal();
      const handle = async ({ records }: { records: readonly BusRecord[] }): Promise<void> => {
        journal.add(records);
      };
      const before = await bus.group({ group: 'g', topics: [state], handle });
      await bus.publish([out('a', '0', state)]);
      await eventually('first came', () => journal.records.length === 1);
      await before.close();
      for (let n = 1; n < 100; n += 1) await bus.publish([out('a', String(n), state), out('b', String(n), state)]);
      await driver.compact(bus);
      const late = await another(); // has nothing in memory
      await late.group({ group: 'g', topics: [state], handle });
      await late.publish([out('a', 'end', state)]);
      await eventually(
        'both ends came',
        () => journal.valuesOf('a').at(-1) === 'end' && journal.valuesOf('b').at(-1) === '99',
      );
      await eventually('no lag', async () => (await late.lag()).every((l) => l.lag === 0));
    });

    it('reports how far a group is behind', async () => {
      const hang = gate();
      await bus.group({ group: 'g', topics: [topic], handle: () => hang.opened });
      await bus.publish(sequenceOf(25).map((v) => out('k', v)));
      const sum = async (): Promise<number> =>
        (await bus.lag()).filter((l) => l.group === 'g' && l.topic === topic).reduce((n, l) => n + l.lag, 0);
      expect(await sum()).toBe(25);
      hang.open();
      await eventually('no lag', async () => (await sum()) === 0);
      expect(await bus.healthy()).toBe(true);
    });

    it('never changes an existing topic', async () => {
      const partitions = new Set<number>();
      await bus.ensureTopics([{ name: topic, partitions: 1, cleanup: 'compact' }]);
      await bus.group({
        group: 'g',
        topics: [topic],
        handle: async ({ records }) => {
          for (const r of records) partitions.add(r.partition);
        },
      });
      await bus.publish(Array.from({ length: 60 }, (_, k) => out(`k${k}`, '0')));
      await eventually('all partitions', () => partitions.size === 3);
    });

    it('stores what was published before close and refuses later calls', async () => {
      const second = await another();
      const pending = Array.from({ length: 500 }, (_, n) => second.publish([out('k', String(n))]));
      await second.close();
      await Promise.all(pending);
      await expect(second.publish([out('k', 'late')])).rejects.toThrow();
      const journal = new Journal();
      await bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
      await eventually('all handled', () => journal.records.length === 500);
      expect(journal.valuesOf('k')).toEqual(sequenceOf(500));
    });
  });
}
