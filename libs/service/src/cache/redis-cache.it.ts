import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '@carillon/testing';
import { cacheSuite } from '@carillon/testing/cache';
import { testRedis, type TestRedis } from '@carillon/testing/redis';
import { Redis } from './redis.ts';
import { RedisCache } from './redis-cache.ts';

let server: TestRedis;
beforeAll(async () => {
  server = await testRedis();
});
afterAll(() => server.stop());

const opened: Redis[] = [];
const said: string[] = [];
const log = {
  info: (_: object, text: string) => void said.push(text),
  warn: (_: object, text: string) => void said.push(text),
};
const connect = async (prefix: string): Promise<Redis> => {
  const redis = await Redis.open({ url: server.url, prefix, log });
  opened.push(redis);
  return redis;
};
afterEach(async () => {
  for (const redis of opened.splice(0)) await redis.close();
  said.length = 0;
});
const fresh = (): string => `t${randomBytes(6).toString('hex')}`;

cacheSuite('Redis', {
  async open(count) {
    const prefix = fresh();
    return Promise.all(Array.from({ length: count }, async () => RedisCache.open(await connect(prefix))));
  },
});

describe('the cache in Redis', () => {
  const minute = 60_000;
  let a: RedisCache;
  let b: RedisCache;
  let redis: Redis;
  beforeEach(async () => {
    const prefix = fresh();
    redis = await connect(prefix);
    a = await RedisCache.open(redis);
    b = await RedisCache.open(await connect(prefix));
  });
  const away = () => eventually(() => expect(opened.some((r) => r.ready)).toBe(false));
  const back = () => eventually(() => expect(opened.every((r) => r.ready)).toBe(true), 15_000);

  it('separates installations that share a Redis', async () => {
    const other = await RedisCache.open(await connect(fresh()));
    await a.set('x', 'mine', minute);
    expect(await other.get('x')).toBeNull();
    await other.delete('x');
    expect(await a.get('x')).toBe('mine');
  });

  it('every value that it writes expires', async () => {
    await a.set('s', '1', minute);
    await a.add('a', '1', minute);
    await a.increment('i', minute);
    await a.increment('i', minute);
    const keys = await redis.send<string[]>(['KEYS', `${redis.prefix}*`]);
    expect(keys).toHaveLength(3);
    for (const key of keys) expect(await redis.send<number>(['PTTL', key])).toBeGreaterThan(minute - 5_000);
  });

  it('works with a Redis that was emptied, including its scripts', async () => {
    await a.set('x', '1', minute);
    await a.increment('n', minute);
    await redis.send(['FLUSHALL']);
    await redis.send(['SCRIPT', 'FLUSH']);
    expect(await b.get('x')).toBeNull();
    expect(await b.increment('n', minute)).toBe(1);
    expect(await a.add('x', '2', minute)).toBe(true);
  });

  it('without Redis no call fails or waits, and the processes share again when it is back', async () => {
    await a.set('before', 'old', minute);
    await server.kill();
    await away();
    const from = performance.now();
    expect(await a.get('before')).toBeNull();
    await a.set('x', 'of a', minute);
    expect(await a.get('x')).toBe('of a');
    expect(await b.get('x')).toBeNull();
    expect([await a.increment('n', minute), await a.increment('n', minute), await b.increment('n', minute)]).toEqual([
      1, 2, 1,
    ]);
    expect([await a.add('l', '1', minute), await a.add('l', '1', minute)]).toEqual([true, false]);
    expect([await a.take('x'), await a.take('x')]).toEqual(['of a', null]);
    await a.delete('l');
    await expect(a.set('x', '1', 0)).rejects.toThrow(RangeError);
    // Would take longer if each of the ten calls waited.
    expect(performance.now() - from).toBeLessThan(2_000);
    await server.start();
    await back();
    await a.set('after', '1', minute);
    expect(await b.get('after')).toBe('1');
    expect(await a.increment('n', minute)).toBe(1);
    expect(said.filter((s) => s === 'Redis is back')).toHaveLength(2);
  });

  it('a hung Redis delays pending calls by a quarter of a second, and no old value returns with it', async () => {
    for (const key of ['set', 'deleted', 'taken', 'kept']) await a.set(key, 'old', minute);
    await server.freeze();
    const from = performance.now();
    await Promise.all([
      a.set('set', 'new', minute),
      a.delete('deleted'),
      ...Array.from({ length: 100 }, (_, i) => a.get(`k${i}`)),
    ]);
    const first = performance.now() - from;
    expect(first).toBeGreaterThan(200);
    // One quarter of a second after the other would take 25 s, and likewise below.
    expect(first).toBeLessThan(10_000);
    expect(await a.take('taken')).toBeNull();
    const later = performance.now();
    for (let i = 0; i < 100; i++) await a.increment('n', minute);
    expect(performance.now() - later).toBeLessThan(10_000);
    expect(await a.get('n')).toBe('100');
    // Longer than its own connect timeout, so that a connection that Redis merely accepts does not count.
    await new Promise((resolve) => {
      setTimeout(resolve, 2_500);
    });
    expect(redis.ready).toBe(false);
    await server.thaw();
    await back();
    expect([await b.get('set'), await b.get('deleted'), await b.get('taken')]).toEqual([null, null, null]);
    expect(await b.get('kept')).toBe('old');
    expect(await b.increment('n', minute)).toBe(1);
  });

  it('a value is taken once, also when Redis hangs and resumes between setting and taking it', async () => {
    for (let round = 0; round < 5; round++) {
      const got: (string | null)[] = [];
      await server.freeze();
      const setting = a.set('code', `c${round}`, minute);
      if (round % 2 === 0) got.push(await a.take('code'));
      await setting;
      got.push(await a.take('code'));
      await a.set('code2', 'x', minute);
      const second = [await a.take('code2'), await b.take('code2')];
      await server.thaw();
      await back();
      got.push(await a.take('code'), await b.take('code'), await a.take('code'));
      second.push(await b.take('code2'), await a.take('code2'));
      expect(got.filter((v) => v !== null).length).toBeLessThanOrEqual(1);
      expect(second.filter((v) => v !== null).length).toBeLessThanOrEqual(1);
      await a.set('code', 'again', minute);
      expect(await b.take('code')).toBe('again');
    }
  });

  it(
    'without Redis for 30 s under load no call fails or waits, and the processes share again afterwards',
    { tags: 'slow' },
    async () => {
      let worst = 0;
      let calls = 0;
      let running = true;
      const load = async (cache: RedisCache): Promise<void> => {
        while (running) {
          const from = performance.now();
          await Promise.all([
            cache.increment('n', minute),
            cache.set('x', '1', minute),
            cache.get('x'),
            cache.add('l', '1', minute),
            cache.take('t'),
            cache.delete('d'),
          ]);
          calls += 6;
          worst = Math.max(worst, performance.now() - from);
          await new Promise((resolve) => {
            setTimeout(resolve, 5);
          });
        }
      };
      const both = [load(a), load(b)];
      await server.kill();
      await new Promise((resolve) => {
        setTimeout(resolve, 30_000);
      });
      await server.start();
      await back();
      running = false;
      await Promise.all(both);
      await a.set('shared', '1', minute);
      expect(await b.get('shared')).toBe('1');
      expect(worst).toBeLessThan(15_000);
      expect(calls).toBeGreaterThan(500);
    },
  );

  it('a full Redis counts as unavailable for that write, and does not keep the older value', async () => {
    await a.set('x', 'old', minute);
    await redis.send(['CONFIG', 'SET', 'maxmemory', '1', 'maxmemory-policy', 'noeviction']);
    try {
      await a.set('x', 'new', minute);
      expect(await b.get('x')).toBeNull();
      expect(await a.increment('n', minute)).toBe(1);
      expect(redis.ready).toBe(true);
    } finally {
      await redis.send(['CONFIG', 'SET', 'maxmemory', '268435456', 'maxmemory-policy', 'volatile-lru']);
    }
  });

  it('leaves a Redis that became a replica until one accepts writes', async () => {
    const operator = await connect(fresh());
    await operator.send(['REPLICAOF', '127.0.0.1', '1']);
    await a.set('x', '1', minute);
    expect(redis.ready).toBe(false);
    await a.set('x', '2', minute);
    expect(await a.get('x')).toBe('2');
    await operator.send(['REPLICAOF', 'NO', 'ONE']);
    await back();
    await a.set('y', '1', minute);
    expect(await b.get('y')).toBe('1');
  });

  it('a process starts without Redis, and uses it once it is available', async () => {
    await server.kill();
    const from = performance.now();
    const late = await RedisCache.open(await connect(fresh()));
    expect(performance.now() - from).toBeLessThan(3_000);
    await late.set('x', '1', minute);
    expect(await late.get('x')).toBe('1');
    await server.start();
    await back();
    await late.set('y', '2', minute);
    expect(await late.get('y')).toBe('2');
    expect(await opened.at(-1)!.send(['GET', `${opened.at(-1)!.prefix}cache:y`])).toBe('2');
  });
});
