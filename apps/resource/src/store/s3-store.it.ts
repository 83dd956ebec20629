import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buffer } from 'node:stream/consumers';
import { addConfigFile, addResourceFile, deleteResourceFile } from '@carillon/contracts';
import { newActor } from '@carillon/testing';
import { canStartS3 } from '@carillon/devtools/s3';
import { testS3, type TestS3 } from '@carillon/testing/s3';
import { readConfig } from '@carillon/service';
import { resourceConfig } from '../config.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';
import { fileDriver } from './chosen-driver.ts';
import { FILES, type FileDriver } from './file-driver.ts';
import { S3Driver } from './s3-driver.ts';

let s3: TestS3;
const isThere = canStartS3();
let store: TestedStore;
let bucket: S3Driver;
beforeAll(async () => {
  if (!isThere) return;
  s3 = await testS3();
  const { endpoint: s3Endpoint, keyId: s3KeyId, keySecret: s3KeySecret } = s3;
  const s3Bucket = s3.bucket();
  bucket = new S3Driver({
    endpoint: s3Endpoint,
    region: 'us-east-1',
    bucket: s3Bucket,
    keyId: s3KeyId,
    keySecret: s3KeySecret,
    pathStyle: true,
  });
  store = await testStore('s3_store_bus', {
    s3Bucket,
    s3Endpoint,
    s3KeyId,
    s3KeySecret,
    s3PathStyle: 'true',
    sweepMs: 3_600_000,
  });
}, 600_000);
afterAll(async () => {
  await store?.close();
  await s3?.stop();
});
async function inBucket(): Promise<string[]> {
  const keys = new Set<string>();
  for await (const key of store.service.app.get<FileDriver>(FILES).idle(-3_600_000)) keys.add(key);
  return [...keys];
}

test.runIf(isThere)(
  'a file in two parts is stored in the bucket, read in ranges, and refused by content without a trace',
  async () => {
    const own = newActor();
    const bytes = Buffer.from(randomBytes(3_500_000).toString('hex'));
    const at = await store.begin(own, 'words.txt', bytes.length);
    for (const from of [0, 6_000_000]) {
      const part = bytes.subarray(from, from === 0 ? 6_000_000 : bytes.length);
      const { status } = await store.tus(own, 'PATCH', at, { 'upload-offset': String(from) }, part);
      expect(status).toBe(204);
      expect((await store.tus(own, 'HEAD', at)).headers['upload-offset']).toBe(String(from + part.length));
    }
    // A client that did not get the response sends the end again.
    expect((await store.tus(own, 'PATCH', at, { 'upload-offset': String(bytes.length) }, Buffer.alloc(0))).status).toBe(
      204,
    );
    const upload = at.split('/').at(-1)!;
    expect(await inBucket()).toEqual([upload]);
    expect(store.onDisk()).toEqual([]);
    const body = { name: 'Words', type: 'image' as const, description: '', uploads: [upload] };
    const file = await store.service.as(own)(addResourceFile, { body });
    const { url, sha256 } = file.files[0]!;
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    const load = (headers: Record<string, string> = {}) =>
      store.service.app
        .getHttpAdapter()
        .getInstance()
        .inject({ url, headers: { ...store.service.headersOf(own), ...headers } });
    const whole = await load();
    expect(whole.rawPayload.equals(bytes)).toBe(true);
    const etag = String(whole.headers['etag']);
    expect((await load({ 'if-none-match': etag })).statusCode).toBe(304);
    const rest = await load({ range: 'bytes=5242000-', 'if-range': etag });
    expect([rest.statusCode, rest.rawPayload.equals(bytes.subarray(5_242_000))]).toEqual([206, true]);

    expect(await store.upload(own, 'wrong.txt', Buffer.alloc(6_000_000))).toBe('415 upload.contentWrong');
    expect(await inBucket()).toEqual([upload]);
    await store.service.as(own)(deleteResourceFile, { query: { id: file.id } });
  },
);

test.runIf(isThere)('a configuration file is sealed in the bucket, and is read as it was uploaded', async () => {
  const own = newActor();
  const bytes = Buffer.from('account.1.password = correct-horse-battery\n'.repeat(200_000)).subarray(0, 4_000_000);
  const before = new Set(await inBucket());
  const upload = await store.upload(own, 'hall.cfg', bytes, 'configFile');
  const { id } = await store.service.as(own)(addConfigFile, {
    body: { name: 'Hall', description: '', models: [], upload },
  });
  const [object] = (await inBucket()).filter((key) => !before.has(key));
  const lies = await buffer(bucket.read(object!));
  expect([lies.length, lies.includes('password'), lies.includes('correct')]).toEqual([bytes.length, false, false]);
  const loaded = await store.service.app
    .getHttpAdapter()
    .getInstance()
    .inject({
      url: `/api/f/resource/configFile/${id}/file`,
      headers: { ...store.service.headersOf(own), range: 'bytes=3999990-' },
    });
  expect([loaded.statusCode, loaded.rawPayload.equals(bytes.subarray(3_999_990))]).toEqual([206, true]);
});

test('a bucket without its key prevents the start', async () => {
  const config = readConfig(
    resourceConfig,
    { filesFolder: '/files', signingKey: randomBytes(32), dataKey: randomBytes(32) } as never,
    {
      CARILLON_S3_BUCKET: 'carillon-files',
    },
  );
  await expect(fileDriver(config)).rejects.toThrow('CARILLON_S3_KEY_SECRET');
});
