import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';

/** A service's answer: small bodies whole, so that they leave in one write; others as a stream. */
export interface Answer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: Buffer | Readable;
}

/** Answers above this stream, so a slow client holds a connection to the service only for these. */
const wholeBytes = 1_048_576;

export interface Call extends Dispatcher.DispatchOptions {
  signal: AbortSignal;
  /** Reads the answer whole, however long: a caller without a session must not hold a connection to a service. */
  whole?: boolean;
}

/** Sends one call to a service. undici's `request` makes a stream of every answer, which doubles the cost of a call. */
export function exchange(pool: Pool, { signal, whole, ...options }: Call): Promise<Answer> {
  return new Promise((done, failed) => {
    let begun: Dispatcher.DispatchController | undefined;
    let answer: { statusCode: number; headers: IncomingHttpHeaders } | undefined;
    const parts: Buffer[] = [];
    let stream: Readable | undefined;
    const abort = (): void => {
      if (begun) begun.abort(signal.reason as Error);
      else failed(signal.reason as Error);
    };
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    const stopListening = (): void => {
      signal.removeEventListener('abort', abort);
    };
    pool.dispatch(options, {
      onRequestStart(controller) {
        begun = controller;
        if (signal.aborted) abort();
      },
      onResponseStart(controller, statusCode, headers) {
        if (statusCode < 200) return;
        answer = { statusCode, headers };
        // An answer of unknown or large length is streamed.
        if (whole || Number(headers['content-length'] ?? Infinity) <= wholeBytes) return;
        stream = new Readable({
          read: () => {
            controller.resume();
          },
          destroy(error, then) {
            if (error) controller.abort(error);
            then(error);
          },
        });
        // It may fail before it is read, and an unhandled error ends the process.
        stream.on('error', () => undefined);
        done({ ...answer, body: stream });
      },
      onResponseData(controller, chunk) {
        if (!stream) parts.push(chunk);
        else if (!stream.push(chunk)) controller.pause();
      },
      onResponseEnd() {
        stopListening();
        if (stream) stream.push(null);
        else done({ ...answer!, body: parts.length === 1 ? parts[0]! : Buffer.concat(parts) });
      },
      onResponseError(_, error) {
        stopListening();
        if (stream) stream.destroy(error);
        else failed(error);
      },
    });
  });
}
