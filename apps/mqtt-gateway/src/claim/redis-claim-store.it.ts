import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Redis } from '@carillon/service/cache';
import { eventually } from '@carillon/testing';
import { testRedis, type TestRedis } from '@carillon/testing/redis';
import type { ClaimHolder } from './claim-store.ts';
import { claimStoreSuite } from './claim-store.suite.ts';
import { RedisClaimStore } from './redis-claim-store.ts';

let server: TestRedis;
beforeAll(async () => {
  server = await testRedis();
});
afterAll(() => server.stop());

const opened: Redis[] = [];
const connect = async (prefix: string): Promise<Redis> => {
  const redis = await Redis.open({ url: server.url, prefix });
  opened.push(redis);
  return redis;
};
afterEach(async () => {
  for (const redis of opened.splice(0)) await redis.close();
});
const fresh = (): string => `t${randomBytes(6).toString('hex')}`;

claimStoreSuite('Redis', async () => {
  let now = 0;
  const redis = await connect(fresh());
  return {
    store: new RedisClaimStore(redis, { clock: Date, storeTime: () => now }),
    setClock: (ms) => void (now = ms),
    close: async () => {},
  };
});

describe('claims in Redis', () => {
  /** Two processes with a connection each, with what each holds and was notified of. */
  const two = async () => {
    const prefix = fresh();
    const process = async (name: string, ahead = 0) => {
      const redis = await connect(prefix);
      const store = new RedisClaimStore(redis, { clock: { now: () => Date.now() + ahead } });
      const mine = new Map<string, number>();
      const lost: [string, number][] = [];
      const holder: ClaimHolder = {
        loseDevice: (mac, epoch) => {
          lost.push([mac, epoch]);
          if ((mine.get(mac) ?? 0) < epoch) mine.delete(mac);
        },
        highestEpoch: (mac) => mine.get(mac) ?? 0,
        heldDevices: () => [...mine].map(([mac, epoch]) => ({ mac, epoch })),
      };
      await store.join(name, holder);
      return {
        name,
        redis,
        store,
        mine,
        lost,
        take: async (mac: string) => {
          const epoch = await store.claim(mac, name);
          mine.set(mac, epoch);
          return epoch;
        },
      };
    };
    return { a: await process('a'), b: await process('b'), process };
  };
  const ready = () => eventually(() => expect(opened.every((r) => r.ready)).toBe(true), 15_000);
  const away = () => eventually(() => expect(opened.some((r) => r.ready)).toBe(false));

  it('take one call each', async () => {
    const { a } = await two();
    await a.take('first');
    await a.redis.send(['CONFIG', 'RESETSTAT']);
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => a.take(`m${i % 700}`)));
    const stats = await a.redis.send<string>(['INFO', 'commandstats']);
    expect(/cmdstat_evalsha:calls=(\d+),/.exec(stats)![1]).toBe('1000');
    expect(stats).not.toContain('cmdstat_eval:');
  });

  it('continue while Redis is away, above every epoch that this process has seen, and are marked', async () => {
    const { a } = await two();
    const first = await a.take('m1');
    a.mine.set('m1', Date.now() + 60_000);
    await server.kill();
    await away();
    const from = performance.now();
    const epoch = a.store.claim('m1', 'a');
    expect(typeof epoch).toBe('number');
    expect(epoch).toBeGreaterThan(Date.now() + 59_000);
    expect(epoch).toBeGreaterThan(first);
    expect(a.store.claim('m1', 'a')).toBeGreaterThan(epoch as number);
    expect(a.store.claim('m2', 'a')).toBeGreaterThanOrEqual(Date.now() - 1_000);
    expect(performance.now() - from).toBeLessThan(50);
    expect([a.store.alone('m1'), a.store.alone('m3')]).toEqual([true, false]);
    await server.start();
    await ready();
  });

  it('a claim that Redis does not answer is made without it after a quarter of a second', async () => {
    const { a } = await two();
    await server.freeze();
    const from = performance.now();
    const epoch = await a.store.claim('m1', 'a');
    await server.thaw();
    expect(performance.now() - from).toBeLessThan(1_000);
    expect(Math.abs(epoch - Date.now())).toBeLessThan(2_000);
    await ready();
  });

  it('a Redis that comes back empty gets what each process holds, and epochs rise above it', async () => {
    const { a, b } = await two();
    for (let i = 0; i < 450; i++) await a.take(`m${i}`);
    a.mine.set('m7', Date.now() + 3_600_000);
    await server.kill();
    await away();
    await a.take('alone');
    await server.start();
    await ready();
    await eventually(() => expect(a.store.alone('alone')).toBe(false));
    await eventually(async () =>
      expect(await b.redis.send(['GET', `${b.redis.prefix}claim:m449`])).toBe(`${a.mine.get('m449')} a`),
    );
    const high = a.mine.get('m7')!;
    expect(await b.take('m7')).toBe(high + 1);
    await eventually(() => expect(a.lost).toEqual([['m7', high + 1]]));
    await b.take('alone');
    await eventually(() => expect(a.mine.has('alone')).toBe(false));
  });

  it('of two claims made while Redis was away the later one stays, whichever is restored first', async () => {
    const { a, b, process } = await two();
    const c = await process('c', 5_000);
    await server.kill();
    await away();
    await c.take('m1');
    await a.take('m1');
    await b.take('m2');
    await c.take('m2');
    await server.start();
    await ready();
    await eventually(() => {
      expect([a.mine.has('m1'), b.mine.has('m2')]).toEqual([false, false]);
      expect([c.mine.has('m1'), c.mine.has('m2')]).toEqual([true, true]);
    });
    expect(c.lost).toEqual([]);
  });

  it('an emptied Redis does not freeze presence: the next claim is above the last one', async () => {
    const { a, b } = await two();
    const first = await a.take('m1');
    await a.redis.send(['FLUSHALL']);
    await a.redis.send(['SCRIPT', 'FLUSH']);
    expect(await a.take('m1')).toBeGreaterThan(first);
    await a.redis.send(['FLUSHALL']);
    await eventually(() => expect(Date.now()).toBeGreaterThan(a.mine.get('m1')!));
    expect(await b.take('m1')).toBeGreaterThan(a.mine.get('m1')!);
  });
});
