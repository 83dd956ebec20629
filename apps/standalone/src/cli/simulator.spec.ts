import { expect, it } from 'vitest';
import { isSimulator, phoneSimulator, simulatorParts } from './simulator.ts';

it('many simulated devices are split over processes that share no folder, socket or address', () => {
  const parts = simulatorParts('/data', { devices: 30_001, host: '127.0.0.1', port: '1883', behaviour: 'normal=1' });
  const of = (flag: string) => parts.map(({ args }) => args[args.indexOf(flag) + 1]);
  expect(parts.map((p) => p.name)).toEqual(['simulator', 'simulator-2', 'simulator-3']);
  // `--skip` and `--devices` are the bounds of each process's range.
  expect(of('--skip')).toEqual(['0', '15000', '30000']);
  expect(of('--devices')).toEqual(['15000', '30000', '30001']);
  expect(new Set(of('--state')).size).toBe(3);
  expect(new Set(of('--control')).size).toBe(3);
  expect(of('--local-address').slice(1)).toEqual(['127.0.0.2', '127.0.0.3']);
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
