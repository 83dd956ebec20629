import { describe, expect, it } from 'vitest';
import { valuesIn } from './phone-event.ts';
import { callsOf, lineOf, reportedLines, withCall, withLine, withoutCallsOf, type ReportedLine } from './phone-line.ts';
import { postedEvent } from './posted-event.ts';

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
    ['a=1&b=2&c=3&d=4&e=5&account=201', 'more variables than there are'],
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
    expect(lineOf(lines, { line: '3' })?.line).toBe(3);
    expect(lineOf(lines.slice(1, 2), { account: '999' })).toBeUndefined();
  });

  it('changes alone; a line that lost its account or has another one is not reported any more', () => {
    const seen = (line: number, number: string) => ({ line, account: number, server: 'pbx.example' });
    const before = [
      { ...seen(1, '201'), status: 'registered' as const },
      { ...seen(2, '299'), status: 'failed' as const },
      { ...seen(7, '207'), status: 'failed' as const },
    ];
    const becomes = (status: 'failed' | 'unregistered') => (line: ReportedLine) => ({ ...line, status });
    expect(withLine(before, lines, lines[2]!, becomes('failed'))).toEqual([
      { ...seen(1, '201'), status: 'registered' },
      { line: 3, account: '201', server: 'other.example', status: 'failed' },
    ]);
    expect(withLine(before, lines, lines[0]!, becomes('unregistered'))).toEqual([
      { ...seen(1, '201'), status: 'unregistered' },
    ]);
  });
});

describe('the calls of a line', () => {
  const idle: ReportedLine = { line: 1, account: '201', server: 'pbx.example', status: 'registered' };

  it('are counted by their names, once each, and make a registered line a calling one', () => {
    const first = withCall(idle, 'call-start', 1, 'a');
    const both = withCall(withCall(first, 'call-start', 2, 'b'), 'call-start', 3, 'a');
    expect([callsOf([idle]), callsOf([first]), callsOf([both])]).toEqual([0, 1, 2]);
    expect(reportedLines([both])).toEqual([{ ...idle, status: 'calling' }]);
    expect(reportedLines([{ ...both, status: 'failed' }])).toEqual([{ ...idle, status: 'failed' }]);
    const named = [
      { name: 'b', since: 2 },
      { name: 'a', since: 3 },
    ];
    expect(withCall(both, 'call-end', 4, 'c')).toEqual({ ...idle, calls: named });
    expect(withCall(withCall(both, 'call-end', 4, 'a'), 'call-end', 4, 'b')).toEqual(idle);
    expect(withoutCallsOf([both], 2)).toEqual([{ ...idle, calls: named.slice(1) }]);
    expect(withoutCallsOf([both], 3)).toEqual([idle]);
  });

  it('without a name end one by one, and at most 16 are counted', () => {
    const two = withCall(withCall(idle, 'call-start', 1), 'call-start', 1);
    expect([callsOf([two]), callsOf([withCall(two, 'call-end', 2)])]).toEqual([2, 1]);
    expect(withCall(idle, 'call-end', 1)).toEqual(idle);
    const many = Array.from({ length: 40 }, (_, n) => n).reduce(
      (line, n) => withCall(line, 'call-start', n, `${n}`),
      idle,
    );
    expect(callsOf([many])).toBe(16);
  });
});

describe('an event that a phone posts', () => {
  const posted = (element: string, attributes = '') =>
    `<?xml version="1.0"?><PolycomIPPhone><${element}${attributes}><PhoneIP>10.0.0.9</PhoneIP>` +
    `<MACAddress>64167f00f205</MACAddress><LineNumber> 1 </LineNumber></${element}></PolycomIPPhone>`;
  const values = { ip: '10.0.0.9', line: '1' };

  it('is a registration or its end', () => {
    expect(postedEvent(posted('LineRegistrationEvent'))).toEqual({ event: 'registered', values });
    expect(postedEvent(posted('LineUnregistrationEvent'))).toEqual({ event: 'unregistered', values });
  });

  it('is the start or the end of a call by its state', () => {
    const reported = (state: string) =>
      postedEvent(posted('CallStateChangeEvent', ` CallReference="42f1" CallState="${state}"`));
    expect(reported('Connected')).toEqual({ event: 'call-start', values: { ...values, call: '42f1' } });
    expect(reported('Disconnected')?.event).toBe('call-end');
    expect([reported('Ringback'), reported('')]).toEqual([undefined, undefined]);
  });

  it('has no address when that is nothing but spaces', () => {
    const spaces = ' '.repeat(8_000);
    expect(postedEvent(`<LineRegistrationEvent><PhoneIP>${spaces}`)).toEqual({ event: 'registered', values: {} });
  });

  it.each(['', '<a/>', posted('OffhookEvent'), '{"a":1}', `${'<'.repeat(16_000)}LineRegistrationEvent`])(
    'is none in %.40j',
    (text) => {
      expect(postedEvent(text)).toBeUndefined();
    },
  );
});
