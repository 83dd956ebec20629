import { expect, test } from 'vitest';
import { segmentsOf } from './site.segment.ts';

test.each([
  ['::ffff:192.168.7.0/120', '192.168.7.0/24'],
  ['::FFFF:c0a8:700/120', '192.168.7.0/24'],
  ['0:0:0:0:0:ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['192.168.7.0/24', '192.168.7.0/24'],
  ['2001:db8::/32', '2001:db8::/32'],
])('%s is the network %s', (written, segment) => {
  expect(segmentsOf(written)).toEqual({ segments: [segment] });
});

test('a network in both forms is one', () => {
  expect(segmentsOf('192.168.7.0/24, ::ffff:192.168.7.0/120')).toEqual({ segments: ['192.168.7.0/24'] });
});

test.each(['::ffff:192.168.7.300/120', '192.168.7.0', 'a/24'])('%s is no network', (written) => {
  expect(segmentsOf(written).wrong).toBeDefined();
});
