import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import type { KeptFile } from '../upload/upload.queries.ts';
import { FILES, type FileDriver } from './file-driver.ts';

const log = createLogger('store');
/** Files whose result is remembered. */
const rememberedMost = 1_000;

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
  /** Files are read one after the other: several at once would only wait for the same disk. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(@Inject(FILES) private readonly files: FileDriver) {}

  /** Returns whether the bytes are those that were stored, as of at most `lookMs` ago. */
  async isWhole(file: Bytes, lookMs = 0): Promise<boolean> {
    const before = this.known.get(file.id);
    if (before && Date.now() - before.lookedAt < lookMs) return before.isWhole;
    const stamp = await this.files.stamp(file.id);
    const known = this.known.get(file.id);
    if (known && known.stamp === stamp) {
      known.lookedAt = Date.now();
      return known.isWhole;
    }
    return this.look(file, stamp);
  }

  private look(file: Bytes, stamp: string | undefined): Promise<boolean> {
    const isWhole = this.turn.then(() => stamp !== undefined && this.matches(file));
    this.turn = isWhole.catch(() => undefined);
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
