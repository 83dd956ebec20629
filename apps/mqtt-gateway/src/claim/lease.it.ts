import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PostgresBus } from '@carillon/messaging';
import { Redis } from '@carillon/service/cache';
import { eventually, testBus } from '@carillon/testing';
import { testRedis, type TestRedis } from '@carillon/testing/redis';
import { Lease } from './lease.ts';

let server: TestRedis;
let bus: PostgresBus;
let redis: Redis;
beforeAll(async () => {
  [server, bus] = await Promise.all([testRedis(), testBus('lease_bus')]);
  redis = await Redis.open({ url: server.url, prefix: `t${randomBytes(6).toString('hex')}` });
});
afterAll(async () => {
  await redis?.close();
  await bus?.close();
  await server?.stop();
});

it('a process whose clock is too far behind Redis gets no lease until its clock is right again', async () => {
  let off = 0;
  const clock = { now: () => Date.now() + off };
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const gateway = { id: 'a#1', handleLapse: () => undefined };
  const lease = new Lease(redis, bus, clock, { name: 'a', era: 0, leaseSeconds: 1 }, log as never, gateway);
  await lease.start();
  try {
    expect(lease.confirmed()).toBe(true);
    for (const [ms, is] of [
      [-3_000, false],
      [0, true],
      [-60_000, false],
      [-1_000, true],
      [60_000, true],
    ] as const) {
      off = ms;
      await eventually(() => expect([ms, lease.confirmed()]).toEqual([ms, is]));
    }
  } finally {
    await lease.stop();
  }
});
