import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addFirmware, firmwareState, getFirmware } from '@carillon/contracts';
import { currentSql, uuidv7 } from '@carillon/persistence';
import { eventually, rawRequest } from '@carillon/testing';
import { downloads, image } from '../download/download-test.ts';
import { FirmwareCheck } from '../firmware/firmware.check.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';
import { DiskDriver } from './disk-driver.ts';
import { Integrity, mostWaiting } from './integrity.ts';
import { LaneFull } from './lane.ts';

const megabyte = 1_048_576;
let store: TestedStore;
let rig: ReturnType<typeof downloads>;
let folder: string;
/** Pipes that a failed test leaves would keep the process alive. */
const pipes = new Set<() => Promise<void>>();
beforeAll(async () => {
  store = await testStore('integrity_bus', { downloadCheckMs: 100 });
  rig = downloads(store);
  folder = mkdtempSync(join(tmpdir(), 'carillon-integrity-'));
});
afterAll(async () => {
  await Promise.all([...pipes].map((release) => release()));
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a place for a stored file. */
function placed(root: string): { id: string; place: string } {
  const id = uuidv7();
  mkdirSync(join(root, id.slice(-2)), { recursive: true });
  return { id, place: join(root, id.slice(-2), id) };
}
/** Stores a file of zeros, which takes no room on the disk. */
function zeros(root: string, size: number) {
  const { id, place } = placed(root);
  writeFileSync(place, '');
  truncateSync(place, size);
  return { id, size, sha256: '0' };
}
/** Has a pipe compared, whose reading fails only when it is released. */
async function held(integrity: Integrity, root: string): Promise<() => Promise<void>> {
  const { id, place } = placed(root);
  execFileSync('mkfifo', [place]);
  const release = async () => {
    pipes.delete(release);
    await (await open(place, 'w')).close();
  };
  pipes.add(release);
  const reading = integrity.isWhole({ id, size: 0, sha256: '0' }).catch((error: Error) => error.message);
  await eventually(() => expect(integrity.waiting).toBe(1));
  return async () => {
    await release();
    expect(await reading).toContain('ESPIPE');
  };
}

it('a small file does not wait for a large one, and files of one kind are read one after the other', async () => {
  const integrity = new Integrity(new DiskDriver(folder));
  const done: string[] = [];
  const look = async (name: string, size: number) => {
    await integrity.isWhole(zeros(folder, size));
    done.push(name);
  };
  const large = [look('large', 128 * megabyte), look('last', 65 * megabyte)];
  await look('small', 1);
  await look('small too', megabyte);
  expect(done).toEqual(['small', 'small too']);
  await Promise.all(large);
  expect(done.slice(2)).toEqual(['large', 'last']);
});

it('takes no further file for a download while too many wait, except one that waits already', async () => {
  const integrity = new Integrity(new DiskDriver(folder));
  const release = await held(integrity, folder);
  const others = Array.from({ length: mostWaiting.small - 1 }, () => zeros(folder, 1));
  const waiting = others.map((other) => integrity.isWhole(other, { most: mostWaiting }));
  await eventually(() => expect(integrity.waiting).toBe(mostWaiting.small));

  const next = zeros(folder, 1);
  await expect(integrity.isWhole(next, { most: mostWaiting })).rejects.toBeInstanceOf(LaneFull);
  const again = integrity.isWhole(others[0]!, { most: mostWaiting });
  const patient = integrity.isWhole(zeros(folder, 1));
  await release();
  expect(await Promise.all([...waiting, again, patient])).toEqual(Array(mostWaiting.small + 1).fill(false));
  expect(await integrity.isWhole(next, { most: mostWaiting })).toBe(false);
  expect(integrity.waiting).toBe(0);
});

it('asks a device to try again later while too many files wait for their comparison', async () => {
  const at = { socketPath: join(folder, 'service.sock') };
  await store.service.app.getHttpAdapter().getInstance().listen({ path: at.socketPath });
  const integrity = store.service.app.get(Integrity);
  const { actor, to } = await rig.own();
  const fileId = await rig.file(actor, image(20_000));
  const taskId = uuidv7();
  // Only firmware is checked when a task begins.
  await rig.task(taskId, actor.companyId, { stopped: false, noun: 'resourceFile' });
  const release = await held(integrity, store.folder);
  const waiting = Array.from({ length: mostWaiting.small }, () => integrity.isWhole(zeros(store.folder, 1)));
  await eventually(() => expect(integrity.waiting).toBe(waiting.length + 1));
  const load = () => rawRequest(at, { path: rig.link(rig.grant(fileId, to, { taskId })) });
  const refused = await load();
  expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.text)]).toMatchObject([
    ...[503, '10'],
    { error: 'common.unavailable' },
  ]);
  await release();
  await Promise.all(waiting);
  await eventually(async () => expect((await load()).status).toBe(200));
});

it('a check that is requested during another one takes place after it', async () => {
  const damaged = new Map<string, boolean>();
  await store.bus.fanout({
    topics: [firmwareState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const { key, value } of records)
        if (value !== null) damaged.set(key!, (JSON.parse(value) as { damaged: boolean }).damaged);
      return Promise.resolve();
    },
  });
  const integrity = store.service.app.get(Integrity);
  const { actor } = await rig.own();
  const upload = await store.upload(actor, 'other.bin', image(20_000), 'firmware');
  const body = { name: 'Desk', version: '2.1', models: ['X7A'], description: '', upload };
  const notice = { whom: 'nobody' as const, at: null };
  const { id } = await store.service.as(actor)(addFirmware, { body: { ...body, notice } });
  const release = await held(integrity, store.folder);
  const taskId = uuidv7();
  await rig.task(taskId, actor.companyId, { stopped: false, objectId: id });
  // The check has read the row, and waits for the bytes.
  await eventually(() => expect(integrity.waiting).toBe(2));
  await rig.look(() => currentSql().query(`update firmware set version = '9.9.9' where id = $1`, [id]));
  await store.service.app.get(FirmwareCheck).recheck(actor.companyId, taskId);
  await release();
  await eventually(async () => {
    expect(damaged.get(id)).toBe(true);
    expect(await store.service.as(actor)(getFirmware, { params: { id } })).toMatchObject({ damaged: true });
  });
});
