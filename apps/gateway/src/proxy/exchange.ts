import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';

/** A service's answer: small ones whole, so that they leave in one write; others as they come. */
export interface Answer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: Buffer | Readable;
}

/** A client that reads slowly holds a connection to the service only for answers above this. */
const wholeBytes = 1_048_576;

export interface Call extends Dispatcher.DispatchOptions {
  signal: AbortSignal;
  /** The answer is read whole, however long it is: nobody without a session may hold a connection to a service. */
  whole?: boolean;
}

/** One call to a service. undici's own `request` makes a stream of every answer, at twice the cost of the call. */
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
        // Without a length, or with a long one, it streams.
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
        // It may fail before anybody reads it, and an error that nobody listens to ends the process.
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
