import { expect, test } from 'vitest';
import { dialedNumber } from './dialed-number.ts';

test.each([
  ['+49 (0)30 123456', '+4930123456'],
  ['+49 ( 0 ) 30 123456', '+4930123456'],
  ['0049 (0)30/123-456', '004930123456'],
  ['\u202a+49\u201130\u2013123456\u202c', '+4930123456'],
  ['０３０１２３', '030123'],
  ['+49 30 123 ext. 4', '+4930123'],
  ['+1 212 555 0100 x12', '+12125550100'],
  ['tel:+1-212-555-0100;ext=7', '+12125550100'],
  ['(030) 123456', '030123456'],
  ['+1 (212) 555-0100', '+12125550100'],
  ['*97', '*97'],
  ['**600', '**600'],
  ['#21#', '#21#'],
])('a phone dials %s as %s', (written, dialed) => {
  expect(dialedNumber(written)).toBe(dialed);
});

test.each(['n/a', '', '+', '***', '1-800-FLOWERS', '030 1 or 2', '49+30', '12,,3'])('%s is no number', (written) => {
  expect(dialedNumber(written)).toBeUndefined();
});
