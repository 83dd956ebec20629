import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addFirmware, getFirmware, makeFirmwareDelta } from '@carillon/contracts';
import { canStartS3 } from '@carillon/devtools/s3';
import { currentSql, platform } from '@carillon/persistence';
import { eventually, newActor } from '@carillon/testing';
import { testS3, type TestS3 } from '@carillon/testing/s3';
import { FILES, type FileDriver } from '../store/file-driver.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';
import { applied } from './delta-test.ts';

let s3: TestS3;
const isThere = canStartS3();
let store: TestedStore;
beforeAll(async () => {
  if (!isThere) return;
  s3 = await testS3();
  const { endpoint: s3Endpoint, keyId: s3KeyId, keySecret: s3KeySecret } = s3;
  store = await testStore('delta_bucket_bus', {
    s3Bucket: s3.bucket(),
    s3Endpoint,
    s3KeyId,
    s3KeySecret,
    s3PathStyle: 'true',
  });
}, 600_000);
afterAll(async () => {
  await store?.close();
  await s3?.stop();
});

test.runIf(isThere)(
  'makes a differential package of several parts in a bucket, which turns one image into the other',
  async () => {
    const own = newActor();
    const call = store.service.as(own);
    const shared = randomBytes(9_000_000);
    const images = [shared, Buffer.concat([randomBytes(5_500_000), shared])].map((bytes) =>
      Buffer.concat([Buffer.from([0, 1, 2]), bytes]),
    );
    const add = async (version: string, bytes: Buffer) =>
      call(addFirmware, {
        body: {
          name: 'Desk',
          version,
          models: ['X7A'],
          description: '',
          least: null,
          notice: { whom: 'nobody', at: null },
          upload: await store.upload(own, 'a.bin', bytes, 'firmware'),
        },
      });
    const [from, to] = [await add('1.0', images[0]!), await add('1.1', images[1]!)];
    await call(makeFirmwareDelta, { body: { firmwareId: to.id, fromId: from.id } });
    const delta = await eventually(async () => {
      const { deltas } = await call(getFirmware, { params: { id: to.id } });
      expect(deltas).toHaveLength(1);
      return deltas[0]!;
    }, 60_000);
    const { rows } = await platform(store.service.database, 'look', () =>
      currentSql().query<{ id: string }>('select id from stored_file where sha256 = $1', [delta.sha256]),
    );
    const bytes = await buffer(store.service.app.get<FileDriver>(FILES).read(rows[0]!.id));
    expect(bytes.length).toBe(delta.size);
    expect(applied(bytes, images[0]!).equals(images[1]!)).toBe(true);
    expect(store.onDisk()).toEqual([]);
  },
  120_000,
);
