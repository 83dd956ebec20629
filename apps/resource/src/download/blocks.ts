import { createLogger } from '@carillon/observability';
import type { FileDriver, OpenFile } from '../store/file-driver.ts';

const log = createLogger('download');
/** Size of one write to a socket. Small, because each of ten thousand stalled clients holds one. */
export const blockBytes = 16_384;
/** Further reads would wait for the same disk and hold memory. */
const readsAtOnce = 16;

type Group = Buffer[] | Promise<Buffer[]>;

/** Blocks of files in use, shared by all downloads: a second reader causes no disk read. */
export class Blocks {
  /** Most recently used last. */
  private readonly groups = new Map<string, Group>();
  private readonly open = new Map<string, { file: Promise<OpenFile>; users: number }>();
  private readonly queue: (() => void)[] = [];
  private reading = 0;
  /** Number of disk reads. */
  reads = 0;

  constructor(
    private readonly driver: FileDriver,
    private readonly cacheBytes: number,
  ) {}

  /** Keeps a file open; each hold is released once. */
  async hold(id: string): Promise<void> {
    const known = this.open.get(id) ?? { file: this.driver.open(id), users: 0 };
    known.users++;
    this.open.set(id, known);
    try {
      await known.file;
    } catch (error) {
      if (this.open.get(id) === known) this.open.delete(id);
      throw error;
    }
  }

  letGo(id: string): void {
    const known = this.open.get(id);
    if (!known || --known.users > 0) return;
    this.open.delete(id);
    known.file
      .then((file) => file.close())
      .catch((err: unknown) => log.warn({ err, file: id }, 'a file could not be closed'));
  }

  /** Returns the block with byte `at`, of a held file of `size` bytes. */
  get(id: string, size: number, at: number): Buffer | Promise<Buffer> {
    const { readBytes } = this.driver;
    const begin = at - (at % readBytes);
    const n = Math.floor((at - begin) / blockBytes);
    const key = `${id} ${begin}`;
    const known = this.groups.get(key) ?? this.read(id, begin, Math.min(readBytes, size - begin), key);
    this.groups.delete(key);
    this.groups.set(key, known);
    for (const oldest of this.groups.keys()) {
      if (this.groups.size * readBytes <= this.cacheBytes) break;
      this.groups.delete(oldest);
    }
    return Array.isArray(known) ? known[n]! : known.then((blocks) => blocks[n]!);
  }

  private read(id: string, begin: number, length: number, key: string): Promise<Buffer[]> {
    const reading: Promise<Buffer[]> = this.inTurn(async () => {
      const held = this.open.get(id);
      if (!held) throw new Error('a file is read that nobody holds');
      this.reads++;
      const blocks: Buffer[] = [];
      for (let at = 0; at < length; at += blockBytes)
        blocks.push(Buffer.allocUnsafeSlow(Math.min(blockBytes, length - at)));
      await (await held.file).read(blocks, begin);
      return blocks;
    });
    const isKept = (): boolean => this.groups.get(key) === reading;
    reading.then(
      (blocks) => isKept() && this.groups.set(key, blocks),
      // A failed read is not cached.
      () => isKept() && this.groups.delete(key),
    );
    return reading;
  }

  private async inTurn<T>(read: () => Promise<T>): Promise<T> {
    if (this.reading >= readsAtOnce) await new Promise<void>((turn) => this.queue.push(turn));
    else this.reading++;
    try {
      return await read();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.reading--;
    }
  }
}
