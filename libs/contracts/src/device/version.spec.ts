import { expect, it } from 'vitest';
import { compareVersions } from './version.ts';

it('compares versions by their numbers, and other texts only with themselves', () => {
  const sign = (a: string | null, b: string | null) => {
    const compared = compareVersions(a, b);
    return compared === null ? null : Math.sign(compared);
  };
  expect(sign('2.10', '2.9')).toBe(1);
  expect(sign('2.4', '2.4.0')).toBe(0);
  expect(sign('2.4.0.1', '2.4')).toBe(1);
  expect(sign('1.0.13.46', '1.0.13.64')).toBe(-1);
  expect(sign('2.4-rc1', '2.4')).toBeNull();
  expect(sign('2.4-rc1', '2.4-rc1')).toBe(0);
  expect(sign(null, '2.4')).toBeNull();
  expect(sign(null, null)).toBeNull();
});
