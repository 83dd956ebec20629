import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from '@carillon/persistence';
import { canStartS3 } from '@carillon/devtools/s3';
import { testS3, type TestS3 } from '@carillon/testing/s3';
import { DiskDriver } from './disk-driver.ts';
import type { FileDriver } from './file-driver.ts';
import type { KeyOfFile } from './file-keys.ts';
import { S3Driver } from './s3-driver.ts';
import { SealedFiles } from './sealed-files.ts';

/** Tests for the drivers of disk and bucket, sealed or not, against real stores. */
let s3: TestS3;
const isThere = canStartS3();
if (!isThere) process.stdout.write('file-driver.it.ts: a bucket is tried where Go is, which builds the S3 store.\n');
const folders: string[] = [];
beforeAll(async () => {
  if (isThere) s3 = await testS3();
}, 600_000);
afterAll(async () => {
  await s3?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Each call simulates another process with the same store. */
function newStore(kind: string): () => FileDriver {
  if (kind.endsWith(', sealed')) {
    const store = newStore(kind.slice(0, -', sealed'.length));
    const keys = new Map<string, KeyOfFile>();
    const fileOf = (id: string): Promise<KeyOfFile> => {
      const key = keys.get(id) ?? { objectId: id, key: randomBytes(32), sha256: null };
      keys.set(id, key);
      return Promise.resolve(key);
    };
    return () => new SealedFiles(store(), { keyOf: fileOf });
  }
  if (kind === 'a bucket') {
    const { endpoint, keyId, keySecret } = s3;
    const bucket = s3.bucket();
    return () => new S3Driver({ endpoint, region: 'us-east-1', bucket, keyId, keySecret, pathStyle: true });
  }
  const folder = mkdtempSync(join(tmpdir(), 'carillon-files-'));
  folders.push(folder);
  return () => new DiskDriver(folder);
}

/** Splits bytes into pieces as from a network. */
const pieces = (bytes: Buffer, length = 65_000): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / length) }, (_, n) => bytes.subarray(n * length, (n + 1) * length)),
  );
/** A stream that fails after the bytes. */
const broken = (bytes: Buffer): Readable =>
  Readable.from(
    (async function* () {
      yield* pieces(bytes);
      throw new Error('the line broke');
    })(),
  );
async function keysOf(driver: FileDriver, ms: number): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const key of driver.idle(ms)) keys.add(key);
  return keys;
}

const kinds = (isThere ? ['the disk', 'a bucket'] : ['the disk']).flatMap((kind) => [kind, `${kind}, sealed`]);

describe.each(kinds)('files in %s', (kind) => {
  it.each([1, 70_000, 5_242_880, 5_242_881, 12_000_000])(
    'a file of %i bytes is read as it was written, completely and in ranges',
    async (size) => {
      const driver = newStore(kind)();
      const key = uuidv7();
      const bytes = randomBytes(size);
      expect(await driver.size(key)).toBeUndefined();
      expect(await driver.stamp(key)).toBeUndefined();
      await driver.create(key);
      expect(await driver.size(key)).toBe(0);
      await driver.append(key, 0, pieces(bytes));
      expect(await driver.size(key)).toBe(size);
      await driver.complete(key);
      expect(await driver.size(key)).toBe(size);
      const stamp = await driver.stamp(key);
      expect([stamp, await driver.stamp(key)]).toEqual([expect.any(String), stamp]);
      expect((await buffer(driver.read(key))).equals(bytes)).toBe(true);
      const [from, to] = [Math.floor(size / 3), Math.floor((size * 2) / 3)];
      expect((await buffer(driver.read(key, from, to))).equals(bytes.subarray(from, to + 1))).toBe(true);
      const file = await driver.open(key);
      const into = [Buffer.alloc(Math.min(16_384, size - from)), Buffer.alloc(0)];
      await file.read(into, from);
      expect(into[0]!.equals(bytes.subarray(from, from + into[0]!.length))).toBe(true);
      await expect(file.read([Buffer.alloc(100)], size - 50 < 0 ? 0 : size - 50)).rejects.toThrow('shorter');
      await file.close();
    },
  );

  it('received bytes survive a broken connection, and another process continues [STORE-01/driver]', async () => {
    const store = newStore(kind);
    const key = uuidv7();
    const bytes = randomBytes(13_000_000);
    await store().create(key);
    // One part and a tail, less than a part, across the border of a part, and the rest.
    const ends = [6_000_000, 6_000_001, 10_400_000, 13_000_000];
    let at = 0;
    for (const end of ends) {
      await expect(store().append(key, at, broken(bytes.subarray(at, end)))).rejects.toThrow('the line broke');
      // The disk may have missed the last bytes; the bucket has all of them.
      const stayed = (await store().size(key))!;
      expect(stayed).toBeGreaterThanOrEqual(kind.startsWith('the disk') ? at : end);
      expect(stayed).toBeLessThanOrEqual(end);
      at = stayed;
    }
    await store().append(key, at, pieces(bytes.subarray(at)));
    await store().complete(key);
    // A process that died before noticing the completion repeats it.
    await store().complete(key);
    const sum = createHash('sha256');
    await pipeline(store().read(key), sum);
    expect(sum.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('an empty part changes nothing', async () => {
    const driver = newStore(kind)();
    const key = uuidv7();
    await driver.create(key);
    await driver.append(key, 0, pieces(Buffer.from('one')));
    await driver.append(key, 3, pieces(Buffer.alloc(0)));
    expect(await driver.size(key)).toBe(3);
    await driver.append(key, 3, pieces(Buffer.from(' two')));
    await driver.complete(key);
    expect((await buffer(driver.read(key))).toString()).toBe('one two');
  });

  it('lists idle files, complete or partial, and a removed file is gone', async () => {
    const store = newStore(kind);
    const driver = store();
    const [whole, half, tail] = [uuidv7(), uuidv7(), uuidv7()];
    for (const key of [whole, half, tail]) await driver.create(key);
    await driver.append(whole, 0, pieces(randomBytes(100)));
    await driver.complete(whole);
    await driver.append(tail, 0, pieces(randomBytes(6_000_000)));
    expect(await keysOf(driver, 3_600_000)).toEqual(new Set());
    // A time in the future includes everything.
    expect(await keysOf(driver, -3_600_000)).toEqual(new Set([whole, half, tail]));
    for (const key of [whole, half, tail, uuidv7()]) await driver.remove(key);
    expect(await keysOf(store(), -3_600_000)).toEqual(new Set());
    for (const key of [whole, half, tail]) expect(await driver.size(key)).toBeUndefined();
    await expect(driver.open(whole)).rejects.toThrow();
    await expect(buffer(driver.read(whole))).rejects.toThrow();
  });

  it('an invalid key cannot reach another path', async () => {
    const driver = newStore(kind)();
    for (const key of ['', '../x', 'tail/x', `${uuidv7()}/1`])
      await expect(driver.create(key), key).rejects.toThrow('no key of a file');
  });
});
