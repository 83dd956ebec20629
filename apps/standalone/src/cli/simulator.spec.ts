import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { expect, it, onTestFinished } from 'vitest';
import { phoneAddressOf } from '../device-address.ts';
import { isSimulator, phoneSimulator, simulatorParts, whyUnreachable } from './simulator.ts';

it('many simulated devices are split over processes that share no folder, socket or address', () => {
  const parts = simulatorParts('/data', { devices: 30_001, host: '127.0.0.1', port: '1883', behaviour: 'normal=1' });
  const values = (flag: string) => parts.map(({ args }) => args[args.indexOf(flag) + 1]);
  expect(parts.map((p) => p.name)).toEqual(['simulator', 'simulator-2', 'simulator-3']);
  // `--skip` and `--devices` are the bounds of each process's range.
  expect(values('--skip')).toEqual(['0', '15000', '30000']);
  expect(values('--devices')).toEqual(['15000', '30000', '30001']);
  expect(new Set(values('--state')).size).toBe(3);
  expect(new Set(values('--control')).size).toBe(3);
  expect(values('--local-address').slice(1)).toEqual(['127.0.0.2', '127.0.0.3']);
  expect(parts[0]!.args).not.toContain('--local-address');
  expect([...parts.map((p) => p.name), 'standalone', 'mqtt-gateway'].map(isSimulator)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

it('a number of devices that fits into one process gets one process', () => {
  for (const devices of [1, 200, 15_000])
    expect(
      simulatorParts('/data', { devices, host: '::1', port: '1', behaviour: undefined }).map((p) => p.args.slice(2, 6)),
    ).toEqual([['--skip', '0', '--devices', String(devices)]]);
});

it('simulated phones over HTTP get the loopback address of a server that listens on all', () => {
  const options = { kind: 'yealink', devices: 5, server: 'http://0.0.0.0:8081', sipPort: 5060 };
  const { name, args } = phoneSimulator('/data', options);
  expect([name, isSimulator(name), args[args.indexOf('--server') + 1]]).toEqual([
    'simulator-sold',
    true,
    'http://127.0.0.1:8081',
  ]);
  const demo = phoneSimulator('/data', { ...options, file: '/data/phones.jsonl' });
  expect(demo.args[demo.args.indexOf('--state') + 1]).toBe('/data/simulator-phones');
});

it('phones get the address that the settings of their port give, with HTTPS when it has a certificate', () => {
  const certificate = { CARILLON_PHONE_TLS_CERTIFICATE: 'chain.pem' };
  const publicUrl = { CARILLON_PUBLIC_URL: 'https://console.example' };
  const phoneUrl = { CARILLON_PHONE_URL: 'https://phones.example/' };
  expect(
    [{}, certificate, publicUrl, { ...publicUrl, ...phoneUrl }].map((one) => phoneAddressOf('127.0.0.1', 8081, one)),
  ).toEqual([
    'http://127.0.0.1:8081',
    'https://127.0.0.1:8081',
    'http://console.example:8081',
    'https://phones.example',
  ]);
  expect(phoneAddressOf('::1', 8081, { CARILLON_PHONE_URL: '' })).toBe('http://[::1]:8081');
});

it('simulated phones need a loopback address that the certificate names, and trust that certificate', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-simulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'cert.pem');
  const pair = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  writeFileSync(file, pair.cert);
  expect(['http://127.0.0.1:1', 'http://0.0.0.0:1'].map((one) => whyUnreachable(one, undefined))).toEqual([
    undefined,
    undefined,
  ]);
  expect(whyUnreachable('http://192.0.2.7:8081', undefined)).toContain('no loopback address');
  expect(whyUnreachable('https://localhost:8081', undefined)).toContain('unknown');
  expect(whyUnreachable('https://localhost:8081', file)).toBeUndefined();
  expect(whyUnreachable('https://127.0.0.1:8081', file)).toContain('does not name 127.0.0.1');
  const options = { kind: 'yealink', devices: 5, server: 'https://localhost:8081', sipPort: 5060, certificate: file };
  const { args } = phoneSimulator('/data', options);
  expect(args[args.indexOf('--ca') + 1]).toBe(file);
});
