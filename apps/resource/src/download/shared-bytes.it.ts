import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Redis } from '@carillon/service';
import { eventually } from '@carillon/testing';
import { testRedis, type TestRedis } from '@carillon/testing/redis';
import { SharedBytes } from './shared-bytes.ts';

let server: TestRedis;
beforeAll(async () => {
  server = await testRedis();
});
afterAll(() => server.stop());
const opened: Redis[] = [];
afterEach(async () => {
  for (const redis of opened.splice(0)) await redis.close();
});

/** Creates processes of one installation. */
async function processes(count: number): Promise<SharedBytes[]> {
  const prefix = `t${randomBytes(6).toString('hex')}`;
  return Promise.all(
    Array.from({ length: count }, async () => {
      const redis = await Redis.open({ url: server.url, prefix });
      opened.push(redis);
      return new SharedBytes(redis);
    }),
  );
}
const perMs = 1_000;
const much = 1_000_000;
const group = (downloads: number, bytes = much, key = 'all') => ({ key, perMs, downloads, bytes });

test('distributes a limit by the number of downloads, passes on unused parts, and never exceeds it', async () => {
  const [one, other] = (await processes(2)) as [SharedBytes, SharedBytes];
  const began = performance.now();
  const sum = [0, 0];
  const rounds = async (times: number, wants: [number, number], bytes: [number, number] = [much, much]) => {
    sum.fill(0);
    for (let i = 0; i < times; i++) {
      // The first asks twice as often, without getting more.
      sum[0]! += (await one.lease([group(wants[0], bytes[0])]))[0]!;
      sum[0]! += (await one.lease([group(wants[0], bytes[0])]))[0]!;
      sum[1]! += (await other.lease([group(wants[1], bytes[1])]))[0]!;
    }
    return sum[0]! / sum[1]!;
  };
  await rounds(5, [1, 1]);
  let all = sum[0]! + sum[1]!;
  expect(await rounds(400, [1, 1])).toBeCloseTo(1, 1);
  all += sum[0]! + sum[1]!;
  expect(await rounds(400, [1, 3])).toBeCloseTo(1 / 3, 1);
  all += sum[0]! + sum[1]!;
  // The first wants one byte at a time; its earlier share is taken first.
  all += (await one.lease([group(1, 1)]))[0]!;
  await rounds(400, [100, 1], [1, much]);
  all += sum[0]! + sum[1]!;
  expect(sum[0]).toBeLessThanOrEqual(800);
  // Its unused share goes to the other.
  expect(sum[1]! / (sum[0]! + sum[1]!)).toBeGreaterThan(0.9);
  // A tenth of a second is available from the start.
  expect(all).toBeLessThanOrEqual((performance.now() - began + 100) * perMs);
  expect(all).toBeGreaterThan(0.5 * (performance.now() - began) * perMs);
});

test('limits are requested together and counted separately, and an unused one accumulates nothing', async () => {
  const [one] = (await processes(1)) as [SharedBytes];
  const began = performance.now();
  let [near, far] = [0, 0];
  for (let i = 0; i < 200; i++) {
    const got = await one.lease([group(1, much, 'site:near'), group(1, 500, 'site:far')]);
    near += got[0]!;
    far += got[1]!;
  }
  const ms = performance.now() - began + 100;
  for (const sum of [near, far]) expect(sum).toBeLessThanOrEqual(ms * perMs);
  await new Promise((later) => {
    setTimeout(later, 600);
  });
  expect((await one.lease([group(1, much, 'site:near')]))[0]).toBeLessThanOrEqual(300 * perMs);
});

test('without Redis each process keeps its share, and with an empty one they share again', async () => {
  const all = await processes(2);
  for (let i = 0; i < 2; i++) for (const one of all) await one.lease([]);
  const measured = async (ms: number): Promise<{ sums: number[]; ms: number }> => {
    const sums = all.map(() => 0);
    const began = performance.now();
    while (performance.now() - began < ms)
      for (const [i, one] of all.entries()) sums[i]! += (await one.lease([group(1)]))[0]!;
    return { sums, ms: performance.now() - began };
  };
  await server.kill();
  await eventually(() => expect(opened.some((redis) => redis.ready)).toBe(false));
  const away = await measured(500);
  for (const sum of away.sums) {
    expect(sum).toBeGreaterThan(0.25 * away.ms * perMs);
    expect(sum).toBeLessThanOrEqual(0.5 * (away.ms + 250) * perMs);
  }
  await server.start();
  await eventually(() => expect(opened.every((redis) => redis.ready)).toBe(true), 15_000);
  const back = await measured(500);
  expect(back.sums[0]! + back.sums[1]!).toBeLessThanOrEqual((back.ms + 350) * perMs);
  expect(Math.min(...back.sums)).toBeGreaterThan(0.2 * back.ms * perMs);
});
