import type { Readable } from 'node:stream';

export interface OpenFile {
  /** Fills the buffers from that byte on; fails when there is less. */
  read(into: readonly Buffer[], at: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Where the bytes of files are. A key is a UUID that the service made: no name that anybody typed is ever part of a
 * place. On disk by `disk-driver.ts`, in a bucket by `s3-driver.ts`; `file-driver.it.ts` says what holds for both.
 */
export interface FileDriver {
  /** What one read should bring of a file that many read here and there: a multiple of 16 KiB. */
  readonly readBytes: number;
  /** Makes an empty one. */
  create(key: string): Promise<void>;
  /** How many bytes of it are there; undefined when there is none. */
  size(key: string): Promise<number | undefined>;
  /** Adds what comes behind its first `at` bytes. What has come before a failure stays. */
  append(key: string, at: number, source: Readable): Promise<void>;
  /** It is whole: it outlives a crash, can be read, and is not added to any more. Again, it changes nothing. */
  complete(key: string): Promise<void>;
  /** From the first byte to the last one, both included; all of it without them. */
  read(key: string, from?: number, to?: number): Readable;
  /** For who reads here and there. It is closed by who opened it. */
  open(key: string): Promise<OpenFile>;
  /** None is none any more, too. */
  remove(key: string): Promise<void>;
  /** Keys of those that nobody has written to for so long. */
  idle(ms: number): AsyncIterable<string>;
  /** Bytes that are free. */
  room(): Promise<number>;
}

export const FILES = Symbol('FILES');
