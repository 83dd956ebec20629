import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { md5 } from './md5.ts';

it('returns the test values of RFC 1321', () => {
  expect(md5('')).toBe('d41d8cd98f00b204e9800998ecf8427e');
  expect(md5('message digest')).toBe('f96b697d7cb7938d525a2f31aaf161d0');
  expect(md5('12345678901234567890123456789012345678901234567890123456789012345678901234567890')).toBe(
    '57edf4a22be3c955ac49da2e2107b67a',
  );
});

it('agrees with another implementation at every length around a block, in several scripts', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'aß界🔔'
      .repeat(60)
      .slice(0, length)
      .replace(/[\ud800-\udbff]$/, '');
    expect(md5(text)).toBe(createHash('md5').update(text).digest('hex'));
  }
});
