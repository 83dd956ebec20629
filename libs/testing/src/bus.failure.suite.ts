import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually, Journal, sequenceOf } from './bus.journal.ts';
import { out, topic, type BusPlace } from './bus.place.ts';

/** Tests that members that change, processes that are killed and connections that break lose no record. */
export function testFailures(place: BusPlace): void {
  it('never lets two members work on one partition while members change, and keeps every record in order', async () => {
    const busy = new Map<number, string>();
    const journal = new Journal();
    let clashes = 0;
    const member = async (who: string): Promise<{ close(): Promise<void> }> => {
      const own = await place.another();
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
      for (; publishing; n += 1) await place.bus.publish(Array.from({ length: 9 }, (_, k) => out(`k${k}`, String(n))));
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
      await place.bus.publish(Array.from({ length: 200 }, (_, n) => out(`k${n % 10}`, String(Math.floor(n / 10)))));
      const victim = place.child({ mode: 'consume', topic, group: 'g', point });
      await victim.said('point');
      await victim.kill();
      const next = place.child({ mode: 'consume', topic, group: 'g', journal: victim.journal });
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
    const victim = place.child({ mode: 'publish', topic, group: '', count: 300 });
    await victim.said('point');
    await victim.kill();
    const promised = readFileSync(victim.journal, 'utf8').trim().split('\n');
    await place.bus.group({ group: 'g', topics: [topic], handle: async ({ records }) => journal.add(records) });
    await eventually('all handled', () => promised.every((line) => journal.has(line)));
    for (let k = 0; k < 20; k += 1)
      expect(journal.valuesOf(`k${k}`)).toEqual(sequenceOf(journal.valuesOf(`k${k}`).length));
  });

  it('keeps every record in order when all connections break repeatedly under load', async () => {
    const [journal, feed] = [new Journal(), new Journal()];
    await place.bus.group({
      group: 'g',
      topics: [topic],
      handle: async ({ records }) => {
        journal.add(records);
        await new Promise((resolve) => {
          setTimeout(resolve, 1);
        });
      },
    });
    await place.bus.fanout({ topics: [topic], from: 'start', handle: ({ records }) => feed.add(records) });
    let cutting = true;
    const cutter = (async () => {
      for (let n = 0; cutting; n += 1) {
        await place.driver.cut(place.arg);
        await new Promise((resolve) => {
          setTimeout(resolve, 40);
        });
      }
    })();
    await Promise.all(
      Array.from({ length: 8 }, async (_, k) => {
        for (let n = 0; n < 150; n += 1) await place.bus.publish([out(`k${k}`, String(n))]);
      }),
    );
    cutting = false;
    await cutter;
    await eventually('all handled', () => [journal, feed].every((j) => j.distinct() === 1_200), 30_000);
    for (const j of [journal, feed]) for (let k = 0; k < 8; k += 1) expect(j.skips(`k${k}`)).toBe(false);
  });
}
