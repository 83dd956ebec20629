import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import type { KeptFile } from '../upload/upload.queries.ts';
import { FILES, type FileDriver } from './file-driver.ts';
import { Lane, LaneFull } from './lane.ts';

const log = createLogger('store');
/** Files whose result is remembered. */
const rememberedMost = 1_000;
/** A file of at most so many bytes does not wait for a larger one. */
const smallBytes = 67_108_864;
/** Files that may wait when a download asks for another one: each lane reads what waits in less than a minute. */
export const mostWaiting = { small: 64, large: 8 } as const;

type Bytes = Pick<KeptFile, 'id' | 'size' | 'sha256'>;
interface Known {
  stamp: string | undefined;
  lookedAt: number;
  isWhole: Promise<boolean>;
}

/** Compares stored bytes with their checksum, once for as long as the store says that they have not changed. */
@Injectable()
export class Integrity {
  private readonly known = new Map<string, Known>();
  /** At most one file of each kind is read at a time: more at once would only wait for the same disk. */
  private readonly lanes = { small: new Lane(), large: new Lane() };

  constructor(@Inject(FILES) private readonly files: FileDriver) {}

  /** Files that wait for their comparison or are being compared. */
  get waiting(): number {
    return this.lanes.small.length + this.lanes.large.length;
  }

  /**
   * Returns whether the bytes are those that were stored, as of at most `lookMs` ago. Throws `LaneFull` when the file
   * must be read and `most` others of its kind wait already.
   */
  async isWhole(
    file: Bytes,
    { lookMs = 0, most }: { lookMs?: number; most?: typeof mostWaiting } = {},
  ): Promise<boolean> {
    const before = this.known.get(file.id);
    if (before && Date.now() - before.lookedAt < lookMs) return before.isWhole;
    const stamp = await this.files.stamp(file.id);
    const known = this.known.get(file.id);
    if (known && known.stamp === stamp) {
      known.lookedAt = Date.now();
      return known.isWhole;
    }
    const kind = file.size <= smallBytes ? 'small' : 'large';
    if (most && this.lanes[kind].length >= most[kind]) throw new LaneFull();
    return this.look(file, stamp, this.lanes[kind]);
  }

  private look(file: Bytes, stamp: string | undefined, lane: Lane): Promise<boolean> {
    const isWhole = lane.add(async () => stamp !== undefined && (await this.matches(file)));
    // A file that could not be read is read again by the next caller.
    isWhole.catch(() => this.known.delete(file.id));
    this.known.set(file.id, { stamp, lookedAt: Date.now(), isWhole });
    if (this.known.size > rememberedMost) this.known.delete(this.known.keys().next().value!);
    return isWhole;
  }

  private async matches({ id, size, sha256 }: Bytes): Promise<boolean> {
    if ((await this.files.size(id)) !== size) return false;
    const sum = createHash('sha256');
    await pipeline(this.files.read(id), sum);
    const isSame = sum.digest('hex') === sha256;
    if (!isSame) log.error({ file: id }, 'a stored file is not what was uploaded');
    return isSame;
  }
}
