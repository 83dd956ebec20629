import { expect, test } from 'vitest';
import { mailPorts, Outbound } from './outbound.ts';

const open = new Outbound({ outboundAllowed: '' }, mailPorts);
const inside = [
  '127.0.0.1',
  '127.1',
  '0',
  '0.0.0.0',
  '10.0.0.5',
  '172.16.3.4',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '224.0.0.1',
  '255.255.255.255',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '::1',
  '::',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  'fd00::1',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  'localhost',
  'LOCALHOST.',
  'mail.localhost',
  'postgres',
  'redis',
  'kafka',
  'metadata.google.internal',
  'db.default.svc',
  'printer.local',
  'localhost%00.example.com',
  'a b',
  '',
];

test('no spelling of an address inside is reached, and no name that means one', async () => {
  for (const host of inside) expect(await open.address({ host, port: 465 }), host).toBeUndefined();
  for (const host of [
    '93.184.215.14',
    '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
    '[2606:2800:21f:cb07:6820:80da:af6b:8b2c]',
  ]) {
    expect(await open.address({ host, port: 465 }), host).toBe(host.replace(/[[\]]/g, ''));
    for (const port of [22, 80, 443, 5432, 6379, 9092, 8080])
      expect(await open.address({ host, port }), `${host} ${port}`).toBeUndefined();
  }
});

test('reaches exactly what the operator allows: a name, address or network, at one port or all', async () => {
  const some = new Outbound(
    { outboundAllowed: 'localhost:2465, 10.1.0.0/16, 192.168.7.7:25, [fd00::5]:587, fd01::/16' },
    mailPorts,
  );
  for (const [host, port] of [
    ['localhost', 2465],
    ['10.1.2.3', 465],
    ['10.1.2.3', 9999],
    ['192.168.7.7', 25],
    ['fd00::5', 587],
    ['fd01:2::3', 26],
  ] as const)
    expect(await some.address({ host, port }), `${host} ${port}`).toBeDefined();
  for (const [host, port] of [
    ['localhost', 2466],
    ['127.0.0.1', 2465],
    ['10.2.0.1', 465],
    ['192.168.7.7', 465],
    ['192.168.7.8', 25],
    ['fd00::6', 587],
    ['fd00::5', 25],
  ] as const)
    expect(await some.address({ host, port }), `${host} ${port}`).toBeUndefined();
  expect(() => new Outbound({ outboundAllowed: 'https://mail.example/' }, mailPorts)).toThrow(
    /CARILLON_OUTBOUND_ALLOWED/,
  );
});

test('looks a name up and checks every address that it has', async () => {
  const loop = new Outbound({ outboundAllowed: '127.0.0.0/8' }, mailPorts);
  // `localhost` is 127.0.0.1 and on most machines also ::1, which is not allowed here.
  const address = await loop.address({ host: 'localhost', port: 465 });
  expect([undefined, '127.0.0.1']).toContain(address);
  expect(await loop.address({ host: '127.1', port: 25 })).toBe('127.0.0.1');
});
