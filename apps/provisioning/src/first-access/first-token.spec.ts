import { expect, it } from 'vitest';
import { firstToken, isFirstShape, isFirstToken } from './first-token.ts';

const key = Buffer.alloc(32, 7);
const day = 86_400_000;
const now = 20_000 * day;
const token = firstToken(key, '0c383e000001', '192.0.2.1', now);

it('a token of a first access counts for its MAC and network, for one to two days [EDGE-02/first token]', () => {
  const counts = (mac: string, address: string, at: number, by = key) => isFirstToken(by, token, mac, address, at);
  expect(counts('0c383e000001', '192.0.2.1', now)).toBe(true);
  expect(counts('0c383e000001', '192.0.2.1', now + 2 * day - 1)).toBe(true);
  expect(counts('0c383e000001', '192.0.2.1', now + 2 * day)).toBe(false);
  expect(counts('0c383e000001', '192.0.2.1', now - 1)).toBe(false);
  expect(counts('0c383e000002', '192.0.2.1', now)).toBe(false);
  expect(counts('0c383e000001', '192.0.2.2', now)).toBe(false);
  expect(counts('0c383e000001', '192.0.2.1', now, Buffer.alloc(32, 8))).toBe(false);
});

it('an IPv6 phone may change its address within its own network', () => {
  const made = firstToken(key, '0c383e000001', '2001:db8:1:2::a', now);
  expect(isFirstToken(key, made, '0c383e000001', '2001:db8:1:2:ffff::b', now)).toBe(true);
  expect(isFirstToken(key, made, '0c383e000001', '2001:db8:1:3::a', now)).toBe(false);
});

it('only a token of a first access has its shape', () => {
  expect(isFirstShape(token)).toBe(true);
  expect(isFirstShape(`${token}A`)).toBe(false);
  expect(isFirstShape('A'.repeat(130))).toBe(false);
  expect(isFirstShape(`${token.slice(0, -1)}!`)).toBe(false);
});
