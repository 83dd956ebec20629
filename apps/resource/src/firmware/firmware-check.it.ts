import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addFirmware, editFirmware, firmwareState, getFirmware } from '@carillon/contracts';
import { currentSql, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, rawRequest, type Actor } from '@carillon/testing';
import { downloads, image } from '../download/download-test.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';

let store: TestedStore;
let rig: ReturnType<typeof downloads>;
let folder: string;
let at: { socketPath: string };
/** The last published state of each firmware. */
const published = new Map<string, { damaged: boolean; signature: string }>();

beforeAll(async () => {
  store = await testStore('firmware_check_bus', { downloadCheckMs: 100 });
  rig = downloads(store);
  folder = mkdtempSync(join(tmpdir(), 'carillon-firmware-check-'));
  at = { socketPath: join(folder, 'service.sock') };
  await store.service.app.getHttpAdapter().getInstance().listen({ path: at.socketPath });
  await store.bus.fanout({
    topics: [firmwareState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const { key, value } of records) if (value !== null) published.set(key!, JSON.parse(value));
      return Promise.resolve();
    },
  });
});
afterAll(async () => {
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

let serial = 0;
const bodyOf = (upload: string, more: object = {}) => ({
  name: 'Desk',
  version: `2.0.${++serial}`,
  models: ['X7A'],
  description: '',
  notice: { whom: 'nobody' as const, at: null },
  upload,
  ...more,
});
/** Adds firmware of new bytes. Returns it with the place of its bytes on the disk. */
async function added(actor: Actor) {
  const bytes = image(200_000);
  const before = new Set(store.onDisk());
  const upload = await store.upload(actor, 'image.bin', bytes, 'firmware');
  const [key] = store.onDisk().filter((one) => !before.has(one));
  const firmware = await store.service.as(actor)(addFirmware, { body: bodyOf(upload) });
  return { firmware, fileId: key!, place: join(store.folder, key!.slice(-2), key!), bytes };
}
/** Publishes a task that begins with this firmware, and returns the result of its check. */
async function begun(actor: Actor, id: string, damaged: boolean): Promise<string> {
  const taskId = uuidv7();
  await rig.task(taskId, actor.companyId, { stopped: false, objectId: id });
  await eventually(async () => {
    expect(await rig.look(() => due(taskId))).toEqual([]);
    expect(await store.service.as(actor)(getFirmware, { params: { id } })).toMatchObject({ damaged });
    expect(published.get(id)).toMatchObject({ damaged });
  });
  return taskId;
}
const due = async (taskId: string) =>
  (await currentSql().query('select 1 from task_file_copy where id = $1 and check_due_at is not null', [taskId])).rows;

it('bytes that were changed on disk reach no device and no task until restored [STORE-04/push]', async () => {
  const { actor, to } = await rig.own();
  const { firmware, fileId, place, bytes } = await added(actor);
  const taskId = await begun(actor, firmware.id, false);
  const load = (task = taskId) => rawRequest(at, { path: rig.link(rig.grant(fileId, to, { taskId: task })) });
  expect((await load()).status).toBe(200);

  const changed = Buffer.from(bytes);
  changed[100_000]! ^= 1;
  writeFileSync(place, changed);
  // The task that has begun notices it at the next download, a new one when it begins.
  await eventually(async () => {
    const answer = await load();
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([410, { error: 'file.damaged' }]);
  });
  await eventually(() => expect(published.get(firmware.id)).toMatchObject({ damaged: true }));
  const next = await begun(actor, firmware.id, true);
  expect((await load(next)).status).toBe(410);

  writeFileSync(place, bytes);
  expect(readFileSync(place).equals(bytes)).toBe(true);
  await begun(actor, firmware.id, false);
  await eventually(async () => expect((await load()).status).toBe(200));
});

it('a row whose version was changed beside the service has a wrong signature, also after an edit', async () => {
  const actor = newActor();
  const { firmware } = await added(actor);
  await begun(actor, firmware.id, false);
  const { signature } = published.get(firmware.id)!;
  await rig.look(() => currentSql().query(`update firmware set version = '9.9.9' where id = $1`, [firmware.id]));
  await begun(actor, firmware.id, true);
  expect(published.get(firmware.id)!.signature).toBe(signature);

  const { upload: _, ...fields } = bodyOf('', { version: '9.9.10' });
  await store.service.as(actor)(editFirmware, { body: { id: firmware.id, ...fields } });
  await eventually(() =>
    expect(published.get(firmware.id)).toMatchObject({ version: '9.9.10', damaged: true, signature }),
  );
});

it('an upload with another checksum than the given one is refused, and can still be added with its own', async () => {
  const actor = newActor();
  const upload = await store.upload(actor, 'image.bin', image(20_000), 'firmware');
  const add = (sha256?: string) =>
    store.service.as(actor)(addFirmware, { body: bodyOf(upload, sha256 === undefined ? {} : { sha256 }) });
  await expect(add('ab'.repeat(32))).rejects.toMatchObject({
    error: 'firmware.checksumWrong',
    fields: [{ path: 'sha256', error: 'firmware.checksumWrong' }],
  });
  await expect(add('short')).rejects.toMatchObject({ fields: [{ path: 'sha256', error: 'common.fieldFormat' }] });
  const [row] = await rig.look(
    async () =>
      (
        await currentSql().query<{ sha256: string }>('select sha256 from stored_file where company_id = $1', [
          actor.companyId,
        ])
      ).rows,
  );
  expect(await add(row!.sha256.toUpperCase())).toMatchObject({ sha256: row!.sha256, damaged: false });
});
