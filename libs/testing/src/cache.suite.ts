import { afterEach, describe, expect, it } from 'vitest';
import type { Cache } from '@carillon/service/cache';
import { eventually } from './eventually.ts';

/** A cache driver under test. */
export interface CacheDriver {
  /**
   * Opens caches of one installation that share their values, like those of several processes; in the memory driver,
   * those of one process.
   */
  open(count: number): Promise<Cache[]>;
}

const minute = 60_000;

/** Tests the contract of every cache driver: see libs/service/src/cache/cache.ts. */
export function cacheSuite(name: string, driver: CacheDriver): void {
  describe(`cache: ${name}`, () => {
    const opened: Cache[] = [];
    const two = async (): Promise<[Cache, Cache]> => {
      const made = await driver.open(2);
      opened.push(...made);
      return made as [Cache, Cache];
    };
    afterEach(async () => {
      for (const cache of opened.splice(0)) await cache.close();
    });

    it('returns to every process what was set, and null otherwise', async () => {
      const [a, b] = await two();
      await a.set('x', 'äöü 你好 "\n\u0000', minute);
      expect(await b.get('x')).toBe('äöü 你好 "\n\u0000');
      expect(await b.get('y')).toBeNull();
      await b.set('x', '', minute);
      expect(await a.get('x')).toBe('');
    });

    it('expires a value after its time and not before; setting it restarts its time', async () => {
      const [a, b] = await two();
      const from = performance.now();
      await a.set('short', '1', 80);
      await a.set('long', '1', minute);
      await a.set('renewed', '1', 80);
      await a.set('renewed', '2', minute);
      await eventually(async () => expect(await b.get('short')).toBeNull());
      // Redis rounds to milliseconds.
      expect(performance.now() - from).toBeGreaterThanOrEqual(79);
      expect(await b.get('long')).toBe('1');
      expect(await b.get('renewed')).toBe('2');
    });

    it('adds only an absent value: one of many parallel calls succeeds', async () => {
      const [a, b] = await two();
      const tries = await Promise.all(
        Array.from({ length: 40 }, (_, i) => (i % 2 ? a : b).add('lease', String(i), minute)),
      );
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect(await a.get('lease')).toBe(String(tries.indexOf(true)));
      await a.set('gone', '1', 50);
      expect(await a.add('gone', '2', minute)).toBe(false);
      await eventually(async () => expect(await b.add('gone', '2', minute)).toBe(true));
      expect(await a.get('gone')).toBe('2');
    });

    it('takes a value once: one of many parallel calls gets it', async () => {
      const [a, b] = await two();
      for (let round = 0; round < 10; round++) {
        await a.set('code', `4711-${round}`, minute);
        const tries = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? a : b).take('code')));
        expect(tries.filter((t) => t !== null)).toEqual([`4711-${round}`]);
      }
      expect(await a.get('code')).toBeNull();
    });

    it('counts increments of every process and expires the sum with the first one', async () => {
      const [a, b] = await two();
      const sums = await Promise.all(Array.from({ length: 100 }, (_, i) => (i % 2 ? a : b).increment('hits', minute)));
      expect([...sums].sort((x, y) => x - y)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
      const from = performance.now();
      expect(await a.increment('window', 300)).toBe(1);
      let before = 1;
      await eventually(async () => {
        const sum = await b.increment('window', minute);
        const ended = sum < before;
        before = sum;
        expect(ended).toBe(true);
      });
      expect(performance.now() - from).toBeGreaterThan(250);
      expect(performance.now() - from).toBeLessThan(5_000);
    });

    it('reads and sets a sum as text', async () => {
      const [a] = await two();
      await a.set('n', '41', minute);
      expect(await a.increment('n', minute)).toBe(42);
      expect(await a.get('n')).toBe('42');
    });

    it('refuses to count a value that is no number, and keeps it', async () => {
      const [a] = await two();
      await a.set('word', 'ding', minute);
      await expect(a.increment('word', minute)).rejects.toThrow();
      expect(await a.get('word')).toBe('ding');
    });

    it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 8 * 86_400_000])(
      'refuses a lifetime of %s ms',
      async (ttl) => {
        const [a] = await two();
        await expect(a.set('k', '1', ttl)).rejects.toThrow(RangeError);
        await expect(a.add('k', '1', ttl)).rejects.toThrow(RangeError);
        await expect(a.increment('k', ttl)).rejects.toThrow(RangeError);
        expect(await a.get('k')).toBeNull();
      },
    );

    it('deletes values, absent ones included', async () => {
      const [a, b] = await two();
      await a.set('x', '1', minute);
      await b.delete('x');
      await b.delete('x');
      expect(await a.get('x')).toBeNull();
    });

    it('keeps 5,000 values apart', async () => {
      const [a, b] = await two();
      const read: (string | null)[] = [];
      // A hundred at a time, so that no call waits long enough for its cache to be considered down.
      const hundreds = Array.from({ length: 50 }, (_, i) => Array.from({ length: 100 }, (__, j) => i * 100 + j));
      for (const some of hundreds) await Promise.all(some.map((i) => a.set(`k:${i}`, `v${i}`, minute)));
      for (const some of hundreds) read.push(...(await Promise.all(some.map((i) => b.get(`k:${i}`)))));
      expect(read).toEqual(Array.from({ length: 5_000 }, (_, i) => `v${i}`));
    });
  });
}
