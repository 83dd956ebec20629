import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigFile,
  addResourceFile,
  deleteConfigFile,
  editConfigFile,
  getFileKey,
  renewFileKey,
  restoreConfigFiles,
} from '@carillon/contracts';
import { currentSql, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, rawRequest, type Actor, type TestedService } from '@carillon/testing';
import { downloads } from '../download/download-test.ts';
import { FileKeys } from '../store/file-keys.ts';
import { Sweep } from '../store/sweep.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';

/** Configuration files as stored in the folder of the service. */
let store: TestedStore;
let rig: ReturnType<typeof downloads>;
let sockets: string;
beforeAll(async () => {
  store = await testStore('config_file_sealed_bus', { sweepMs: 3_600_000, keyTickMs: 50, keyGraceSeconds: 0 });
  rig = downloads(store);
  sockets = mkdtempSync(join(tmpdir(), 'carillon-sealed-'));
  await listen(store.service, 'one');
});
afterAll(async () => {
  await store?.close();
  rmSync(sockets, { recursive: true, force: true });
});

const listen = ({ app }: TestedService, name: string) =>
  app
    .getHttpAdapter()
    .getInstance()
    .listen({ path: join(sockets, name) });
const secret = 'correct-horse-battery';
let texts = 0;
const text = (): Buffer =>
  Buffer.from(`account.1.label = Desk ${++texts}\naccount.1.password = ${secret}\n`.repeat(900));
const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const add = async (actor: Actor, name: string, bytes: Buffer) =>
  store.service.as(actor)(addConfigFile, {
    body: { name, description: '', models: [], upload: await store.upload(actor, 'hall.cfg', bytes, 'configFile') },
  });
const person = async (actor: Actor, id: string, service = store.service) => {
  const answer = await service.app
    .getHttpAdapter()
    .getInstance()
    .inject({
      method: 'GET',
      url: `/api/f/resource/configFile/${id}/file`,
      headers: service.headersOf(actor),
    });
  return { status: answer.statusCode, bytes: answer.rawPayload };
};
/** Returns the id of a record's bytes. */
const fileOf = async (id: string): Promise<string> =>
  rig.look(
    async () =>
      (
        await currentSql().query<{ id: string }>(`select files -> 0 ->> 'id' as id from config_file where id = $1`, [
          id,
        ])
      ).rows[0]!.id,
  );
const keyRow = (fileId: string) =>
  rig.look(
    async () =>
      (
        await currentSql().query<{ object_id: string; sealed: string; company_id: string }>(
          'select object_id, sealed, company_id from file_key where id = $1',
          [fileId],
        )
      ).rows[0],
  );
const pathOf = (objectId: string): string => join(store.folder, objectId.slice(-2), objectId);
const sweep = () => store.service.app.get(Sweep).forget();
/** Returns the files of the folder that contain the word. */
const seen = (word: string): string[] =>
  readdirSync(store.folder).flatMap((part) =>
    readdirSync(join(store.folder, part)).filter((name) => readFileSync(join(store.folder, part, name)).includes(word)),
  );
/** Runs `work` in a process without any cached state. */
async function fresh<T>(work: (service: TestedService, socket: string) => Promise<T>): Promise<T> {
  const other = await store.another();
  const name = uuidv7();
  try {
    await listen(other, name);
    return await work(other, join(sockets, name));
  } finally {
    await other.close();
  }
}

test('no byte of a configuration file is readable on disk, and every process serves it whole', async () => {
  const own = newActor();
  const bytes = text();
  const at = await store.begin(own, 'hall.cfg', bytes.length, 'configFile');
  for (const [from, to] of [
    [0, 333],
    [333, bytes.length],
  ] as const) {
    await store.tus(own, 'PATCH', at, { 'upload-offset': String(from) }, bytes.subarray(from, to));
    expect(seen(secret)).toEqual([]);
    expect(seen('account')).toEqual([]);
  }
  const upload = at.split('/').at(-1)!;
  const made = await store.service.as(own)(addConfigFile, {
    body: { name: 'Hall', description: '', models: [], upload },
  });
  expect((await person(own, made.id)).bytes.equals(bytes)).toBe(true);
  const to = await rig.publishDevice({ companyId: own.companyId });
  const fileId = await fileOf(made.id);
  const parts = async (socketPath: string): Promise<void> => {
    for (const [range, from, end] of [
      [undefined, 0, bytes.length - 1],
      ['bytes=17-16384', 17, 16_384],
      ['bytes=16383-', 16_383, bytes.length - 1],
      ['bytes=-3', bytes.length - 3, bytes.length - 1],
    ] as const) {
      const { text: got } = await rawRequest(
        { socketPath },
        { path: rig.link(rig.grant(fileId, to)), headers: range ? { range } : {} },
      );
      expect(got, range ?? 'whole').toBe(bytes.subarray(from, end + 1).toString());
    }
  };
  await parts(join(sockets, 'one'));
  await fresh(async (service, socket) => {
    expect((await person(own, made.id, service)).bytes.equals(bytes)).toBe(true);
    await parts(socket);
  });
  const next = text();
  const call = store.service.as(own);
  await call(editConfigFile, {
    body: {
      id: made.id,
      name: 'Hall',
      description: '',
      models: [],
      upload: await store.upload(own, 'hall.cfg', next, 'configFile'),
    },
  });
  await call(deleteConfigFile, { query: { id: made.id } });
  await call(restoreConfigFiles, { body: { ids: [made.id] } });
  expect((await person(own, made.id)).bytes.equals(next)).toBe(true);
  expect(seen(secret)).toEqual([]);
});

test('the key of a file opens this file for its company only, and changed bytes are refused', async () => {
  const [own, stranger] = [newActor(), newActor()];
  const bytes = text();
  const [mine, theirs] = [await add(own, 'Mine', bytes), await add(stranger, 'Theirs', text())];
  const [fileId, otherId] = [await fileOf(mine.id), await fileOf(theirs.id)];
  const keep = (await keyRow(fileId))!;
  const change = (sealed: string, companyId: string) =>
    rig.look(() =>
      currentSql().query('update file_key set sealed = $2, company_id = $3 where id = $1', [fileId, sealed, companyId]),
    );
  for (const [sealed, companyId] of [
    [keep.sealed, stranger.companyId],
    [(await keyRow(otherId))!.sealed, stranger.companyId],
    [(await keyRow(otherId))!.sealed, own.companyId],
  ] as const) {
    await change(sealed, companyId);
    await fresh(async (service) => {
      await expect(service.app.get(FileKeys).keyOf(fileId)).rejects.toThrow('cannot be opened');
      const answer = await person(own, mine.id, service);
      expect([answer.status, answer.bytes.includes(secret)]).toEqual([500, false]);
    });
  }
  await change(keep.sealed, own.companyId);
  expect((await person(own, mine.id)).bytes.equals(bytes)).toBe(true);

  const path = pathOf(keep.object_id);
  const right = readFileSync(path);
  const turned = Buffer.from(right);
  turned[40_000]! ^= 1;
  writeFileSync(path, turned);
  const to = await rig.publishDevice({ companyId: own.companyId });
  const device = () => rawRequest({ socketPath: join(sockets, 'one') }, { path: rig.link(rig.grant(fileId, to)) });
  const answer = await person(own, mine.id);
  expect([answer.status, answer.bytes.includes('account')]).toEqual([500, false]);
  expect(await device()).toMatchObject({ status: 410, json: { error: 'file.linkOver' } });
  writeFileSync(path, right);
  expect((await person(own, mine.id)).bytes.equals(bytes)).toBe(true);
  expect((await device()).text).toBe(bytes.toString());
});

test('a plain configuration file stays readable, and is sealed by the next sweep', async () => {
  const own = newActor();
  const bytes = text();
  const plain = await store.upload(own, 'words.txt', bytes, 'resourceFile');
  const words = await store.service.as(own)(addResourceFile, {
    body: { name: 'Words', type: 'image', description: '', uploads: [plain] },
  });
  const made = await add(own, 'Hall', bytes);
  const fileId = await fileOf(made.id);
  expect(seen(secret)).toEqual([fileId]);
  const resource = async (service = store.service) =>
    (
      await service.app
        .getHttpAdapter()
        .getInstance()
        .inject({ url: words.files[0]!.url, headers: service.headersOf(own) })
    ).rawPayload;
  const isRead = async (service = store.service): Promise<void> => {
    for (const got of [(await person(own, made.id, service)).bytes, await resource(service)])
      expect(sumOf(got)).toBe(sumOf(bytes));
  };
  await isRead();
  await sweep();
  const { object_id: objectId } = (await keyRow(fileId))!;
  expect(objectId).not.toBe(fileId);
  expect(seen(secret)).toEqual([fileId]);
  await isRead();
  // Current readers of the plain one have an hour for it.
  const longAgo = new Date(Date.now() - 7_200_000);
  for (const id of [fileId, objectId]) utimesSync(pathOf(id), longAgo, longAgo);
  await sweep();
  expect(seen(secret)).toEqual([fileId]);
  await rig.look(() =>
    currentSql().query(`update file_key set made_at = now() - interval '2 hours' where id = $1`, [fileId]),
  );
  await sweep();
  expect(seen(secret)).toEqual([]);
  await isRead();
  await fresh(isRead);
});

test('a new company key re-encrypts only the keys of its files, and the old key is destroyed', async () => {
  const [own, stranger] = [newActor(), newActor()];
  const bytes = text();
  const [mine, theirs] = [await add(own, 'Mine', bytes), await add(stranger, 'Theirs', text())];
  const [fileId, otherId] = [await fileOf(mine.id), await fileOf(theirs.id)];
  const [before, otherBefore] = [(await keyRow(fileId))!, (await keyRow(otherId))!];
  const lay = readFileSync(pathOf(before.object_id));
  await store.service.as(own)(renewFileKey);
  await eventually(async () =>
    expect((await store.service.as(own)(getFileKey)).renewal).toMatchObject({ status: 'done', done: 1, total: 1 }),
  );
  const after = (await keyRow(fileId))!;
  expect([before.sealed.split('.')[0], after.sealed.split('.')[0]]).toEqual(['1', '2']);
  expect(await keyRow(otherId)).toEqual(otherBefore);
  expect(readFileSync(pathOf(after.object_id)).equals(lay)).toBe(true);
  const versions = await rig.look(() =>
    currentSql().query<{ version: number }>('select version from data_key where company_id = $1', [own.companyId]),
  );
  expect(versions.rows).toEqual([{ version: 2 }]);
  expect((await person(own, mine.id)).bytes.equals(bytes)).toBe(true);
  await fresh(async (service) => expect((await person(own, mine.id, service)).bytes.equals(bytes)).toBe(true));
});
