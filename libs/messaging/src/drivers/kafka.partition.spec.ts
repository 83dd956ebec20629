import { murmur2 as theirs } from '@platformatic/kafka';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { murmur2, partitionOf } from './kafka.partition.ts';

describe('partition of a key over Kafka', () => {
  it("equals that of Kafka's own clients", () => {
    // From Kafka's UtilsTest.
    for (const [key, hash] of [
      ['21', -973932308],
      ['foobar', -790332482],
      ['a-little-bit-long-string', -985981536],
      ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ] as const)
      expect(murmur2(Buffer.from(key))).toBe(hash);
    fc.assert(
      fc.property(fc.string(), (key) => {
        expect(murmur2(Buffer.from(key)) | 0).toBe(theirs(Buffer.from(key)) | 0);
      }),
    );
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 64 }), (key, n) => {
        expect(partitionOf(key, n)).toBeGreaterThanOrEqual(0);
        expect(partitionOf(key, n)).toBeLessThan(n);
      }),
    );
  });
});
