import {
  Agent,
  request as httpRequest,
  type ClientRequestArgs,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createLogger } from '@carillon/observability';
import { CONFIG, CONTEXT_KEY, downloadKey, downloadPath, Failure, readDownloadToken } from '@carillon/service';
import { languageOf } from '../access/authenticate.ts';
import type { GatewayConfig } from '../config.ts';
import { outwardHeaders } from '../proxy/headers.ts';
import type { Address } from '../proxy/upstream.ts';
import { Upstreams } from '../proxy/upstream.service.ts';

const log = createLogger('gateway');
/** How long a device waits that finds no free slot, in seconds. */
const waitSeconds = 10;
/** The service queries its database before it answers, for thousands at once when a fleet gets an order. */
const answerMs = 65_000;
/** The headers of a device that are passed on. */
const asked = ['range', 'if-range', 'if-none-match'] as const;
/** Shared by all connections: data is copied out of it before the next read. */
const shared = Buffer.allocUnsafeSlow(8_192);

/**
 * Reads 8 KiB at a time. For a device that stops reading a few of these stay buffered in the connection, in the answer
 * and on the way out; Node's own connections buffer several times 64 KiB. Each download has its own connection, so that
 * breaking one off affects no other.
 */
class SmallReads extends Agent {
  override createConnection(options: ClientRequestArgs): Socket {
    const to = options.socketPath
      ? { path: options.socketPath }
      : { host: options.host ?? '127.0.0.1', port: Number(options.port) };
    const socket: Socket = connect({
      ...to,
      // The answer buffers as much again.
      ...{ readableHighWaterMark: 1 },
      onread: {
        buffer: shared,
        callback: (bytes) => {
          // Allocated separately: in Node's pool, one waiting part would keep the memory of seven others.
          const part = Buffer.allocUnsafeSlow(bytes);
          shared.copy(part, 0, 0, bytes);
          return socket.push(part);
        },
      },
    });
    return socket;
  }
}

/**
 * Passes files from their service on to devices. It has its own limit and its own connections apart from the calls, so
 * that a downloading fleet does not slow users down.
 */
@Injectable()
export class Downloads implements BeforeApplicationShutdown {
  private readonly key: Buffer;
  private readonly agent = new SmallReads({ keepAlive: false });
  private readonly tlsAgent = new TlsAgent({ keepAlive: false });
  private readonly running = new Set<FastifyReply['raw']>();

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CONTEXT_KEY) contextKey: Buffer,
    private readonly upstreams: Upstreams,
  ) {
    this.key = downloadKey(contextKey);
  }

  beforeApplicationShutdown(): void {
    for (const answer of this.running) answer.destroy();
  }

  async pass(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token, name } = request.params as { token: string; name: string };
    // A forged link must not take a slot or reach the service.
    if (!readDownloadToken(this.key, token, name)) throw new Failure('file.linkUnknown');
    const { raw } = reply;
    if (this.running.size >= this.config.downloads || raw.destroyed)
      throw new Failure('common.unavailable', { seconds: waitSeconds });
    this.running.add(raw);
    const gone = new AbortController();
    raw.once('close', () => {
      this.running.delete(raw);
      gone.abort();
    });
    const answer = await this.ask(request, downloadPath(token, name), gone.signal);
    void reply.hijack();
    raw.writeHead(answer.statusCode!, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      ...outwardHeaders(answer.headers, false),
      // An unread body would be taken for the next request.
      ...(request.raw.complete ? {} : { connection: 'close' }),
    });
    this.flow(answer, raw);
    return reply;
  }

  /** Passes a part on once the previous one has been written to the device's connection. */
  private flow(answer: IncomingMessage, raw: FastifyReply['raw']): void {
    let isWriting = false;
    // Fires only when no written byte has moved.
    raw.setTimeout(this.config.downloadIdleSeconds * 1_000, () => {
      if (isWriting) raw.destroy();
    });
    answer
      .on('data', (part: Buffer) => {
        answer.pause();
        isWriting = true;
        raw.write(part, () => {
          isWriting = false;
          answer.resume();
        });
      })
      .once('end', () => {
        raw.setTimeout(0);
        raw.end();
      })
      // Cut off at the service: the device must notice that the file is incomplete.
      .on('error', () => raw.destroy());
  }

  private async ask(request: FastifyRequest, path: string, signal: AbortSignal): Promise<IncomingMessage> {
    const upstream = this.upstreams.get('resource');
    if (!upstream) throw new Failure('common.unavailable');
    const headers: Record<string, string> = {
      'carillon-language': languageOf(request.headers),
      'carillon-request-id': request.id,
    };
    for (const name of asked) {
      const value = request.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    try {
      return await upstream.apart((place) => this.connected(place, request.method, path, headers, signal));
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error, service: 'resource', requestId: request.id }, 'a service did not answer');
      throw new Failure('common.unavailable');
    }
  }

  /**
   * Connects with retries: a socket's backlog holds some hundreds, and a fleet that starts at once waits a little
   * longer.
   */
  private async connected(...to: Parameters<Downloads['send']>): Promise<IncomingMessage> {
    for (let pause = 10; ; pause = Math.min(pause * 2, 500)) {
      try {
        return await this.send(...to);
      } catch (error) {
        if ((error as { code?: string }).code !== 'EAGAIN') throw error;
        await setTimeout(pause, undefined, { signal: to[4] });
      }
    }
  }

  private send(
    place: Address,
    method: string,
    path: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    return new Promise((done, failed) => {
      const options = { method, path, headers, signal };
      const outgoing =
        'socketPath' in place
          ? httpRequest({ ...options, socketPath: place.socketPath, agent: this.agent })
          : place.url.startsWith('https:')
            ? httpsRequest(place.url, { ...options, agent: this.tlsAgent })
            : httpRequest(place.url, { ...options, agent: this.agent });
      outgoing
        .setTimeout(answerMs, () => outgoing.destroy(new Error('no answer in time')))
        .once('response', (answer: IncomingMessage) => {
          outgoing.setTimeout(0);
          done(answer);
        })
        .on('error', failed)
        .end();
    });
  }
}
