import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { Failure } from '@carillon/service';

/** A JSON media type whose characters, if named, are UTF-8 (spec, section 7: JSON in UTF-8). */
const json = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;
const form = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

export function checkMediaType(contentType: string | undefined, allowForm: boolean): void {
  if (contentType !== undefined && (json.test(contentType.trim()) || (allowForm && form.test(contentType.trim()))))
    return;
  throw new Failure('common.mediaType');
}

/**
 * A body on its way to a service: at most `limit` bytes, however they are announced, and no pause longer than
 * `idleMs`. Nothing is kept. Ends in a {@link Failure}: 413 or 408.
 */
export function limitBody(source: Readable, limit: number, idleMs: number): Readable {
  let seen = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _, done) {
      idle.refresh();
      seen += chunk.length;
      done(seen > limit ? new Failure('common.tooLarge', { limit }) : null, chunk);
    },
  });
  const idle = setTimeout(() => {
    limited.destroy(new Failure('common.tooSlow'));
  }, idleMs);
  limited.once('close', () => {
    clearTimeout(idle);
  });
  source
    .once('error', (error) => {
      limited.destroy(error);
    })
    .once('aborted', () => {
      limited.destroy(new Error('the client went away'));
    });
  return source.pipe(limited);
}

/**
 * Most of the calls: a body that fits into one packet or a few is passed on in one piece, and a slow client holds up
 * nobody but itself.
 */
export const wholeBytes = 65_536;

/** A small body whose length was announced, read whole. Ends in a {@link Failure} like {@link limitBody}. */
export function wholeBody(source: IncomingMessage, idleMs: number): Promise<Buffer> {
  return new Promise((done, failed) => {
    const parts: Buffer[] = [];
    const idle = setTimeout(() => {
      failed(new Failure('common.tooSlow'));
    }, idleMs);
    source.on('data', (part: Buffer) => {
      idle.refresh();
      parts.push(part);
    });
    source.once('end', () => {
      clearTimeout(idle);
      done(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
    });
    source.once('close', () => {
      clearTimeout(idle);
      failed(new Error('the client went away'));
    });
    source.once('error', failed);
  });
}
