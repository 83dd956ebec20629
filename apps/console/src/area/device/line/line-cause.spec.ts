import { expect, test } from 'vitest';
import { isOfAccount, lineCause } from './line-cause.ts';

test('the SIP status that refused a registration tells what to mend', () => {
  const causes = [401, 403, 404, 408, 423, 503, 603, 604].map((code) => [code, lineCause(code), isOfAccount(code)]);
  expect(causes).toEqual([
    [401, 'lineCause.password', true],
    [403, 'lineCause.password', true],
    [404, 'lineCause.number', true],
    [408, 'lineCause.silent', false],
    [423, 'lineCause.other', false],
    [503, 'lineCause.broken', false],
    [603, 'lineCause.other', false],
    [604, 'lineCause.number', true],
  ]);
});
