import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestFiles, TestPlatform } from '@carillon/device-sdk/test-platform';
import type { FleetStats } from './fleet.ts';
import { makeInventory } from './inventory.ts';

const main = path.join(import.meta.dirname, 'main.ts');
const secret = 'horse-battery-staple';
let folder: string;
let platform: TestPlatform;
let processes: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'carillon-simulator-'));
  platform = await TestPlatform.start({ port: 0 });
});
afterEach(async () => {
  for (const child of processes.splice(0))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  await platform.stop();
  await rm(folder, { recursive: true });
});

const file = () => path.join(folder, 'devices.json');
const socket = () => path.join(folder, 'control.sock');
const port = () => new URL(platform.url).port;

function run(...args: string[]): {
  child: ChildProcess;
  lines: Record<string, unknown>[];
  event(name: string): Promise<Record<string, unknown>>;
  errors: string[];
} {
  const child = spawn(process.execPath, ['--conditions=carillon-source', main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  processes.push(child);
  const lines: Record<string, unknown>[] = [];
  const errors: string[] = [];
  const waiting: { name: string; resolve(line: Record<string, unknown>): void }[] = [];
  createInterface({ input: child.stdout! }).on('line', (text) => {
    const line = JSON.parse(text) as Record<string, unknown>;
    lines.push(line);
    for (const waiter of waiting) if (waiter.name === line['event']) waiter.resolve(line);
  });
  child.stderr!.on('data', (bytes: Buffer) => errors.push(bytes.toString()));
  const event = (name: string) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const line = lines.find((l) => l['event'] === name);
      if (line) resolve(line);
      else waiting.push({ name, resolve });
    });
  return { child, lines, event, errors };
}

const simulate = (...more: string[]) =>
  run(
    '--file',
    file(),
    '--state',
    path.join(folder, 'state'),
    '--port',
    port(),
    '--control',
    socket(),
    '--json',
    '--reboot-ms',
    '0',
    '--connect-rate',
    '0',
    ...more,
  );

function get<T>(where: string): Promise<T> {
  return new Promise((resolve, reject) => {
    request({ socketPath: socket(), path: where, headers: { host: 'localhost' } }, (response) => {
      let text = '';
      response
        .on('data', (bytes: Buffer) => {
          text += bytes.toString();
        })
        .on('end', () => resolve(JSON.parse(text) as T));
    })
      .on('error', reject)
      .end();
  });
}

describe('the simulator process', () => {
  it('does each command exactly once although it is killed repeatedly and told again', async () => {
    const items = makeInventory(40, 1);
    await writeFile(file(), items.map((item) => JSON.stringify({ ...item, secret })).join('\n'), { mode: 0o600 });
    const ids = new Map<string, string>();
    for (const killAfter of [5, 20, 33]) {
      // Counted from the start: a device finishes a command from before the last kill without being told again.
      const from = platform.received.length;
      const { child, event } = simulate();
      await event('ready');
      for (const { mac } of items)
        platform.send(mac, { id: ids.get(mac) ?? ids.set(mac, crypto.randomUUID()).get(mac)! });
      // Killed as soon as some devices have answered and others have not.
      const answered = () => platform.received.slice(from).filter(({ kind }) => kind === 'result').length;
      if (answered() < killAfter) await platform.next(() => answered() >= killAfter, platform.received.length);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const { child, event } = simulate();
    await event('ready');
    for (const { mac } of items) platform.send(mac, { id: ids.get(mac)! });
    await Promise.all([...ids.values()].map((id) => platform.answer(id, 'success')));
    const effects = await get<Record<string, Record<string, unknown>>>('/effects');
    for (const { mac } of items) expect(effects[mac]).toEqual({ [ids.get(mac)!]: { action: 'reboot', count: 1 } });
    expect((await get<FleetStats>('/stats')).effects).toEqual({ reboot: 40 });
    expect(platform.received.filter(({ payload }) => payload.status === 'fail')).toEqual([]);
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  it('upgrades each device exactly once despite kills, and never reports a version that it does not run', async () => {
    const files = await TestFiles.start(Buffer.alloc(3_000_000, 'firmware'));
    try {
      const items = makeInventory(30, 1);
      await writeFile(file(), items.map((item) => JSON.stringify({ ...item, secret })).join('\n'), { mode: 0o600 });
      const ids = new Map(items.map(({ mac }) => [mac, crypto.randomUUID()]));
      const command = { action: 'firmwareUpgrade', args: { ...files.linked('9.0'), version: '9.0' } };
      const done = () => items.filter(({ mac }) => platform.answers(ids.get(mac)!).some((a) => a.status === 'success'));
      // While they load; after some have loaded; after some are back.
      for (const moment of [
        () => files.asked.length >= 10,
        () => platform.received.filter(({ payload }) => payload.status === 'downloaded').length >= 10,
        () => done().length >= 5,
      ]) {
        const { child, event } = simulate();
        await event('ready');
        for (const { mac } of items) platform.send(mac, { id: ids.get(mac)!, ...command });
        await expect.poll(moment, { timeout: 60_000, interval: 5 }).toBe(true);
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      const { child, event } = simulate();
      await event('ready');
      for (const { mac } of items) platform.send(mac, { id: ids.get(mac)!, ...command });
      await Promise.all([...ids.values()].map((id) => platform.answer(id, 'success')));
      const effects = await get<Record<string, Record<string, unknown>>>('/effects');
      for (const { mac } of items)
        expect(effects[mac]).toEqual({ [ids.get(mac)!]: { action: 'firmwareUpgrade', count: 1 } });
      for (const { firmware } of await get<{ firmware: string }[]>('/devices')) expect(firmware).toBe('9.0');
      for (const { mac } of items) {
        const hellos = platform.received.filter((r) => r.mac === mac && r.kind === 'hello').map((r) => r.payload);
        // Once it runs the new version it never runs the old one again, and success is never reported earlier.
        const first = hellos.findIndex(({ firmware }) => firmware === '9.0');
        expect(hellos.slice(first).every(({ firmware }) => firmware === '9.0')).toBe(true);
        const answers = platform.received.filter(
          (r) => r.payload.id === ids.get(mac) && r.payload.status === 'success',
        );
        expect(platform.received.indexOf(answers[0]!)).toBeGreaterThan(
          platform.received.findIndex((r) => r.payload === hellos[first]),
        );
      }
      expect(platform.received.filter(({ payload }) => payload.status === 'fail')).toEqual([]);
      child.kill('SIGTERM');
      await once(child, 'exit');
    } finally {
      await files.stop();
    }
  });

  it('ends on SIGTERM although it has an open channel to its supervisor', async () => {
    const items = makeInventory(3, 1);
    await writeFile(file(), items.map((item) => JSON.stringify({ ...item, secret })).join('\n'), { mode: 0o600 });
    const child = spawn(
      process.execPath,
      [
        '--conditions=carillon-source',
        main,
        '--file',
        file(),
        '--state',
        path.join(folder, 'state'),
        '--port',
        port(),
        '--json',
      ],
      { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
    );
    processes.push(child);
    for await (const text of createInterface({ input: child.stdout! }))
      if ((JSON.parse(text) as { event: string }).event === 'ready') break;
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('never prints a secret, not even for a refused login or a broken file', async () => {
    const [item] = makeInventory(1, 1);
    await platform.stop();
    platform = await TestPlatform.start({ port: 0, allows: () => false });
    await writeFile(file(), JSON.stringify({ ...item, secret }), { mode: 0o600 });
    const refused = simulate();
    const trouble = await refused.event('trouble');
    expect(trouble['message']).toContain('CONNACK 4');
    refused.child.kill('SIGTERM');
    await once(refused.child, 'exit');
    await writeFile(file(), `{"mac":"nonsense","secret":"${secret}"}`);
    const broken = simulate();
    expect((await once(broken.child, 'close'))[0]).toBe(1);
    expect(broken.errors.join('')).toMatch(/^line 1 of .* has no mac of 12 lower-case hex digits, or no secret\.\n$/);
    expect(JSON.stringify([refused.lines, refused.errors, broken.errors])).not.toContain(secret);
  });
});
