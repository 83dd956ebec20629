import type { Readable } from 'node:stream';

/** A complete file. */
export interface FileBytes {
  size: number;
  read(start: number, length: number): Promise<Buffer>;
  stream(): Readable;
}

/** The content does not match the extension, or it unpacks to too much. */
export type Flaw = 'content' | 'bomb';
