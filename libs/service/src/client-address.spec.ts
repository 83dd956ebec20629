import { expect, test } from 'vitest';
import { clientAddress, trustedBy } from './client-address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:50001', '203.0.113.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['"[2001:db8::7]:443"', '2001:db8::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
])('%s is the address %s', (said, address) => {
  expect(clientAddress(said)).toBe(address);
});

test.each(['', 'unknown', '_hidden', '203.0.113.7:', '203.0.113.300', '[203.0.113.7', 'a\nb'])(
  '%j is no address',
  (said) => {
    expect(clientAddress(said)).toBeUndefined();
  },
);

test('trusts addresses and networks, with a port too, and nothing else', () => {
  const trusts = trustedBy('10.0.0.0/8, 192.0.2.1,2001:db8::/32') as (said: string) => boolean;
  for (const said of ['10.1.2.3', '10.1.2.3:443', '::ffff:10.1.2.3', '192.0.2.1', '[2001:db8::7]:1'])
    expect(trusts(said), said).toBe(true);
  for (const said of ['11.0.0.1', '192.0.2.2', '2001:db9::1', 'unknown', '']) expect(trusts(said), said).toBe(false);
  expect(trustedBy(' , ')).toBe(false);
  for (const wrong of ['10.0.0.0/33', 'proxy', '10.0.0.0/x']) expect(() => trustedBy(wrong), wrong).toThrow();
});
