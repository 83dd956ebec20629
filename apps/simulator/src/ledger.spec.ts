import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Ledger } from './ledger.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'carillon-ledger-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('counts a command that is done twice as two, also after a restart', async () => {
  const ledger = await Ledger.open(folder);
  ledger.did('a', '1', 'reboot');
  ledger.did('a', '1', 'reboot');
  ledger.did('a', '2', 'reboot');
  expect([ledger.timesDone('a', '1'), ledger.timesDone('a', '3'), ledger.totals()]).toEqual([2, 0, { reboot: 3 }]);
  await ledger.close();
  const again = await Ledger.open(folder);
  expect([again.effectsOf('a'), again.totals()]).toEqual([
    { 1: { action: 'reboot', count: 2 }, 2: { action: 'reboot', count: 1 } },
    { reboot: 3 },
  ]);
  await again.close();
});

it('writes an effect and the result of its command in one write', async () => {
  const ledger = await Ledger.open(folder);
  ledger.did('a', '1', 'reboot');
  const written = ledger.store('a').write({ id: '1', action: 'reboot', answer: { status: 'success' } });
  // The file grows by both at once, so that no reader sees one without the other.
  await expect
    .poll(async () => (await readFile(path.join(folder, 'devices.log'), 'utf8')).split('\n').length - 1, {
      interval: 0,
    })
    .not.toBe(0);
  expect((await readFile(path.join(folder, 'devices.log'), 'utf8')).split('\n')).toHaveLength(3);
  await written;
  await ledger.close();
});

it('writes a version and an effect of one moment in one write, and keeps the last of each', async () => {
  const ledger = await Ledger.open(folder);
  await ledger.keep('a', { key: 'first' });
  ledger.did('a', '1', 'firmwareUpgrade');
  const written = ledger.keep('a', { firmware: '2.0' });
  await expect
    .poll(async () => (await readFile(path.join(folder, 'devices.log'), 'utf8')).split('\n').length - 1, {
      interval: 0,
    })
    .not.toBe(1);
  expect((await readFile(path.join(folder, 'devices.log'), 'utf8')).split('\n')).toHaveLength(4);
  await written;
  await ledger.keep('a', { firmware: '2.1' });
  // Enough entries for the file to be compacted.
  for (let i = 0; i < 3_000; i++) await ledger.store('b').write({ id: '1', action: 'note' });
  await ledger.close();
  expect((await readFile(path.join(folder, 'devices.log'), 'utf8')).split('\n').length).toBeLessThan(3_000);
  const again = await Ledger.open(folder);
  expect([again.keptBy('a'), again.keptBy('b'), again.timesDone('a', '1')]).toEqual([
    { key: 'first', firmware: '2.1' },
    {},
    1,
  ]);
  await again.close();
});

it('keeps the last 256 commands of a device and counts older ones, also after a compaction', async () => {
  const ledger = await Ledger.open(folder);
  const store = ledger.store('a');
  for (let i = 0; i < 3_000; i++) {
    ledger.did('a', `${i}`, i % 3 === 0 ? 'reboot' : 'note');
    await store.write({ id: `${i}`, action: 'note', answer: { status: 'success' } });
  }
  await ledger.close();
  expect((await readFile(path.join(folder, 'devices.log'), 'utf8')).split('\n').length).toBeLessThan(4_000);
  const again = await Ledger.open(folder);
  expect([
    Object.keys(again.effectsOf('a')).length,
    again.timesDone('a', '2999'),
    again.timesDone('a', '0'),
    again.totals(),
  ]).toEqual([256, 1, 0, { reboot: 1_000, note: 2_000 }]);
  await again.close();
});
