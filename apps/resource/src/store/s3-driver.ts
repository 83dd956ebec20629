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

/** The least that S3 takes as a part that is not the last one. Each part but the last is exactly so long. */
const partBytes = 5_242_880;
/** What one request brings of a file that is read from one end to the other. */
const windowBytes = 1_048_576;
/** A pool for all: more requests wait for one of them. */
const connections = 256;

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const isKey = new RegExp(`^${uuid}$`);
/** A file, or what has come behind the last whole part of one. */
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
 * Files in a bucket. One that is on its way is a multipart upload, and what is shorter than a part an object beside it,
 * named after how much stands before: a part that has come makes the tail before it nobody's, so that a death between
 * the two counts nothing twice. No state of it is kept anywhere else.
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

  private async tailSize(key: string, at: number): Promise<number> {
    return (await ifThere(this.client.send(new HeadObjectCommand(this.tail(key, at)))))?.ContentLength ?? 0;
  }

  /** A request that was tried again may have made two: every process takes the same one. */
  private async uploadIds(key: string): Promise<string[]> {
    const { Key } = this.object(key);
    const { Uploads } = await this.client.send(new ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: Key }));
    return (Uploads ?? []).flatMap((one) => (one.Key === Key ? [one.UploadId!] : [])).toSorted();
  }

  /** The parts of one that is on its way, and where the next one begins. */
  private async coming(key: string): Promise<{ id: string; parts: Part[]; at: number } | undefined> {
    const [id] = await this.uploadIds(key);
    if (id === undefined) return undefined;
    const parts: Part[] = [];
    // By what it says of itself: some stores name a next page behind the last one, which is the first one again.
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
          // Only when more comes: one that could not be put is a tail, and is put the next time.
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
      // What has come before a failure stays, too.
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

  /** Both ends included; fails when there is less. */
  private async bytes(of: { Bucket: string; Key: string }, from: number, to: number): Promise<Uint8Array> {
    const { Body } = await this.client.send(new GetObjectCommand({ ...of, Range: `bytes=${from}-${to}` }));
    const bytes = await Body!.transformToByteArray();
    if (bytes.length !== to - from + 1) throw new Error('a file is shorter than it was');
    return bytes;
  }

  read(key: string, from = 0, to = Infinity): Readable {
    return Readable.from(this.windows(key, from, to), { objectMode: false, highWaterMark: 1 });
  }

  /** A request for each: nobody who reads slowly holds a connection, and one that breaks is asked for again. */
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

  /** What is on its way beside it: nothing is, once it is whole or gone. */
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

  /** A bucket has no end; the quota of companies is what limits it. */
  room(): Promise<number> {
    return Promise.resolve(Infinity);
  }
}

const failMissing = (): never => {
  throw new Error('a file is not there');
};
