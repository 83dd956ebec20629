import { createHash, type Hash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { apkNameLength } from '@carillon/contracts/constants';
import type { UploadRules } from '@carillon/contracts';
import {
  columns,
  currentEntities,
  currentSql,
  Database,
  holdLock,
  sessionOf,
  transaction,
  uuidv7,
} from '@carillon/persistence';
import { auditedTransaction, CONFIG, fail, found, type AuditNote } from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { ResourceConfig } from '../config.ts';
import { extensionOf, flawOf } from '../content/content.ts';
import type { FileBytes } from '../content/file-bytes.ts';
import { StorageService } from '../storage/storage.service.ts';
import { FILES, type FileDriver } from '../store/file-driver.ts';
import { FileKeys } from '../store/file-keys.ts';
import { Upload } from './upload.entity.ts';
import { storeBytes } from './upload.queries.ts';

/** Most uploads of one user that are not completed or saved. */
const unfinished = 50;
const nameLength = 255;
const leaseSeconds = 30;
/** Checksums computed while parts arrive; any other is computed at the end from the stored bytes. */
const mostSums = 200;

const uploadColumns = columns(Upload, 'u', ['id', 'name', 'size', 'storedId', 'expiresAt']);
interface UploadRow {
  id: string;
  name: string;
  size: number;
  storedId: string | null;
}

/** Uploads in parts, checked when they are complete (STORE-05). */
@Injectable()
export class UploadService implements OnApplicationShutdown {
  private readonly sums = new Map<string, { hash: Hash; at: number }>();
  /** Parts that are arriving in this process. */
  private readonly arriving = new Map<string, { source: Readable; ended: Promise<void> }>();

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: ResourceConfig,
    @Inject(FILES) private readonly files: FileDriver,
    private readonly storage: StorageService,
    private readonly keys: FileKeys,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    for (const { source } of this.arriving.values()) source.destroy();
    await Promise.all([...this.arriving.values()].map(({ ended }) => ended));
  }

  rules({ extensions, maximum }: UploadRules): UploadRules {
    return { extensions, maximum: Math.min(maximum, this.config.uploadMaximum) };
  }

  private own<T>(work: () => Promise<T>): Promise<T> {
    return transaction(this.database, sessionOf(context()), work);
  }

  /** Begins an upload; the bytes of a `secret` one are sealed as they arrive. */
  async add(noun: string, rules: UploadRules, name: string, size: number, secret: boolean): Promise<Upload> {
    const { extensions, maximum } = this.rules(rules);
    const extension = extensionOf(name);
    const limit = extension === '.apk' ? apkNameLength : nameLength;
    // Names are listed separated by semicolons (STORE-03), and must not contain a path.
    if (name.length > limit || /[;/\\\p{Cc}]/u.test(name) || name.trim() !== name) fail('upload.nameWrong', { limit });
    if (!extensions.includes(extension)) fail('file.typeWrong', { types: extensions.join(', ') });
    if (size === 0) fail('upload.empty');
    if (size > maximum) fail('file.tooLarge', { limit: readable(maximum) });
    if ((await this.files.room()) - size < this.config.uploadReserve) fail('upload.noSpace');
    const id = uuidv7();
    const { companyId, userId } = context();
    const begun = await this.own(async () => {
      // Serialized per user, so that parallel uploads cannot all be the last allowed one.
      await holdLock(`upload ${userId}`);
      if ((await currentEntities().count(Upload, { userId: userId! })) >= unfinished)
        fail('upload.tooMany', { limit: unfinished });
      // The alarm for full storage is published by this transaction, so it must end normally.
      const full = await this.storage.take(size);
      if (full) return { full };
      const upload = currentEntities().create(Upload, {
        id,
        companyId,
        userId: userId!,
        noun,
        name,
        size,
        storedId: null,
        writer: null,
        writingUntil: null,
        expiresAt: new Date(Date.now() + this.config.uploadHours * 3_600_000).toISOString(),
      });
      if (secret) await this.keys.make(id);
      return { upload };
    });
    if (begun.full) fail('upload.quotaFull', { used: readable(begun.full.used), quota: readable(begun.full.quota) });
    await this.files.create(id);
    return begun.upload;
  }

  /** Returns how much has arrived. Checks a complete upload whose process died before the check. */
  async offset(noun: string, id: string): Promise<{ offset: number; size: number; expiresAt: string }> {
    const upload = await this.find(noun, id);
    const offset = upload.storedId === null ? found(await this.files.size(id)) : upload.size;
    if (upload.storedId === null && offset === upload.size) await this.alone(noun, id, () => this.finish(noun, upload));
    return { offset, size: upload.size, expiresAt: upload.expiresAt };
  }

  /** Appends a part and returns the new length. */
  async part(noun: string, id: string, at: number, body: Readable): Promise<number> {
    await this.interrupt(noun, id);
    return this.alone(noun, id, async (upload) => {
      if (upload.storedId !== null) {
        if (at !== upload.size) fail('upload.offset');
        return upload.size;
      }
      if (at !== found(await this.files.size(id))) fail('upload.offset');
      const now = at === upload.size ? at : await this.receive(upload, at, body);
      if (now === upload.size) await this.finish(noun, upload);
      return now;
    });
  }

  async remove(noun: string, id: string): Promise<null> {
    await this.interrupt(noun, id);
    await this.alone(noun, id, (upload) => this.drop(upload, `${noun}.uploadEnd`));
    return null;
  }

  private async find(noun: string, id: string) {
    const userId = context().userId;
    return this.own(async () =>
      found(
        (
          await currentSql().rows(
            uploadColumns,
            `
              select ${uploadColumns}
              from upload u
              where u.id = $1 and u.noun = $2 and u.user_id = $3 and u.expires_at > now()
            `,
            [id, noun, userId],
          )
        )[0],
      ),
    );
  }

  /**
   * Ends an earlier part whose broken connection may not have been noticed: the client has given it up by sending the
   * next one.
   */
  private async interrupt(noun: string, id: string): Promise<void> {
    await this.find(noun, id);
    const before = this.arriving.get(id);
    if (!before) return;
    before.source.destroy();
    await before.ended;
  }

  /** Runs work on an upload exclusively over all processes. */
  private async alone<T>(noun: string, id: string, work: (upload: UploadRow) => Promise<T>): Promise<T> {
    const upload = await this.find(noun, id);
    const writer = uuidv7();
    const hold = (): Promise<boolean> =>
      this.own(async () => {
        const { rowCount } = await currentSql().query(
          `
            update upload set writer = $2, writing_until = now() + make_interval(secs => $3)
            where id = $1 and (writer is null or writer = $2 or writing_until < now())
          `,
          [id, writer, leaseSeconds],
        );
        return rowCount > 0;
      });
    if (!(await hold())) fail('upload.busy');
    // A writer that lost its lease, because this process was blocked, writes nothing more.
    const keep = async (): Promise<void> => {
      if (!(await hold())) this.arriving.get(id)?.source.destroy();
    };
    const alive = setInterval(() => void keep().catch(() => undefined), (leaseSeconds * 1_000) / 3);
    try {
      return await work(upload);
    } finally {
      clearInterval(alive);
      await this.own(() =>
        currentSql().query('update upload set writer = null, writing_until = null where id = $1 and writer = $2', [
          id,
          writer,
        ]),
      );
    }
  }

  private async receive({ id, size }: UploadRow, at: number, body: Readable): Promise<number> {
    const sum = at === 0 ? { hash: createHash('sha256'), at: 0 } : this.sums.get(id);
    const limit = readable(size);
    let now = at;
    const counted = new Transform({
      transform(part: Buffer, _, next) {
        if (now + part.length > size) return next(new TooMuch());
        now += part.length;
        sum?.hash.update(part);
        next(null, part);
      },
    });
    const ended = Promise.withResolvers<void>();
    this.arriving.set(id, { source: body, ended: ended.promise });
    // The running checksum may include unwritten bytes: it is computed again then.
    this.sums.delete(id);
    try {
      body
        .once('error', (error) => counted.destroy(error))
        .once('close', () => body.readableEnded || counted.destroy());
      await this.files.append(id, at, body.pipe(counted));
    } catch (error) {
      if (error instanceof TooMuch) fail('file.tooLarge', { limit });
      if (isFull(error)) fail('upload.noSpace');
      // The sender is gone and gets no response; the received bytes stay.
      if (body.readableAborted || body.errored || body.destroyed) return found(await this.files.size(id));
      throw error;
    } finally {
      this.arriving.delete(id);
      ended.resolve();
    }
    if (sum?.at === at) {
      if (this.sums.size >= mostSums) this.sums.delete(this.sums.keys().next().value!);
      this.sums.set(id, { hash: sum.hash, at: now });
    }
    return now;
  }

  /** Checks a complete upload. A refused one leaves nothing behind. */
  private async finish(noun: string, upload: UploadRow): Promise<void> {
    const { id, name, size } = upload;
    const extension = extensionOf(name);
    await this.files.complete(id);
    const flaw = await flawOf(this.bytesOf(id, size), extension);
    if (flaw !== undefined) {
      await this.drop(upload);
      fail(flaw === 'bomb' ? 'upload.bomb' : 'upload.contentWrong', { name, extension });
    }
    const sha256 = await this.sumOf(id, size);
    const note: AuditNote = { objectId: id, objectName: name, detail: { size, sha256 } };
    const storedId = await auditedTransaction(this.database, `${noun}.upload`, note, async () => {
      const stored = await storeBytes(id, { size, sha256 });
      await currentSql().query('update upload set stored_id = $2 where id = $1', [id, stored]);
      return stored;
    });
    if (storedId !== id) await this.files.remove(id);
  }

  private bytesOf(id: string, size: number): FileBytes {
    return {
      size,
      read: (start, length) =>
        length === 0 || start >= size
          ? Promise.resolve(Buffer.alloc(0))
          : buffer(this.files.read(id, start, Math.min(size, start + length) - 1)),
      stream: () => this.files.read(id),
    };
  }

  private async sumOf(id: string, size: number): Promise<string> {
    const made = this.sums.get(id);
    this.sums.delete(id);
    if (made?.at === size) return made.hash.digest('hex');
    const hash = createHash('sha256');
    await pipeline(this.files.read(id), hash);
    return hash.digest('hex');
  }

  private async drop({ id, name, storedId }: UploadRow, audit?: string): Promise<null> {
    const gone = async (): Promise<void> => {
      await currentSql().query('delete from upload where id = $1', [id]);
    };
    if (audit === undefined) await this.own(gone);
    else await auditedTransaction(this.database, audit, { objectId: id, objectName: name }, gone);
    this.sums.delete(id);
    // Complete bytes may be shared, and are deleted when nothing needs them.
    if (storedId === null) await this.files.remove(id);
    return null;
  }
}

class TooMuch extends Error {}
const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Formats bytes for users, such as `1 GB`. */
export const readable = (bytes: number): string => {
  const [unit, name] = (
    [
      [1_073_741_824, 'GB'],
      [1_048_576, 'MB'],
      [1_024, 'KB'],
    ] as const
  ).find(([least]) => bytes >= least) ?? [1, 'B'];
  return `${Math.round((bytes / unit) * 10) / 10} ${name}`;
};
