import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { bytesType } from '@carillon/contracts/constants';
import { Failure } from '@carillon/service';

/** A JSON media type, with UTF-8 if it names a charset (SYS-06). */
const json = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const form = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

export function checkMediaType(contentType: string | undefined, allowForm: boolean): void {
  if (contentType !== undefined && (json.test(contentType.trim()) || (allowForm && form.test(contentType.trim()))))
    return;
  throw new Failure('common.mediaType');
}

export interface BodyLimits {
  bytes: number;
  /** Longest pause, in milliseconds. */
  idleMs: number;
  /** Longest time for the whole body, in milliseconds; unlimited for callers with a session. */
  withinMs?: number | undefined;
}

/**
 * Reads a whole body before a service is called, so that a slow client occupies only its own connection. Rejects with a
 * {@link Failure}: 413, 408 or 503. The listeners stay, because an error may come after the end.
 */
export function readBody(source: IncomingMessage, { bytes, idleMs, withinMs }: BodyLimits): Promise<Buffer> {
  return new Promise((done, failed) => {
    let parts: Buffer[] = [];
    let seen = 0;
    let refused = false;
    const timers: NodeJS.Timeout[] = [];
    const stop = (error: Error): void => {
      for (const timer of timers) clearTimeout(timer);
      refused = true;
      parts = [];
      failed(error);
    };
    const tooSlow = (): void => {
      stop(new Failure('common.tooSlow'));
    };
    const wentAway = (): void => {
      stop(new Failure('common.unavailable'));
    };
    const idle = setTimeout(tooSlow, idleMs);
    timers.push(idle);
    if (withinMs !== undefined) timers.push(setTimeout(tooSlow, withinMs));
    source
      .on('data', (part: Buffer) => {
        // Data after a refusal is discarded.
        if (refused) return;
        seen += part.length;
        if (seen > bytes) return stop(new Failure('common.tooLarge', { limit: bytes }));
        idle.refresh();
        parts.push(part);
      })
      .once('end', () => {
        for (const timer of timers) clearTimeout(timer);
        done(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
      })
      .on('error', wentAway)
      .once('close', wentAway);
    // The client left before this listened, so no event follows.
    if (source.destroyed && !source.readableEnded) wentAway();
  });
}

/**
 * Streams a body of bytes, so that nothing holds it whole: a service that reads slowly slows its client down. It fails
 * like `readBody`, but does not destroy its source, whose client must get the error.
 */
export function flowingBody(
  source: IncomingMessage,
  contentType: string | undefined,
  { bytes, idleMs }: BodyLimits,
): Readable {
  if (contentType?.trim().toLowerCase() !== bytesType) throw new Failure('common.mediaType');
  let seen = 0;
  const idle = setTimeout(() => flowing.destroy(new Failure('common.tooSlow')), idleMs);
  const flowing = new Transform({
    transform(part: Buffer, _, next) {
      seen += part.length;
      idle.refresh();
      if (seen > bytes) next(new Failure('common.tooLarge', { limit: bytes }));
      else next(null, part);
    },
  });
  const wentAway = (): void => {
    if (!source.readableEnded) flowing.destroy(new Failure('common.unavailable'));
  };
  source.once('error', wentAway).once('close', wentAway);
  flowing
    .once('close', () => {
      clearTimeout(idle);
      source.unpipe(flowing);
    })
    // It may fail before it is read, and an unhandled error ends the process.
    .on('error', () => undefined);
  return source.pipe(flowing);
}
