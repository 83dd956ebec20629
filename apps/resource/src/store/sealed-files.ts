import { createCipheriv, createHash, type Cipheriv } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { FileDriver, OpenFile } from './file-driver.ts';
import type { FileKeys, KeyOfFile } from './file-keys.ts';

/**
 * Returns an AES-256-CTR cipher from the byte `at` on, so that any range can be read. The counter begins at zero,
 * because each file has its own key. Encryption and decryption are the same operation.
 */
function cipherAt(key: Buffer, at: number): Cipheriv {
  const counter = Buffer.alloc(16);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 16)), 8);
  const cipher = createCipheriv('aes-256-ctr', key, counter);
  cipher.update(Buffer.alloc(at % 16));
  return cipher;
}

/** Transforms each part of a stream; parts before a failure are emitted first. */
const through = (source: Readable, make: (part: Buffer) => Buffer): Readable =>
  Readable.from(
    (async function* () {
      for await (const part of source as AsyncIterable<Buffer>) yield make(part);
    })(),
  );

/**
 * A store in which files with a key are sealed, so that neither disk, bucket nor a copy reveals their content. Others
 * are stored plainly. `remove` and `idle` use keys of the store, everything else uses file ids.
 *
 * A stream cipher does not detect changed bits, so the checksum of a sealed file in the database is compared before any
 * of it is returned. Such files are small (`configFileMaximum`).
 */
export class SealedFiles implements FileDriver {
  readonly readBytes: number;

  constructor(
    private readonly store: FileDriver,
    private readonly keys: Pick<FileKeys, 'keyOf'>,
  ) {
    this.readBytes = store.readBytes;
  }

  async create(id: string): Promise<void> {
    await this.store.create(await this.placeOf(id));
  }

  async size(id: string): Promise<number | undefined> {
    return this.store.size(await this.placeOf(id));
  }

  async stamp(id: string): Promise<string | undefined> {
    return this.store.stamp(await this.placeOf(id));
  }

  async append(id: string, at: number, source: Readable): Promise<void> {
    // The source may fail before it is read; the reader gets the error.
    source.once('error', () => undefined);
    const key = await this.keys.keyOf(id);
    if (!key) return this.store.append(id, at, source);
    const cipher = cipherAt(key.key, at);
    return this.store.append(
      key.objectId,
      at,
      through(source, (part) => cipher.update(part)),
    );
  }

  async complete(id: string): Promise<void> {
    await this.store.complete(await this.placeOf(id));
  }

  read(id: string, from = 0, to = Infinity): Readable {
    return Readable.from(this.parts(id, from, to), { objectMode: false, highWaterMark: 1 });
  }

  private async *parts(id: string, from: number, to: number): AsyncGenerator<Buffer> {
    const key = await this.checked(id);
    const cipher = key && cipherAt(key.key, from);
    for await (const part of this.store.read(key?.objectId ?? id, from, to) as AsyncIterable<Buffer>)
      yield cipher ? cipher.update(part) : part;
  }

  async open(id: string): Promise<OpenFile> {
    const key = await this.checked(id);
    if (!key) return this.store.open(id);
    const file = await this.store.open(key.objectId);
    return {
      async read(into, at) {
        await file.read(into, at);
        const cipher = cipherAt(key.key, at);
        for (const bytes of into) cipher.update(bytes).copy(bytes);
      },
      close: () => file.close(),
    };
  }

  remove(place: string): Promise<void> {
    return this.store.remove(place);
  }

  idle(ms: number): AsyncIterable<string> {
    return this.store.idle(ms);
  }

  room(): Promise<number> {
    return this.store.room();
  }

  /** Writes a plain file again, sealed; fails when its content differs from the checksum. */
  async seal(id: string, sha256: string, { objectId, key }: Pick<KeyOfFile, 'objectId' | 'key'>): Promise<void> {
    const sum = createHash('sha256');
    const cipher = cipherAt(key, 0);
    await this.store.create(objectId);
    await this.store.append(
      objectId,
      0,
      through(this.store.read(id), (part) => {
        sum.update(part);
        return cipher.update(part);
      }),
    );
    await this.store.complete(objectId);
    if (sum.digest('hex') !== sha256) throw new Error('a file is not what was stored');
  }

  private async placeOf(id: string): Promise<string> {
    return (await this.keys.keyOf(id))?.objectId ?? id;
  }

  private async checked(id: string): Promise<KeyOfFile | undefined> {
    const key = await this.keys.keyOf(id);
    if (key === undefined || key.sha256 === null) return key;
    const cipher = cipherAt(key.key, 0);
    const sum = createHash('sha256');
    await pipeline(
      through(this.store.read(key.objectId), (part) => cipher.update(part)),
      sum,
    );
    if (sum.digest('hex') !== key.sha256) throw new Error('a sealed file is not what was stored');
    return key;
  }
}
