import { afterEach, describe, expect, it } from 'vitest';
import type { Cache } from '@carillon/service/cache';
import { eventually } from './eventually.ts';

/** What a driver brings to be judged. */
export interface CacheDriver {
  /**
   * Caches of one installation that share their values, as those of several processes; of one process in the memory
   * driver.
   */
  open(count: number): Promise<Cache[]>;
}

const minute = 60_000;

/** What every driver of the cache promises: see libs/service/src/cache/cache.ts. */
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

    it('gives back what was set, to every process, and null for what was not', async () => {
      const [a, b] = await two();
      await a.set('x', 'äöü 你好 "\n\u0000', minute);
      expect(await b.get('x')).toBe('äöü 你好 "\n\u0000');
      expect(await b.get('y')).toBeNull();
      await b.set('x', '', minute);
      expect(await a.get('x')).toBe('');
    });

    it('ends a value after its time, and not before; setting it again begins its time anew', async () => {
      const [a, b] = await two();
      await a.set('short', '1', 80);
      await a.set('long', '1', minute);
      await a.set('renewed', '1', 80);
      await a.set('renewed', '2', minute);
      const from = performance.now();
      await eventually(async () => expect(await b.get('short')).toBeNull());
      expect(performance.now() - from).toBeGreaterThan(60);
      expect(await b.get('long')).toBe('1');
      expect(await b.get('renewed')).toBe('2');
    });

    it('adds only what is absent: of many at once one succeeds', async () => {
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

    it('takes a value once: of many at once one gets it', async () => {
      const [a, b] = await two();
      for (let round = 0; round < 10; round++) {
        await a.set('code', `4711-${round}`, minute);
        const tries = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? a : b).take('code')));
        expect(tries.filter((t) => t !== null)).toEqual([`4711-${round}`]);
      }
      expect(await a.get('code')).toBeNull();
    });

    it('counts every increment of every process, and ends the sum with the time of the first', async () => {
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

    it('a sum is read and set as text', async () => {
      const [a] = await two();
      await a.set('n', '41', minute);
      expect(await a.increment('n', minute)).toBe(42);
      expect(await a.get('n')).toBe('42');
    });

    it('refuses to count what is no number, and keeps it', async () => {
      const [a] = await two();
      await a.set('word', 'ding', minute);
      await expect(a.increment('word', minute)).rejects.toThrow();
      expect(await a.get('word')).toBe('ding');
    });

    it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 8 * 86_400_000])(
      'refuses the life of %s ms, whatever is asked',
      async (ttl) => {
        const [a] = await two();
        await expect(a.set('k', '1', ttl)).rejects.toThrow(RangeError);
        await expect(a.add('k', '1', ttl)).rejects.toThrow(RangeError);
        await expect(a.increment('k', ttl)).rejects.toThrow(RangeError);
        expect(await a.get('k')).toBeNull();
      },
    );

    it('deletes, also what is not there', async () => {
      const [a, b] = await two();
      await a.set('x', '1', minute);
      await b.delete('x');
      await b.delete('x');
      expect(await a.get('x')).toBeNull();
    });

    it('keeps 5,000 values apart', async () => {
      const [a, b] = await two();
      const read: (string | null)[] = [];
      // A hundred at a time: no call may wait so long behind the others that its cache is taken for one that is away.
      const hundreds = Array.from({ length: 50 }, (_, i) => Array.from({ length: 100 }, (__, j) => i * 100 + j));
      for (const some of hundreds) await Promise.all(some.map((i) => a.set(`k:${i}`, `v${i}`, minute)));
      for (const some of hundreds) read.push(...(await Promise.all(some.map((i) => b.get(`k:${i}`)))));
      expect(read).toEqual(Array.from({ length: 5_000 }, (_, i) => `v${i}`));
    });
  });
}
