import type { ServerResponse } from 'node:http';
import { blockBytes, type Blocks } from './blocks.ts';
import type { Share } from './rate.ts';

/** Blocks after which a fast client yields to others. */
const blocksInRow = 16;

/**
 * A running response: the next block is requested when the socket has taken the previous one, so that a stalled client
 * holds one block. Ends with its connection, whichever side closes it.
 */
export class Sending {
  readonly ended: Promise<void>;
  /** Whether every byte was written: set before `ended`. */
  private isWhole = false;
  private isOver = false;
  private isWriting = false;
  private inRow = 0;

  constructor(
    private readonly response: ServerResponse,
    private readonly file: { id: string; size: number },
    private at: number,
    private readonly to: number,
    private readonly blocks: Blocks,
    private readonly share: Share,
    idleMs: number,
  ) {
    this.ended = new Promise((resolve) => {
      const over = (): void => {
        this.isOver = true;
        share.leave();
        resolve();
      };
      if (response.closed || response.destroyed) over();
      else response.once('close', over);
    });
    response.once('finish', () => {
      this.isWhole = true;
    });
    // Fires only when no written byte has moved. While waiting for bandwidth, silence is normal.
    response.setTimeout(idleMs, () => {
      if (this.isWriting) this.stop();
    });
  }

  /** Position behind the last sent byte. The last byte of an aborted response does not count as sent. */
  get sentTo(): number {
    return this.isWhole ? this.to + 1 : Math.min(this.at, this.to);
  }

  begin(): void {
    this.next();
  }

  /** Aborts the response: the client sees that it is incomplete. */
  stop(): void {
    this.isOver = true;
    this.response.destroy();
  }

  private next(): void {
    if (this.isOver) return;
    if (this.at > this.to) {
      this.response.setTimeout(0);
      this.response.end();
      return;
    }
    this.share.take((most) => {
      if (this.isOver) return 0;
      const length = Math.min(most, blockBytes - (this.at % blockBytes), this.to - this.at + 1);
      const block = this.blocks.get(this.file.id, this.file.size, this.at);
      if (Buffer.isBuffer(block)) this.write(block, length);
      else
        block.then(
          (read) => this.write(read, length),
          () => this.stop(),
        );
      return length;
    });
  }

  private write(block: Buffer, length: number): void {
    if (this.isOver) return;
    const from = this.at % blockBytes;
    const part = block.subarray(from, from + length);
    this.at += part.length;
    this.isWriting = true;
    this.response.write(part, () => {
      this.isWriting = false;
      if (++this.inRow % blocksInRow === 0) setImmediate(() => this.next());
      else this.next();
    });
  }
}
