import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canStartS3 } from '@carillon/devtools/s3';
import { uuidv7 } from '@carillon/persistence';
import { testS3, type TestS3 } from '@carillon/testing/s3';
import { DiskDriver } from './disk-driver.ts';
import type { FileDriver } from './file-driver.ts';
import type { KeyOfFile } from './file-keys.ts';
import { S3Driver } from './s3-driver.ts';
import { SealedFiles } from './sealed-files.ts';

let s3: TestS3;
const isThere = canStartS3();
const folder = mkdtempSync(join(tmpdir(), 'carillon-sealed-'));
beforeAll(async () => {
  if (isThere) s3 = await testS3();
}, 600_000);
afterAll(async () => {
  await s3?.stop();
  rmSync(folder, { recursive: true, force: true });
});
function storeOf(kind: string): FileDriver {
  if (kind === 'the disk') return new DiskDriver(folder);
  const { endpoint, keyId, keySecret } = s3;
  return new S3Driver({
    endpoint,
    region: 'us-east-1',
    bucket: s3.bucket(),
    keyId,
    keySecret,
    pathStyle: true,
  });
}

const secret = 'correct-horse-battery';
const text = (): Buffer =>
  Buffer.from(
    Array.from(
      { length: 3_000 },
      (_, i) => `account.${i}.password = ${secret}-${randomBytes(8).toString('hex')}\n`,
    ).join(''),
  );

describe.each(isThere ? ['the disk', 'a bucket'] : ['the disk'])('sealed files in %s', (kind) => {
  let store: FileDriver;
  const keys = new Map<string, KeyOfFile>();
  let files: SealedFiles;
  beforeAll(() => {
    store = storeOf(kind);
    files = new SealedFiles(store, { keyOf: (id) => Promise.resolve(keys.get(id)) });
  });
  /** Stores bytes in pieces of arbitrary length. */
  async function stored(bytes: Buffer, ends: number[] = []): Promise<string> {
    const id = uuidv7();
    const key = { objectId: id, key: randomBytes(32) };
    keys.set(id, { ...key, sha256: null });
    await files.create(id);
    let at = 0;
    for (const end of [...ends, bytes.length]) {
      await files.append(id, at, Readable.from([bytes.subarray(at, end)]));
      at = end;
    }
    await files.complete(id);
    keys.set(id, { ...key, sha256: createHash('sha256').update(bytes).digest('hex') });
    return id;
  }
  const lies = (id: string): Promise<Buffer> => buffer(store.read(id));

  it('stores nothing readable, and the same file twice has nothing in common', async () => {
    const bytes = text();
    const [one, other] = [await lies(await stored(bytes)), await lies(await stored(bytes))];
    for (const sealed of [one, other]) {
      expect(sealed.length).toBe(bytes.length);
      for (const word of [secret, 'account', 'password']) expect(sealed.includes(word), word).toBe(false);
    }
    expect(one.subarray(0, 64).equals(other.subarray(0, 64))).toBe(false);
  });

  it('returns correct ranges wherever they and the uploaded pieces begin and end', async () => {
    const bytes = text();
    const id = await stored(bytes, [1, 16, 33, 4_096, 4_111, 100_000]);
    expect((await buffer(files.read(id))).equals(bytes)).toBe(true);
    const file = await files.open(id);
    const size = bytes.length;
    for (const [from, to] of [
      [0, 0],
      [1, 15],
      [15, 16],
      [16, 31],
      [17, 65_535],
      [16_383, 16_384],
      [99_999, 100_001],
      [size - 1, size - 1],
      [size - 17, size - 1],
    ] as const) {
      expect((await buffer(files.read(id, from, to))).equals(bytes.subarray(from, to + 1)), `${from}-${to}`).toBe(true);
      const into = [Buffer.alloc(Math.min(5, to - from + 1)), Buffer.alloc(Math.max(0, to - from + 1 - 5))];
      await file.read(into, from);
      expect(Buffer.concat(into).equals(bytes.subarray(from, to + 1)), `${from}-${to}`).toBe(true);
    }
    await file.close();
  });

  it('detects a changed bit, a cut end and another key before it returns any bytes', async () => {
    const bytes = text();
    const refused = async (id: string): Promise<void> => {
      const given: Buffer[] = [];
      await expect(
        (async () => {
          for await (const part of files.read(id, 5, 20)) given.push(part as Buffer);
        })(),
      ).rejects.toThrow('not what was stored');
      expect(given).toEqual([]);
      await expect(files.open(id)).rejects.toThrow('not what was stored');
    };
    const overwritten = async (id: string, with_: Buffer): Promise<void> => {
      await store.remove(id);
      await store.create(id);
      await store.append(id, 0, Readable.from([with_]));
      await store.complete(id);
    };
    const id = await stored(bytes);
    const sealed = await lies(id);
    const turned = Buffer.from(sealed);
    turned[70_001]! ^= 4;
    for (const wrong of [turned, sealed.subarray(0, -1)]) {
      await overwritten(id, wrong);
      await refused(id);
    }
    await overwritten(id, sealed);
    expect((await buffer(files.read(id))).equals(bytes)).toBe(true);
    keys.set(id, { ...keys.get(id)!, key: randomBytes(32) });
    await refused(id);
  });

  it('a file without a key is stored plainly, and sealed later under a new key', async () => {
    const bytes = text();
    const id = uuidv7();
    await files.create(id);
    await files.append(id, 0, Readable.from([bytes]));
    await files.complete(id);
    expect((await lies(id)).includes(secret)).toBe(true);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const key = { objectId: uuidv7(), key: randomBytes(32) };
    await expect(files.seal(id, 'ab'.repeat(32), key)).rejects.toThrow('not what was stored');
    const right = { objectId: uuidv7(), key: randomBytes(32) };
    await files.seal(id, sha256, right);
    expect((await lies(right.objectId)).includes(secret)).toBe(false);
    // Readers in between read the plain one.
    expect((await buffer(files.read(id))).equals(bytes)).toBe(true);
    keys.set(id, { ...right, sha256 });
    expect((await buffer(files.read(id))).equals(bytes)).toBe(true);
    await store.remove(id);
    expect((await buffer(files.read(id, 7, 9))).equals(bytes.subarray(7, 10))).toBe(true);
    expect(await files.size(id)).toBe(bytes.length);
  });
});
