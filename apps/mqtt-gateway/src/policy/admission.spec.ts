import { describe, expect, it } from 'vitest';
import { Budget, DeviceRate, TokenBucket } from './admission.ts';

describe('the bucket of connects', () => {
  it('allows the burst at once, then its rate, and never saves more than the burst', () => {
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

describe('the connects of one device', () => {
  it('are allowed as a burst and then at their rate for each device; 1,200 in a row are not', () => {
    const rate = new DeviceRate(12, 10);
    const taken = (mac: string, now: number, times = 1_200): number =>
      Array.from({ length: times }, () => rate.take(mac, now)).filter(Boolean).length;
    expect(taken('a', 1_000)).toBe(10);
    expect(taken('b', 1_000)).toBe(10);
    expect(taken('a', 5_999)).toBe(0);
    expect(taken('a', 6_000)).toBe(1);
    expect(taken('a', 21_000)).toBe(3);
    // Failed attempts cost nothing: the device gets in as soon as it would have without them.
    expect(taken('b', 61_000)).toBe(10);
    expect(taken('a', 3_600_000)).toBe(10);
  });

  it('keeps no entry of a device that connected once', () => {
    const rate = new DeviceRate(12, 10);
    for (let i = 0; i < 1_000; i++) rate.take(`m${i}`, 31_000);
    expect(rate.size).toBe(1_000);
    rate.take('later', 70_000);
    expect(rate.size).toBe(1);
  });
});

describe('the budget of one sender', () => {
  it('allows its burst, then its rate in messages or bytes, whichever is less, per sender', () => {
    const budget = new Budget(10, 1_000, 5);
    const taken = (name: string, bytes: number, now: number): number => {
      let n = 0;
      while (n < 1_000 && budget.take(name, bytes, now)) n++;
      return n;
    };
    expect(taken('small', 10, 1_000)).toBe(50);
    expect(taken('large', 500, 1_000)).toBe(10);
    expect(taken('small', 10, 1_099)).toBe(0);
    expect(taken('small', 10, 2_000)).toBe(10);
    expect(taken('large', 500, 2_000)).toBe(2);
    expect(taken('small', 10, 3_600_000)).toBe(50);
  });
});
