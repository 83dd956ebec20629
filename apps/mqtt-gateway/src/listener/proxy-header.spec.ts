import { describe, expect, it } from 'vitest';
import { TrustedProxies, readProxyHeader } from './proxy-header.ts';
import { proxyHeader } from '../testing/proxy.ts';

const read = (bytes: Buffer | string) =>
  readProxyHeader(Buffer.from(bytes as string), Buffer.from(bytes as string).length);

describe('a PROXY header', () => {
  it.each([
    ['version 1, IPv4', 'PROXY TCP4 192.0.2.7 198.51.100.1 50000 8883\r\n', '192.0.2.7'],
    ['version 1, IPv6', 'PROXY TCP6 2001:db8::7 2001:db8::1 50000 8883\r\n', '2001:db8::7'],
    ['version 1, unknown', 'PROXY UNKNOWN anything at all\r\n', null],
    ['version 2, IPv4', proxyHeader('192.0.2.7'), '192.0.2.7'],
    ['version 2, IPv6', proxyHeader('2001:db8::7'), '2001:db8::7'],
    ['version 2, of the proxy itself', Buffer.from('0d0a0d0a000d0a515549540a20000000', 'hex'), null],
    [
      'version 2, of a Unix socket',
      Buffer.concat([Buffer.from('0d0a0d0a000d0a515549540a213100d8', 'hex'), Buffer.alloc(216)]),
      null,
    ],
  ])('of %s is read in any cut, and the bytes after it are kept', (_, header, address) => {
    const bytes = Buffer.concat([Buffer.from(header as string), Buffer.from([0x10, 0x20])]);
    const used = bytes.length - 2;
    for (let length = 0; length < used; length++) expect(readProxyHeader(bytes, length)).toBe('more');
    expect(readProxyHeader(bytes, bytes.length)).toEqual({ used, address, commonName: null });
  });

  it.each([
    ['a CONNECT instead', Buffer.from('101000044d51545404c2', 'hex')],
    ['another word', 'PROXI TCP4 192.0.2.7 198.51.100.1 1 2\r\n'],
    ['an address that is none', 'PROXY TCP4 192.0.2.700 198.51.100.1 1 2\r\n'],
    ['an address of the other family', 'PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n'],
    ['a port that is none', 'PROXY TCP4 192.0.2.7 198.51.100.1 70000 2\r\n'],
    ['a field too many', 'PROXY TCP4 192.0.2.7 198.51.100.1 1 2 3\r\n'],
    ['no end of line in 107 bytes', `PROXY UNKNOWN ${'x'.repeat(100)}`],
    ['a signature that goes wrong', Buffer.from('0d0a0d0a000d0a515549540b', 'hex')],
    ['version 3', Buffer.from('0d0a0d0a000d0a515549540a31110000', 'hex')],
    ['a command it does not know', Buffer.from('0d0a0d0a000d0a515549540a22110000', 'hex')],
    ['addresses that are cut short', Buffer.from('0d0a0d0a000d0a515549540a21110004c0000207', 'hex')],
    ['64 kB announced', Buffer.from('0d0a0d0a000d0a515549540a2111ffff', 'hex')],
  ])('with %s is refused', (_, header) => expect(read(header)).toBe('bad'));

  it('of version 2 names a client certificate only if the proxy has verified it', () => {
    expect(read(proxyHeader('192.0.2.7', { commonName: '00a859000001' }))).toMatchObject({
      commonName: '00a859000001',
    });
    expect(read(proxyHeader('192.0.2.7', { commonName: '00a859000001', verified: false }))).toMatchObject({
      commonName: null,
    });
    expect(read(proxyHeader('192.0.2.7', { commonName: '00a859000001', presented: false }))).toMatchObject({
      commonName: null,
    });
  });
});

describe('the proxies that are trusted', () => {
  it('are addresses and networks of both families', () => {
    const trusted = new TrustedProxies('10.0.0.1, 192.168.0.0/16,2001:db8::/32', false);
    expect(
      ['10.0.0.1', '10.0.0.2', '192.168.9.9', '192.169.0.1', '2001:db8::5', '2001:db9::5'].map((a) => trusted.has(a)),
    ).toEqual([true, false, true, false, true, false]);
    expect(new TrustedProxies('', false).has('10.0.0.1')).toBe(false);
    for (const bad of ['gateway.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0'])
      expect(() => new TrustedProxies(bad, false)).toThrow(/neither an address nor a network/);
  });
});
