import type { Readable } from 'node:stream';

/** A file that is whole. */
export interface FileBytes {
  size: number;
  read(start: number, length: number): Promise<Buffer>;
  stream(): Readable;
}

/** Its content is not what its ending says, or it grows into more than it is. */
export type Flaw = 'content' | 'bomb';
