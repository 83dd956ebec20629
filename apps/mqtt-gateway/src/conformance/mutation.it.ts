import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { mutate } from './mutation.ts';

it('mutated sessions crash nothing, keep memory bounded and leave a healthy device untouched', async () => {
  const seed = randomInt(2 ** 31);
  console.log(
    `mutation seed ${seed}; again and longer: node --experimental-transform-types --conditions=carillon-source apps/mqtt-gateway/bench/mutate.ts 30 ${seed}`,
  );
  const result = await mutate(seed, 3);
  expect(result.stats.defects, `seed ${seed}`).toBe(0);
  expect(result.sessions, `seed ${seed}`).toBeGreaterThan(200);
  // What is held, gateway and test clients together; the set size beside it moves with V8's mood, and is held to what a
  // runaway would pass at once.
  expect(result.held, `seed ${seed}`).toBeLessThan(24 * 1024 * 1024);
  expect(result.growth, `seed ${seed}`).toBeLessThan(200 * 1024 * 1024);
  expect(result.stats, `seed ${seed}`).toMatchObject({
    devices: 1,
    connections: 1,
    halfOpen: 0,
    storing: { messages: 0, bytes: 0, held: 0 },
  });
  expect(Object.keys(result.stats.faults).length, `seed ${seed}`).toBeGreaterThan(10);
});
