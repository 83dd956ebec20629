import { createLogger } from '@carillon/observability';
import type { FileDriver, OpenFile } from '../store/file-driver.ts';

const log = createLogger('download');
/** What one write to a socket holds. Small, because ten thousand clients who stand still hold one each. */
export const blockBytes = 16_384;
/** More would wait for the same disk, with their memory. */
const readsAtOnce = 16;

type Group = Buffer[] | Promise<Buffer[]>;

/** Blocks of files that are being loaded, shared by everybody who loads them: who comes second reads no disk. */
export class Blocks {
  /** The one used last stands last. */
  private readonly groups = new Map<string, Group>();
  private readonly open = new Map<string, { file: Promise<OpenFile>; users: number }>();
  private readonly queue: (() => void)[] = [];
  private reading = 0;
  /** How often the disk was read. */
  reads = 0;

  constructor(
    private readonly driver: FileDriver,
    private readonly cacheBytes: number,
  ) {}

  /** A file that is held stays open; each hold is let go once. */
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

  /** The block that has the byte `at`, of a file of `size` bytes that is held. */
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
      // What could not be read is asked of the disk again.
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
