import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { Failure, toAnswer, trustedBy } from '@carillon/service';
import type { Language } from '@carillon/contracts';
import { defaultLanguage } from '@carillon/contracts/constants';
import type { ErrorKey } from '@carillon/contracts/errors';
import { languageOf } from '../access/authenticate.ts';
import type { GatewayConfig } from '../config.ts';
import { securityHeaders } from './security.ts';

/** Limit of the headers; the path has its own limit, because a DELETE may contain a thousand ids. */
export const maxHeaderBytes = 16_384;
const maxHeadBytes = 65_536;
const byCode: Record<string, ErrorKey> = {
  HPE_HEADER_OVERFLOW: 'common.headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'common.tooSlow',
};

/**
 * Answers input that is no valid HTTP and has no request object: ambiguous framing (RFC 9112, 6.3), too many headers,
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

/** Returns an answer that bypasses Fastify and ends the connection. */
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

/** Answers expectations other than `100-continue`, which Node would refuse by itself. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = bareAnswer(new Failure('common.expectation'), languageOf(request.headers));
    response.writeHead(status, headers).end(body);
  });
}

/**
 * Replaces a path that cannot be decoded (`%zz`) by one that matches nothing, so that it is handled like every unknown
 * call. Fastify would refuse it before any hook.
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

/** Answers a path that Fastify refuses before any hook and handler. */
function badPath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .status(404)
    .headers({ ...securityHeaders(request.protocol === 'https'), 'cache-control': 'no-store' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toAnswer(new Failure('common.routeUnknown'), languageOf(request.headers), request.id)));
}

/** Returns the options of the public server, which enforces what services behind it rely on. */
export function edgeServer(config: GatewayConfig): Partial<FastifyServerOptions> {
  return {
    // Never the client's id, which would control what our log contains.
    genReqId: () => crypto.randomUUID(),
    trustProxy: trustedBy(config.trustedProxies),
    keepAliveTimeout: 20_000,
    // Set here and not in `http`, because Fastify overwrites the server's value.
    requestTimeout: config.requestSeconds * 1000,
    // Paths match exactly as in the contracts.
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: false },
    http: {
      maxHeaderSize: maxHeadBytes,
      headersTimeout: config.headersSeconds * 1000,
      connectionsCheckingInterval: Math.min(1_000, config.headersSeconds * 1000),
      insecureHTTPParser: false,
      // Checked by our own code, because Node's answer has no body.
      requireHostHeader: false,
    },
    clientErrorHandler: clientError,
    frameworkErrors: badPath,
    rewriteUrl: (request: { url?: string }) => readablePath(request.url ?? '/'),
    forceCloseConnections: 'idle',
  } as Partial<FastifyServerOptions>;
}
