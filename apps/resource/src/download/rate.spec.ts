import { expect, test } from 'vitest';
import { blockBytes } from './blocks.ts';
import { longestMs, OwnBytes, type Wanted } from './own-bytes.ts';
import { Rate, type Share, type SiteLimit } from './rate.ts';

/** Returns a source that gives what the test says, when it says so. */
function source() {
  const asked: { wanted: readonly Wanted[]; answer(bytes: number[]): void }[] = [];
  let isOver = false;
  const shares = (wanted: readonly Wanted[]): Promise<number[]> =>
    isOver
      ? Promise.resolve(wanted.map(() => 0))
      : new Promise((answer) => {
          asked.push({ wanted, answer });
        });
  return {
    /** Gives nothing from now on. */
    end(rate: Rate): Promise<void> {
      isOver = true;
      for (const { wanted, answer } of asked) answer(wanted.map(() => 0));
      return rate.close();
    },
    bytes: { everyMs: 1, lease: shares, close: () => Promise.resolve() },
    /** Answers the next request, by the key of each limit, and returns it. */
    async deal(bytes: Record<string, number>): Promise<Record<string, Wanted>> {
      await expect.poll(() => asked.length, { interval: 1 }).toBeGreaterThan(0);
      const { wanted, answer } = asked.shift()!;
      answer(wanted.map(({ key }) => bytes[key] ?? 0));
      await new Promise((dealt) => {
        setImmediate(dealt);
      });
      return Object.fromEntries(wanted.map((one) => [one.key, one]));
    },
  };
}
/** Takes blocks one after the other, and records each. */
function loads(share: Share, who: string, served: string[], used?: number): void {
  share.take((most) => {
    served.push(who);
    queueMicrotask(() => loads(share, who, served, used));
    return used ?? most;
  });
}

test('serves waiting downloads in turn, a new one soon, and one that has ended not at all', async () => {
  const { bytes, deal, end } = source();
  const rate = new Rate(bytes, 8);
  const served: string[] = [];
  for (const who of ['a', 'b', 'c']) loads(rate.join(undefined), who, served, 1_000);
  const gone = rate.join(undefined);
  gone.take(() => 0);
  await deal({ all: 3_000 });
  expect(served.join('')).toBe('abc');
  await deal({ all: 4_000 });
  expect(served.join('')).toBe('abcabca');
  loads(rate.join(undefined), 'n', served, 1_000);
  await deal({ all: 3_000 });
  expect(served.join('').slice(7)).toBe('nbc');
  const left = rate.join(undefined);
  loads(left, 'x', served, 1_000);
  left.leave();
  await deal({ all: 4_000 });
  expect(served.join('').slice(10)).toBe('anbc');
  await end(rate);
});

test('keeps the limits of site and installation, and an exhausted site blocks no other', async () => {
  const { bytes, deal, end } = source();
  const rate = new Rate(bytes, 80);
  const [near, far]: SiteLimit[] = [
    { siteId: 'near', mbit: 8 },
    { siteId: 'far', mbit: 8 },
  ];
  const served: string[] = [];
  for (const [limit, who] of [
    [near, 'a'],
    [near, 'b'],
    [far, 'c'],
    [undefined, 'd'],
  ] as const)
    loads(rate.join(limit), who, served, 1_000);
  await deal({});
  // Only a download without a site waits at the installation's limit: the others wait at theirs.
  const { all } = await deal({ 'site:near': 1_000, all: 3_000 });
  expect(all).toMatchObject({ perMs: 10_000, downloads: 1 });
  expect(served.join('')).toBe('add');
  await deal({ 'site:far': 5_000, 'site:near': 1_000, all: 1_000 });
  expect(served.join('')).toBe('addb');
  const asked = await deal({ all: 2_000, 'site:near': 5_000 });
  expect(asked['site:far']).toBeUndefined();
  expect(served.toSorted().join('')).toMatch(/^a+b+c+d+$/);
  await end(rate);
});

test('gives many waiting downloads small parts, so that a round ends; without limits nobody waits', async () => {
  const { bytes, deal, end } = source();
  const rate = new Rate(bytes, 1);
  const parts: number[] = [];
  for (let i = 0; i < 500; i++)
    rate.join(undefined).take((most) => {
      parts.push(most);
      return most;
    });
  await deal({ all: 1_000_000 });
  // A megabit is 125,000 bytes per second, and a round is five seconds.
  expect(parts).toEqual(Array.from({ length: 500 }, () => 1_250));
  await end(rate);

  const free = new Rate({ ...bytes, lease: () => Promise.reject(new Error('asked')) }, 0);
  const share = free.join(undefined);
  for (let i = 0; i < 1_000; i++)
    share.take((most) => {
      parts.push(most);
      return most;
    });
  expect(parts.slice(500)).toEqual(Array.from({ length: 1_000 }, () => blockBytes));
});

test('a device that changes its site, or whose site changes its limit, continues with the new limit', async () => {
  const { bytes, deal, end } = source();
  const rate = new Rate(bytes, 0);
  const served: string[] = [];
  const share = rate.join({ siteId: 'near', mbit: 8 });
  loads(share, 'a', served, 1_000);
  share.move({ siteId: 'near', mbit: 16 });
  await deal({});
  expect((await deal({ 'site:near': 1_000 }))['site:near']!.perMs).toBe(2_000);
  expect(served).toEqual(['a']);
  share.move({ siteId: 'far', mbit: 1 });
  await deal({});
  expect(await deal({ 'site:far': 1_000 })).toMatchObject({ 'site:far': { perMs: 125 } });
  expect(served).toEqual(['a', 'a']);
  // Without a limit it no longer waits.
  let more = 3;
  share.leave();
  const other = rate.join({ siteId: 'far', mbit: 1 });
  const next = (): void =>
    other.take(() => {
      served.push('b');
      if (--more > 0) next();
      return 1_000;
    });
  next();
  other.move(undefined);
  await deal({});
  expect(served).toEqual(['a', 'a', 'b', 'b', 'b']);
  await end(rate);
});

test("a process's clock gives no more than the limit, and no burst after a pause", async () => {
  let now = 1_000;
  const own = new OwnBytes(() => now);
  const lease = async (bytes = 1_000_000): Promise<number> =>
    (await own.lease([{ key: 'all', perMs: 100, downloads: 1, bytes }]))[0]!;
  let got = await lease();
  const began = now;
  for (let i = 0; i < 100; i++) {
    now += 7;
    got += await lease();
  }
  expect(got).toBe((now - began + own.everyMs) * 100);
  now += 7;
  expect(await lease(10)).toBe(10);
  now += 60_000;
  expect(await lease()).toBeLessThanOrEqual(longestMs * 100);
});
