import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeInventory, makePhones } from './inventory.ts';
import { readOptions } from './options.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carillon-options-'));
const file = path.join(folder, 'devices.json');
const secret = 'horse-battery-staple';
const needed = ['--file', file, '--state', folder];
const devices = makeInventory(3, 1).map((item) => ({ ...item, secret }));
const write = (text: string) => writeFileSync(file, text, { mode: 0o600 });
const lines = () => devices.map((device) => JSON.stringify(device)).join('\n');

beforeAll(() => write(lines()));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the options of the simulator', () => {
  it('read the devices of a file, or only the first ones', () => {
    expect(readOptions(needed)).toMatchObject({
      devices,
      url: 'mqtt://127.0.0.1:1883',
      mix: { normal: 1 },
      control: null,
      backOff: { firstMs: 1_000, mostMs: 60_000 },
      loadKbit: 0,
      doorMs: 5_000,
    });
    expect(readOptions([...needed, '--load-kbit', '512'])?.loadKbit).toBe(512);
    expect(readOptions([...needed, '--devices', '2', '--host', '::1', '--port', '22000'])).toMatchObject({
      devices: devices.slice(0, 2),
      url: 'mqtt://[::1]:22000',
    });
    expect([
      readOptions([...needed, '--control', '22010'])?.control,
      readOptions([...needed, '--control', '/run/x.sock'])?.control,
    ]).toEqual([{ port: 22_010 }, { socket: '/run/x.sock' }]);
    // Several processes share one file: each has its own part and its own address.
    expect(readOptions([...needed, '--devices', '3', '--skip', '2', '--local-address', '127.0.0.2'])).toMatchObject({
      devices: devices.slice(2),
      localAddress: '127.0.0.2',
    });
    expect(readOptions(['--help'])).toBeNull();
  });

  it('make phones over HTTP of the chosen makers, or read them from a file without secrets', () => {
    const made = readOptions(['--kind', 'fanvil,Yealink', '--devices', '3', '--state', folder]);
    expect(made).toMatchObject({ server: 'http://127.0.0.1:8081/', sipPort: 5060, retryMs: 60_000, devices: [] });
    expect(made!.phones).toEqual(makePhones(['Fanvil', 'Yealink'], 3, 1));
    expect(readOptions(['--kind', 'htek', '--state', folder])!.phones).toHaveLength(200);
    const sold = path.join(folder, 'phones.json');
    writeFileSync(sold, '{"mac":"805ec0000001","model":"SIP-T46U"}\n', { mode: 0o600 });
    expect(readOptions(['--kind', 'yealink', '--file', sold, '--state', folder])!.phones).toEqual([
      { mac: '805ec0000001', model: 'SIP-T46U' },
    ]);
    expect(readOptions(needed)!.phones).toBeNull();
  });

  it('are refused with one sentence that names the error', () => {
    const wrong: [string[], string][] = [
      [['--kind', 'yealink'], '--state is needed'],
      [['--kind', 'acme', '--state', folder], "--kind has 'acme'"],
      [['--kind', 'snom', '--state', folder, '--devices', '99999'], '--devices has to be a whole number'],
      [['--kind', 'snom', '--state', folder, '--server', 'http://h/x'], '--server has to be'],
      [[], '--file and --state are needed'],
      [[...needed, '--seed', 'x'], '--seed has to be a whole number from 0'],
      [[...needed, '--port', '70000'], '--port has to be'],
      [[...needed, '--keep-alive', '30'], '--keep-alive has to be a whole number from 60 to 600'],
      [[...needed, '--behaviour', 'lazy=1'], "'lazy=1'"],
      [[...needed, '--devices', '5'], 'fewer than 5'],
      [['--nonsense'], '--nonsense'],
      [[...needed, '--back-off', '5'], '--back-off has to be two numbers'],
    ];
    for (const [args, sentence] of wrong) expect(() => readOptions(args)).toThrow(sentence);
  });

  it('are refused for a file that others can read or that is wrong, without revealing a secret', () => {
    chmodSync(file, 0o640);
    expect(() => readOptions(needed)).toThrow('can be read by others');
    chmodSync(file, 0o600);
    for (const text of [
      `{"mac":"x","secret":"${secret}"}`,
      `{"secret":"${secret}"`,
      `{"mac":"0c383e000001"}`,
      `null ${secret}`,
      `${lines()}\n${lines()}`,
    ]) {
      write(text);
      expect(() => readOptions(needed)).toThrow(/^line \d+ of /);
      try {
        readOptions(needed);
      } catch (error) {
        expect((error as Error).message).not.toContain(secret);
      }
    }
    write(lines());
  });
});
