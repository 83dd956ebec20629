import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileDriver, OpenFile } from './file-driver.ts';

const isKey = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Files in a folder that all processes of the service share. */
export class DiskDriver implements FileDriver {
  readonly readBytes = 65_536;

  constructor(private readonly folder: string) {}

  /** Uses the end of the UUIDv7, which is random; its beginning is not. */
  private placeOf(key: string): string {
    if (!isKey.test(key)) throw new Error('no key of a file');
    return join(this.folder, key.slice(-2), key);
  }

  async create(key: string): Promise<void> {
    const place = this.placeOf(key);
    await mkdir(join(place, '..'), { recursive: true, mode: 0o700 });
    await (await open(place, 'wx', 0o600)).close();
  }

  async size(key: string): Promise<number | undefined> {
    try {
      return (await stat(this.placeOf(key))).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async stamp(key: string): Promise<string | undefined> {
    try {
      const { ino, size, mtimeNs, ctimeNs } = await stat(this.placeOf(key), { bigint: true });
      return [ino, size, mtimeNs, ctimeNs].join(' ');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async append(key: string, at: number, source: Readable): Promise<void> {
    await pipeline(source, createWriteStream(this.placeOf(key), { flags: 'r+', start: at }));
  }

  async complete(key: string): Promise<void> {
    const file = await open(this.placeOf(key), 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }

  read(key: string, from = 0, to = Infinity): Readable {
    return createReadStream(this.placeOf(key), { start: from, end: to });
  }

  async open(key: string): Promise<OpenFile> {
    const file = await open(this.placeOf(key), 'r');
    return {
      async read(into, at) {
        const wanted = into.reduce((sum, { length }) => sum + length, 0);
        const { bytesRead } = await file.readv(into, at);
        if (bytesRead < wanted) throw new Error('a file is shorter than it was');
      },
      close: () => file.close(),
    };
  }

  async remove(key: string): Promise<void> {
    await rm(this.placeOf(key), { force: true });
  }

  async *idle(ms: number): AsyncIterable<string> {
    for (const part of await readdir(this.folder).catch(() => [])) {
      for (const key of await readdir(join(this.folder, part)).catch(() => [])) {
        if (!isKey.test(key)) continue;
        const { mtimeMs } = await stat(this.placeOf(key)).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < Date.now() - ms) yield key;
      }
    }
  }

  async room(): Promise<number> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.folder);
    return bavail * bsize;
  }
}
