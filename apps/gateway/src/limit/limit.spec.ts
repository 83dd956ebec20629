import { describe, expect, it } from 'vitest';
import { MemoryCache } from '@carillon/service';
import { networkOf } from '@carillon/service';
import { Limit, type Rule } from './limit.ts';

const many = async (limit: Limit, rule: Rule, who: string, times: number): Promise<number> => {
  let allowed = 0;
  for (let i = 0; i < times; i++) if ((await limit.take(rule, who)).allowed) allowed++;
  return allowed;
};

describe('a limit', () => {
  const few = { name: 'few', perMinute: 20 };
  const lots = { name: 'lots', perMinute: 3_000 };

  it('allows as many calls as it says, and refuses the rest until the minute ends', async () => {
    let now = 600_000;
    const limit = new Limit(new MemoryCache(), () => now);
    expect(await many(limit, few, 'a', 50)).toBe(20);
    expect(await many(limit, few, 'b', 5)).toBe(5);
    expect(await limit.take(few, 'a')).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 60 });
    expect(await limit.take(few, 'b')).toMatchObject({ allowed: true, remaining: 14 });
    now += 45_000;
    expect(await limit.take(few, 'a')).toMatchObject({ allowed: false, resetSeconds: 15 });
    now += 15_000;
    expect(await many(limit, few, 'a', 50)).toBe(20);
  });

  it('is shared by all processes: exact for few calls, up to one part per process for many', async () => {
    const cache = new MemoryCache();
    const processes = Array.from({ length: 3 }, () => new Limit(cache, () => 600_000));
    let allowed = 0;
    for (let i = 0; i < 60; i++) if ((await processes[i % 3]!.take(few, 'a')).allowed) allowed++;
    expect(allowed).toBe(20);
    allowed = 0;
    for (let i = 0; i < 9_000; i++) if ((await processes[i % 3]!.take(lots, 'a')).allowed) allowed++;
    expect(allowed).toBeGreaterThan(2_800);
    expect(allowed).toBeLessThan(3_200);
  });

  it('asks the cache for a fiftieth of many calls, and never after it is exceeded', async () => {
    const cache = new MemoryCache();
    let asked = 0;
    const counting = Object.assign(Object.create(cache) as MemoryCache, {
      increment: (key: string, ttl: number) => {
        asked++;
        return cache.increment(key, ttl);
      },
    });
    const limit = new Limit(counting, () => 600_000);
    await many(limit, lots, 'a', 3_000);
    expect(asked).toBe(50);
    await many(limit, lots, 'a', 20_000);
    expect(asked).toBeLessThanOrEqual(52);
  });

  it('forgets the oldest caller when there are very many, so that memory stays bounded', async () => {
    const limit = new Limit(new MemoryCache({ entries: 10 }), () => 600_000);
    for (let i = 0; i < 30_000; i++) await limit.take(few, `a${i}`);
    expect((limit as unknown as { counts: Map<string, unknown> }).counts.size).toBe(20_000);
  });
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
