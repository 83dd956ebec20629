import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resourceDownload } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, rawRequest } from '@carillon/testing';
import { testStore, type TestedStore } from '../upload/upload-test.ts';
import { downloads, image } from './download-test.ts';

let store: TestedStore;
let rig: ReturnType<typeof downloads>;
let at: { socketPath: string };
let folder: string;
/** What the store told of downloads. */
const published: { type: string; commandId: string; deviceId: string }[] = [];

beforeAll(async () => {
  store = await testStore('phone_download_bus');
  rig = downloads(store);
  folder = mkdtempSync(join(tmpdir(), 'carillon-phone-download-'));
  at = { socketPath: join(folder, 'service.sock') };
  await store.service.app.getHttpAdapter().getInstance().listen({ path: at.socketPath });
  await store.bus.fanout({
    topics: [resourceDownload.name],
    from: 'start',
    handle: ({ records }) => {
      for (const { headers, value } of records)
        published.push({
          type: (headers as { type: string }).type,
          ...(JSON.parse(value!) as Omit<(typeof published)[0], 'type'>),
        });
      return Promise.resolve();
    },
  });
});
afterAll(async () => {
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawRequest(at, { path, headers, method });

test('a phone loads its image under its name only, and the store tells of it [EDGE-08/firmware]', async () => {
  const { actor, to } = await rig.own();
  const fileId = await rig.file(actor, image(50_000));
  const grant = rig.grant(fileId, to);
  const name = 'grp2614fw.bin';
  const typesOf = (id: string) => published.filter(({ commandId }) => commandId === id).map(({ type }) => type);
  // A phone that knows a folder asks there for more.
  expect((await get(rig.phoneLink(grant, name, 'ring1.bin'))).status).toBe(404);
  expect((await get(rig.phoneLink(grant, name), {}, 'HEAD')).status).toBe(200);
  expect((await get(rig.phoneLink(grant, name), { range: 'bytes=0-999' })).status).toBe(206);
  await eventually(() => expect(typesOf(grant.commandId)).toEqual(['begun']));
  // The last byte alone is not the file.
  expect((await get(rig.phoneLink(grant, name), { range: 'bytes=-1' })).status).toBe(206);
  expect((await get(rig.phoneLink(grant, name), { range: 'bytes=2000-' })).status).toBe(206);
  expect(typesOf(grant.commandId)).toEqual(['begun']);
  expect((await get(rig.phoneLink(grant, name), { range: 'bytes=1000-1999' })).status).toBe(206);
  await eventually(() => expect(typesOf(grant.commandId)).toEqual(['begun', 'loaded']));
  // What it loads again is told once.
  expect((await get(rig.phoneLink(grant, name), { range: 'bytes=-1' })).status).toBe(206);
  expect((await get(rig.phoneLink(grant, name))).status).toBe(200);
  expect(published[0]!.deviceId).toBe(to.id);
  // Devices on the link report it themselves.
  const own = rig.grant(fileId, to, { commandId: uuidv7() });
  expect((await get(rig.link(own))).status).toBe(200);
  const next = rig.grant(fileId, to, { commandId: uuidv7() });
  expect((await get(rig.phoneLink(next, name))).status).toBe(200);
  await eventually(() => expect(typesOf(next.commandId)).toEqual(['begun', 'loaded']));
  expect(typesOf(own.commandId)).toEqual([]);
  expect(typesOf(grant.commandId)).toEqual(['begun', 'loaded']);
});
