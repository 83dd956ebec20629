import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type ListMultipartUploadsCommandOutput,
  type ListPartsCommandOutput,
  type Part,
} from '@aws-sdk/client-s3';
import type { FileDriver, OpenFile } from './file-driver.ts';

/** S3's minimum for all parts but the last. Each part but the last has exactly this size. */
const partBytes = 5_242_880;
/** Bytes per request of a sequential read. */
const windowBytes = 1_048_576;
/** Shared pool: further requests wait for a connection. */
const connections = 256;

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const isKey = new RegExp(`^${uuid}$`);
/** The key of a file, or of the tail behind its last complete part. */
const anyKey = new RegExp(`^(?:tail/)?(${uuid})(?:/\\d+)?$`);

const isMissing = (error: unknown): boolean =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404;
async function ifThere<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export interface S3Settings {
  endpoint: string | undefined;
  region: string;
  bucket: string;
  keyId: string;
  keySecret: string;
  pathStyle: boolean;
}

/**
 * Files in a bucket. An incomplete file is a multipart upload, and the rest that is shorter than a part is a separate
 * object named after its offset: a newer part makes an older tail obsolete, so that a crash between the two counts
 * nothing twice. No other state exists.
 */
export class S3Driver implements FileDriver {
  readonly readBytes = 262_144;
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor({ endpoint, region, bucket, keyId, keySecret, pathStyle }: S3Settings) {
    this.bucket = bucket;
    this.client = new S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint }),
      forcePathStyle: pathStyle,
      credentials: { accessKeyId: keyId, secretAccessKey: keySecret },
      maxAttempts: 4,
      requestHandler: {
        connectionTimeout: 5_000,
        requestTimeout: 60_000,
        throwOnRequestTimeout: true,
        httpAgent: { keepAlive: true, maxSockets: connections },
        httpsAgent: { keepAlive: true, maxSockets: connections },
      },
    });
  }

  private object(key: string): { Bucket: string; Key: string } {
    if (!isKey.test(key)) throw new Error('no key of a file');
    return { Bucket: this.bucket, Key: key };
  }

  private tail(key: string, at: number): { Bucket: string; Key: string } {
    return { Bucket: this.bucket, Key: `tail/${this.object(key).Key}/${at}` };
  }

  async create(key: string): Promise<void> {
    await this.client.send(new CreateMultipartUploadCommand({ ...this.object(key), ChecksumAlgorithm: 'CRC32' }));
  }

  async size(key: string): Promise<number | undefined> {
    const whole = await this.wholeSize(key);
    if (whole !== undefined) return whole;
    const coming = await this.coming(key);
    return coming && coming.at + (await this.tailSize(key, coming.at));
  }

  private async wholeSize(key: string): Promise<number | undefined> {
    return (await ifThere(this.client.send(new HeadObjectCommand(this.object(key)))))?.ContentLength;
  }

  async stamp(key: string): Promise<string | undefined> {
    const head = await ifThere(this.client.send(new HeadObjectCommand(this.object(key))));
    return head && `${head.ETag} ${head.LastModified?.getTime()}`;
  }

  private async tailSize(key: string, at: number): Promise<number> {
    return (await ifThere(this.client.send(new HeadObjectCommand(this.tail(key, at)))))?.ContentLength ?? 0;
  }

  /** A retried request may have created two uploads: every process uses the same one. */
  private async uploadIds(key: string): Promise<string[]> {
    const { Key } = this.object(key);
    const { Uploads } = await this.client.send(new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: Key }));
    return (Uploads ?? []).flatMap((one) => (one.Key === Key ? [one.UploadId!] : [])).toSorted();
  }

  /** Returns the parts of an incomplete file, and the offset of the next one. */
  private async coming(key: string): Promise<{ id: string; parts: Part[]; at: number } | undefined> {
    const [id] = await this.uploadIds(key);
    if (id === undefined) return undefined;
    const parts: Part[] = [];
    // Uses the store's own flag: some stores return a next page behind the last one, which is the first one again.
    for (let next: string | undefined = '0'; next !== undefined;) {
      const listed: ListPartsCommandOutput = await this.client.send(
        new ListPartsCommand({ ...this.object(key), UploadId: id, PartNumberMarker: next }),
      );
      parts.push(...(listed.Parts ?? []));
      next = listed.IsTruncated ? listed.NextPartNumberMarker : undefined;
    }
    return { id, parts, at: parts.reduce((sum, { Size }) => sum + Size!, 0) };
  }

  async append(key: string, at: number, source: Readable): Promise<void> {
    const coming = await this.coming(key);
    if (!coming) throw new Error('a file is written to that is not on its way');
    const { id } = coming;
    let begin = coming.at;
    let length = at - begin;
    const part = Buffer.allocUnsafeSlow(partBytes);
    if (length < 0 || length > partBytes) throw new Error('a part of a file does not begin where the one before ends');
    if (length > 0) part.set(await this.bytes(this.tail(key, begin), 0, length - 1));
    const kept = length;
    let isNew = false;
    try {
      for await (const bytes of source as AsyncIterable<Buffer>) {
        for (let from = 0; from < bytes.length;) {
          // Only when more bytes arrive: a part that could not be stored becomes a tail and is stored next time.
          if (length === partBytes) {
            await this.putPart(key, id, begin / partBytes + 1, part);
            begin += partBytes;
            length = 0;
          }
          const taken = bytes.copy(part, length, from);
          from += taken;
          length += taken;
          isNew = true;
        }
      }
    } finally {
      // Bytes received before a failure stay too.
      if (isNew && length > 0)
        await this.client.send(
          new PutObjectCommand({ ...this.tail(key, begin), Body: part.subarray(0, length), ContentLength: length }),
        );
    }
    if (kept > 0 && begin > coming.at) await this.client.send(new DeleteObjectCommand(this.tail(key, coming.at)));
  }

  private async putPart(key: string, UploadId: string, PartNumber: number, Body: Uint8Array): Promise<void> {
    await this.client.send(
      new UploadPartCommand({ ...this.object(key), UploadId, PartNumber, Body, ChecksumAlgorithm: 'CRC32' }),
    );
  }

  async complete(key: string): Promise<void> {
    if ((await this.wholeSize(key)) === undefined) {
      const coming = await this.coming(key);
      if (!coming) throw new Error('a file is ended that is not on its way');
      const rest = await this.tailSize(key, coming.at);
      if (rest > 0)
        await this.putPart(
          key,
          coming.id,
          coming.parts.length + 1,
          await this.bytes(this.tail(key, coming.at), 0, rest - 1),
        );
      const { parts } = rest > 0 ? (await this.coming(key))! : coming;
      await this.client.send(
        new CompleteMultipartUploadCommand({
          ...this.object(key),
          UploadId: coming.id,
          MultipartUpload: {
            Parts: parts.map(({ PartNumber, ETag, ChecksumCRC32 }) => ({ PartNumber, ETag, ChecksumCRC32 })),
          },
        }),
      );
    }
    await this.removeRest(key);
  }

  /** Reads a range, both ends inclusive; fails when there are fewer bytes. */
  private async bytes(object: { Bucket: string; Key: string }, from: number, to: number): Promise<Uint8Array> {
    const { Body } = await this.client.send(new GetObjectCommand({ ...object, Range: `bytes=${from}-${to}` }));
    const bytes = await Body!.transformToByteArray();
    if (bytes.length !== to - from + 1) throw new Error('a file is shorter than it was');
    return bytes;
  }

  read(key: string, from = 0, to = Infinity): Readable {
    return Readable.from(this.windows(key, from, to), { objectMode: false, highWaterMark: 1 });
  }

  /** Reads in separate requests, so that a slow reader holds no connection and a broken one is repeated. */
  private async *windows(key: string, from: number, to: number): AsyncGenerator<Uint8Array> {
    const object = this.object(key);
    const last = Math.min(to, ((await this.wholeSize(key)) ?? failMissing()) - 1);
    for (let at = from; at <= last; at += windowBytes)
      yield await this.bytes(object, at, Math.min(last, at + windowBytes - 1));
  }

  async open(key: string): Promise<OpenFile> {
    const object = this.object(key);
    if ((await this.wholeSize(key)) === undefined) failMissing();
    return {
      read: async (into, at) => {
        const wanted = into.reduce((sum, { length }) => sum + length, 0);
        const bytes = await this.bytes(object, at, at + wanted - 1);
        let begin = 0;
        for (const block of into) {
          block.set(bytes.subarray(begin, begin + block.length));
          begin += block.length;
        }
      },
      close: () => Promise.resolve(),
    };
  }

  async remove(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.object(key)));
    await this.removeRest(key);
  }

  /** Removes the remains of an incomplete file, after it was completed or removed. */
  private async removeRest(key: string): Promise<void> {
    for (const UploadId of await this.uploadIds(key))
      await ifThere(this.client.send(new AbortMultipartUploadCommand({ ...this.object(key), UploadId })));
    const listed = { Bucket: this.bucket, Prefix: `tail/${this.object(key).Key}/` };
    for await (const { Contents } of paginateListObjectsV2({ client: this.client }, listed))
      for (const { Key } of Contents ?? [])
        await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key }));
  }

  async *idle(ms: number): AsyncIterable<string> {
    const before = Date.now() - ms;
    const isIdle = (at: Date | undefined): boolean => at !== undefined && at.getTime() < before;
    for await (const { Contents } of paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket }))
      for (const { Key, LastModified } of Contents ?? []) {
        const [, key] = anyKey.exec(Key ?? '') ?? [];
        if (key !== undefined && isIdle(LastModified)) yield key;
      }
    let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
    while (next) {
      const listed: ListMultipartUploadsCommandOutput = await this.client.send(
        new ListMultipartUploadsCommand({ Bucket: this.bucket, ...next }),
      );
      for (const { Key, Initiated } of listed.Uploads ?? []) if (isKey.test(Key ?? '') && isIdle(Initiated)) yield Key!;
      next = listed.IsTruncated
        ? { KeyMarker: listed.NextKeyMarker, UploadIdMarker: listed.NextUploadIdMarker }
        : undefined;
    }
  }

  /** A bucket has no limit; the quota of companies applies. */
  room(): Promise<number> {
    return Promise.resolve(Infinity);
  }
}

const failMissing = (): never => {
  throw new Error('a file is not there');
};
