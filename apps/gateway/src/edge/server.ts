import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { Failure, toAnswer } from '@carillon/service';
import type { Language } from '@carillon/contracts';
import { defaultLanguage } from '@carillon/contracts/constants';
import type { ErrorKey } from '@carillon/contracts/errors';
import { languageOf } from '../access/authenticate.ts';
import type { GatewayConfig } from '../config.ts';
import { securityHeaders } from './security.ts';

/** Of the headers; the path has its own room beside them, because a DELETE may name a thousand ids there. */
export const maxHeaderBytes = 16_384;
const maxHeadBytes = 65_536;
const byCode: Record<string, ErrorKey> = {
  HPE_HEADER_OVERFLOW: 'common.headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'common.tooSlow',
};

/**
 * What is no HTTP gets its answer here, because no request exists: ambiguous framing (RFC 9112, 6.3), too many headers,
 * too slow.
 */
function clientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy();
  const { status, headers, body } = bareAnswer(
    new Failure(byCode[error.code ?? ''] ?? 'common.notHttp'),
    defaultLanguage,
  );
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** An answer that is written past Fastify, and ends the connection. */
function bareAnswer(
  failure: Failure,
  language: Language,
): { status: number; headers: Record<string, string>; body: string } {
  const body = JSON.stringify(toAnswer(failure, language, crypto.randomUUID()));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
    ...securityHeaders(false),
  };
  return { status: failure.status, headers, body };
}

/** What Node itself refuses when nobody asks it to let us: an expectation that is not `100-continue`. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = bareAnswer(new Failure('common.expectation'), languageOf(request.headers));
    response.writeHead(status, headers).end(body);
  });
}

/**
 * A path that is no text (`%zz`) names nothing. It goes the way of every unknown call, with its headers: Fastify itself
 * would refuse it before any hook.
 */
function readablePath(url: string): string {
  if (!url.includes('%')) return url;
  try {
    decodeURIComponent(url.split('?')[0]!);
    return url;
  } catch {
    return '/api/';
  }
}

/** What Fastify refuses before any hook and any handler. */
function badPath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .status(404)
    .headers({ ...securityHeaders(request.protocol === 'https'), 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toAnswer(new Failure('common.routeUnknown'), languageOf(request.headers), request.id)));
}

/** The server that strangers reach: what a service behind it may take for granted is settled here. */
export function edgeServer(config: GatewayConfig): Partial<FastifyServerOptions> {
  const proxies = config.trustedProxies
    .split(',')
    .map((s) => s.trim())
    .filter((s) => s !== '');
  return {
    // Never a client's own: it would choose what our log says.
    genReqId: () => crypto.randomUUID(),
    trustProxy: proxies.length > 0 ? proxies : false,
    keepAliveTimeout: 20_000,
    // Here and not in `http`: Fastify overwrites what the server was made with.
    requestTimeout: config.requestSeconds * 1000,
    // Paths are as the contracts print them.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false },
    http: {
      maxHeaderSize: maxHeadBytes,
      headersTimeout: config.headersSeconds * 1000,
      connectionsCheckingInterval: Math.min(1_000, config.headersSeconds * 1000),
      insecureHTTPParser: false,
      // Ours, because Node's own answer has no body.
      requireHostHeader: false,
    },
    clientErrorHandler: clientError,
    frameworkErrors: badPath,
    rewriteUrl: (request: { url?: string }) => readablePath(request.url ?? '/'),
    forceCloseConnections: 'idle',
  } as Partial<FastifyServerOptions>;
}
