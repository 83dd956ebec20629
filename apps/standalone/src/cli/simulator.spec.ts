import { expect, it } from 'vitest';
import { isSimulator, simulatorParts } from './simulator.ts';

it('more simulated devices than one process may hold are run by several, each device once and each process with a folder, a socket and an address of its own', () => {
  const parts = simulatorParts('/data', { devices: 30_001, host: '127.0.0.1', port: '1883', behaviour: 'normal=1' });
  const of = (flag: string) => parts.map(({ args }) => args[args.indexOf(flag) + 1]);
  expect(parts.map((p) => p.name)).toEqual(['simulator', 'simulator-2', 'simulator-3']);
  // From the one and up to the other, as the simulator's own options have it.
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

it('as few as one process may hold have one', () => {
  for (const devices of [1, 200, 15_000])
    expect(
      simulatorParts('/data', { devices, host: '::1', port: '1', behaviour: undefined }).map((p) => p.args.slice(2, 6)),
    ).toEqual([['--skip', '0', '--devices', String(devices)]]);
});
