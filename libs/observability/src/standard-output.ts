import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** How long a line waits for a reader of standard output, in steps of 10 ms. */
const mostWaits = 100;
const never = new Int32Array(new SharedArrayBuffer(4));
const waitStep = (): void => void Atomics.wait(never, 0, 0, 10);

/**
 * Writes lines to a file descriptor, in order and at once. A line that cannot be written, for example because the disk
 * is full, is dropped. Pino's own destination keeps it and waits for room, even at the end of the process, so that a
 * full disk stopped the whole product. The first line that nobody reads waits for a second, and the ones after it not
 * at all, until one is written again.
 */
export function lineWriter(fd: number, wait = waitStep): DestinationStream {
  /** The last line was written in part: the next one begins a new line. */
  let isTorn = false;
  let isStuck = false;
  return {
    write(line) {
      let rest = Buffer.from(isTorn ? `\n${line}` : line);
      const whole = rest.length;
      for (let waits = isStuck ? mostWaits : 0; rest.length > 0;)
        try {
          rest = rest.subarray(writeSync(fd, rest));
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (code !== 'EAGAIN' || ++waits > mostWaits) break;
          wait();
        }
      isStuck = rest.length > 0;
      isTorn = rest.length > 0 && (isTorn || rest.length < whole);
    },
  };
}

export const standardOutput = lineWriter(1);
