import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { mutate } from './mutation.ts';

it(
  'mutated sessions crash nothing, keep memory bounded and do not affect a healthy device',
  { tags: 'slow' },
  async () => {
    const seed = randomInt(2 ** 31);
    console.log(
      `mutation seed ${seed}; again and longer: node --experimental-transform-types --conditions=carillon-source apps/mqtt-gateway/bench/mutate.ts 30 ${seed}`,
    );
    const result = await mutate(seed, 3);
    expect(result.stats.defects, `seed ${seed}`).toBe(0);
    expect(result.sessions, `seed ${seed}`).toBeGreaterThan(200);
    // The held memory covers gateway and test clients. RSS varies with V8's collections, so its bound only catches a
    // runaway.
    expect(result.held, `seed ${seed}`).toBeLessThan(24 * 1024 * 1024);
    expect(result.growth, `seed ${seed}`).toBeLessThan(200 * 1024 * 1024);
    expect(result.stats, `seed ${seed}`).toMatchObject({
      devices: 1,
      connections: 1,
      halfOpen: 0,
      storing: { messages: 0, bytes: 0, held: 0 },
    });
    expect(Object.keys(result.stats.faults).length, `seed ${seed}`).toBeGreaterThan(10);
  },
);
