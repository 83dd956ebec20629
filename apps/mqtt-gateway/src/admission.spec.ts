import { describe, expect, it } from 'vitest';
import { TokenBucket } from './admission.ts';

describe('the bucket of connects', () => {
  it('takes the burst at once, then as many as its rate gives, and never saves up more than the burst', () => {
    const bucket = new TokenBucket(10, 5);
    const taken = (now: number): number => {
      let n = 0;
      while (bucket.take(now)) n++;
      return n;
    };
    expect(taken(0)).toBe(5);
    expect(taken(99)).toBe(0);
    expect(taken(1_000)).toBe(5);
    expect(taken(1_200)).toBe(2);
    expect(taken(3_600_000)).toBe(5);
  });
});
