import { expect, it } from 'vitest';
import type { BusRecord } from '@carillon/messaging';
import { eventually, gate, Journal, sequenceOf } from './bus.journal.ts';
import { out, state, topic, type BusPlace } from './bus.place.ts';

/** Tests the feeds of which each process gets every record, and compacted topics. */
export function testFanout(place: BusPlace): void {
  it('gives each process a fan-out feed from the start: all stored records, then new ones', async () => {
    const second = await place.another();
    await place.bus.publish(sequenceOf(700).map((v) => out('k', v)));
    const feeds = [new Journal(), new Journal()];
    const consumers = await Promise.all(
      [place.bus, second].map((b, i) =>
        b.fanout({ topics: [topic], from: 'start', handle: ({ records }) => feeds[i]!.add(records) }),
      ),
    );
    await Promise.all(consumers.map((c) => c.caughtUp));
    expect(feeds.map((f) => f.records.length)).toEqual([700, 700]);
    await place.bus.publish([out('k', '700')]);
    await eventually('both have it', () => feeds.every((f) => f.records.length === 701));
    for (const f of feeds) expect(f.valuesOf('k')).toEqual(sequenceOf(701));
  });

  it('gives a fan-out feed from the end exactly the records published after it opened', async () => {
    await place.bus.publish([out('k', 'before')]);
    const feed = new Journal();
    const consumer = await place.bus.fanout({
      topics: [topic],
      from: 'end',
      handle: ({ records }) => feed.add(records),
    });
    await consumer.caughtUp;
    await place.bus.publish([out('k', 'after')]);
    await eventually('it came', () => feed.records.length > 0);
    expect(feed.valuesOf('k')).toEqual(['after']);
  });

  it('reports how fresh a fan-out feed is, and stops confirming while a handler is behind', async () => {
    const hang = gate();
    const consumer = await place.bus.fanout({ topics: [topic], from: 'start', handle: () => hang.opened });
    await consumer.caughtUp;
    await eventually('confirmed', () => Date.now() - consumer.confirmedAt() < 2_000);
    await place.bus.publish([out('k', '0')]);
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
    const consumer = await place.bus.fanout({
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
    await place.bus.publish([out('k', '0')]);
    await eventually('it failed', () => !fail);
    await place.bus.publish([out('k', '1')]);
    await eventually('the next came', () => feed.records.length === 1);
    expect(feed.valuesOf('k')).toEqual(['1']);
    await consumer.close();
  });

  it('keeps the last record of each key of a compacted topic in order and drops ended keys', async () => {
    for (let n = 0; n < 30; n += 1)
      await place.bus.publish(Array.from({ length: 50 }, (_, k) => out(`k${k}`, String(n), state)));
    await place.bus.publish([out('k7', null, state), out('k8', null, state)]);
    await place.driver.compact(place.bus);
    const feed = new Journal();
    const consumer = await place.bus.fanout({
      topics: [state],
      from: 'start',
      handle: ({ records }) => feed.add(records),
    });
    await consumer.caughtUp;
    expect(feed.records.length).toBe(48);
    expect(new Set(feed.records.map((r) => r.value))).toEqual(new Set(['29']));
    expect(feed.records.some((r) => r.key === 'k7' || r.key === 'k8')).toBe(false);
    await place.bus.publish([out('k7', 'again', state)]);
    await eventually('a key comes back', () => feed.valuesOf('k7').length === 1);
  });

  it('gives a tombstone to followers as null', async () => {
    const journal = new Journal();
    await place.bus.group({ group: 'g', topics: [state], handle: async ({ records }) => journal.add(records) });
    await place.bus.publish([out('k', '1', state), out('k', null, state)]);
    await eventually('both came', () => journal.records.length === 2);
    expect(journal.valuesOf('k')).toEqual(['1', null]);
  });

  it('lets a group that was away during a compaction continue to the end', async () => {
    const journal = new Journal();
    const handle = async ({ records }: { records: readonly BusRecord[] }): Promise<void> => {
      journal.add(records);
    };
    const before = await place.bus.group({ group: 'g', topics: [state], handle });
    await place.bus.publish([out('a', '0', state)]);
    await eventually('first came', () => journal.records.length === 1);
    await before.close();
    for (let n = 1; n < 100; n += 1) await place.bus.publish([out('a', String(n), state), out('b', String(n), state)]);
    await place.driver.compact(place.bus);
    const late = await place.another(); // has nothing in memory
    await late.group({ group: 'g', topics: [state], handle });
    await late.publish([out('a', 'end', state)]);
    await eventually(
      'both ends came',
      () => journal.valuesOf('a').at(-1) === 'end' && journal.valuesOf('b').at(-1) === '99',
    );
    await eventually('no lag', async () => (await late.lag()).every((l) => l.lag === 0));
  });
}
