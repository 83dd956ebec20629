import { describe, expect, it } from 'vitest';
import { valuesIn } from './phone-event.ts';
import { lineOf, withLine } from './phone-line.ts';

describe('the query of an action URL', () => {
  it('has the values that the phone filled in, and a plus sign stays one', () => {
    expect(valuesIn('ip=10.0.0.9&account=+4930123&host=pbx.example')).toEqual({
      ip: '10.0.0.9',
      account: '+4930123',
      host: 'pbx.example',
    });
    expect(valuesIn('account=a%20b%E4%BD%A0')).toEqual({ account: 'a b你' });
  });

  it.each([
    ['account=$active_user', 'a variable that the phone did not replace'],
    ['account=', 'an empty value'],
    ['account', 'a name alone'],
    [`account=${'1'.repeat(129)}`, 'a value that is too long'],
    ['account=%zz', 'a value that is not encoded'],
    ['account=%00', 'a control character'],
    ['remote=201', 'a variable that is not known'],
    ['a=1&b=2&c=3&account=201', 'more variables than there are'],
  ])('%s gives no value: %s', (query) => {
    expect(valuesIn(query)).toEqual({});
  });
});

const account = (line: number, number: string, address = 'pbx.example') => ({
  line,
  number,
  authUser: '',
  address,
  domain: '',
});

describe('the line of an event', () => {
  const lines = [account(1, '201'), account(2, '202'), account(3, '201', 'other.example')];

  it('is that of its account; the host decides between two with one number', () => {
    expect(lineOf(lines, { account: '202' })?.line).toBe(2);
    expect(lineOf(lines, { account: '201', host: 'other.example' })?.line).toBe(3);
    expect(lineOf([{ ...account(4, '9'), authUser: 'ann' }], { account: 'ann' })?.line).toBe(4);
  });

  it('is the only one of a phone that names no account; otherwise it is not known', () => {
    expect(lineOf(lines.slice(1, 2), {})?.line).toBe(2);
    expect(lineOf(lines, {})).toBeUndefined();
    expect(lineOf(lines, { account: '201' })).toBeUndefined();
    expect(lineOf(lines.slice(1, 2), { account: '999' })).toBeUndefined();
  });

  it('changes alone; a line that lost its account or has another one is not reported any more', () => {
    const told = (line: number, number: string) => ({ line, account: number, server: 'pbx.example' });
    const before = [
      { ...told(1, '201'), status: 'registered' as const },
      { ...told(2, '299'), status: 'failed' as const },
      { ...told(7, '207'), status: 'failed' as const },
    ];
    expect(withLine(before, lines, lines[2]!, 'failed')).toEqual([
      { ...told(1, '201'), status: 'registered' },
      { line: 3, account: '201', server: 'other.example', status: 'failed' },
    ]);
    expect(withLine(before, lines, lines[0]!, 'unregistered')).toEqual([{ ...told(1, '201'), status: 'unregistered' }]);
  });
});
