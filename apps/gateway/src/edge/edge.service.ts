import type { IncomingMessage, Server } from 'node:http';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failsFlat, type RouteDefinition } from '@carillon/contracts';
import { allRoutes, type NamedRoute } from '@carillon/contracts/routes';
import { asyncApi } from '@carillon/contracts/asyncapi';
import { changes } from '@carillon/contracts/changelog';
import { openApi } from '@carillon/contracts/openapi';
import { createLogger } from '@carillon/observability';
import { closeWhenStalled, CONFIG, Failure, fromUnknown, limitConnections, toAnswer } from '@carillon/service';
import { languageOf } from '../access/authenticate.ts';
import { ProgramLog } from '../access/program-log.service.ts';
import type { GatewayConfig } from '../config.ts';
import { ConsoleFiles } from '../console/console.service.ts';
import { Downloads } from '../download/download.service.ts';
import { InstallationCopy } from '../installation/installation.service.ts';
import { Limits } from '../limit/limit.service.ts';
import { LiveHub } from '../live/live.service.ts';
import { portalPage, portalStyle } from '../portal/portal.ts';
import { edgeRequest, Proxy } from '../proxy/proxy.service.ts';
import { securityHeaders } from './security.ts';
import { maxHeaderBytes, refuseExpectations } from './server.ts';

const log = createLogger('gateway');

/** Converts a path of the contracts into the server's syntax. */
const urlOf = ({ path }: RouteDefinition): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Converts a path of the contracts into a pattern, which tells a known path with another method from an unknown path.
 */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`);

/** Methods of calls and pages; for any other method the server would answer by itself. */
const served = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

/** Returns what is wrong with the raw headers, before they are interpreted. */
function refusalOf({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): 'common.notHttp' | 'common.headersTooLarge' | undefined {
  let hosts = 0;
  let bytes = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    bytes += name.length + rawHeaders[i + 1]!.length + 4;
  }
  if (bytes > maxHeaderBytes) return 'common.headersTooLarge';
  // RFC 9112 section 3.2: a request with no Host or with several is a bad request. HTTP/1.0, which load balancers use
  // for health checks, has no Host.
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0') ? undefined : 'common.notHttp';
}

/**
 * Serves everything that is reachable from outside: the calls of the contracts, the live stream, the API's description
 * and the console.
 */
@Injectable()
export class Edge implements OnModuleInit {
  private readonly known: ReadonlyMap<string, readonly NamedRoute[]> = Map.groupBy(
    allRoutes,
    ({ route }) => route.path,
  );

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly proxy: Proxy,
    private readonly limits: Limits,
    private readonly downloads: Downloads,
    private readonly live: LiveHub,
    private readonly files: ConsoleFiles,
    private readonly installation: InstallationCopy,
    private readonly programs: ProgramLog,
  ) {}

  async onModuleInit(): Promise<void> {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onRequest', async (request, reply) => {
      void reply
        .headers(securityHeaders(request.protocol === 'https', this.installation.frameHosts))
        .header('carillon-request-id', request.id);
      const refusal = refusalOf(request.raw);
      if (refusal !== undefined) {
        void reply.header('connection', 'close');
        throw new Failure(refusal);
      }
      if (!served.includes(request.method)) this.refuseMethod(request, reply);
      closeWhenStalled(reply.raw, this.config.answerIdleSeconds);
    });
    const http = this.host.httpAdapter.getHttpServer() as Server;
    refuseExpectations(http);
    limitConnections(http, this.config);
    await server.register(async (scope) => {
      // Bodies pass through unparsed: the service that owns the call decides about them.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => {
        done(null);
      });
      scope.setErrorHandler((error, request, reply) => this.fail(error, request, reply));
      for (const named of allRoutes) {
        scope.route({
          method: named.route.method,
          url: urlOf(named.route),
          exposeHeadRoute: false,
          handler: (request, reply) =>
            named.route.stream
              ? this.stream(named, request, reply)
              : this.proxy.pass(named, request, reply.header('cache-control', 'no-store')),
        });
      }
      this.load(scope);
      await scope.register(async (other) => this.serveRest(other));
    });
  }

  /** Serves all paths that are no call. They have a limit of their own. */
  private serveRest(scope: FastifyInstance): void {
    scope.addHook('onRequest', (request) => this.limits.admitFile(edgeRequest(request).address));
    // A literal path accepts only its own methods, even if a path with a placeholder would match it.
    for (const [path, routes] of this.known) {
      const others = served.filter((method) => !routes.some(({ route }) => route.method === method));
      if (path.includes('{')) continue;
      scope.route({ method: others, url: path, handler: (request, reply) => this.refuseMethod(request, reply) });
    }
    this.describe(scope);
    scope.route({
      method: served,
      url: '/*',
      handler: (request, reply) => this.rest(request, reply),
    });
  }

  private async stream(named: NamedRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { context, token, chosenOrgId } = this.proxy.admit(named, request);
    await this.limits.admit(named, context, reply);
    this.live.admit(token!);
    void reply.hijack();
    // The client may have left while a shared count was asked; its close event is over then.
    if (reply.raw.destroyed) return reply;
    request.raw.socket.setTimeout(0);
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    this.live.open(token!, chosenOrgId, reply.raw);
    return reply;
  }

  /** Registers downloads, which are not part of the contracts, under a path that no page of the console has. */
  private load(scope: FastifyInstance): void {
    const reads = ['GET', 'HEAD'];
    scope.route({
      method: reads,
      url: '/f/:token/:name',
      exposeHeadRoute: false,
      handler: (request, reply) => this.downloads.pass(request, reply),
    });
    scope.route({
      method: served.filter((method) => !reads.includes(method)),
      url: '/f/:token/:name',
      handler: (request, reply) => {
        void reply.header('allow', reads.join(', '));
        throw new Failure('common.methodNotAllowed', { method: request.method });
      },
    });
    scope.route({
      method: served,
      url: '/f/*',
      handler: () => {
        throw new Failure('file.linkUnknown');
      },
    });
  }

  private describe(scope: FastifyInstance): void {
    const { productName, version, clientId, clientSecret, idleSeconds } = this.config;
    const once = <T>(make: () => T): (() => T) => {
      let made: T | undefined;
      return () => (made ??= make());
    };
    const document = once(() => openApi({ title: productName, version }));
    // As bytes, which all answers share: a text would be encoded again for each.
    const bytes = (make: () => string): (() => Buffer) => once(() => Buffer.from(make()));
    const text = bytes(() => JSON.stringify(document()));
    const events = bytes(() => JSON.stringify(asyncApi({ title: productName, version })));
    const page = bytes(() => portalPage(document()));
    scope.get('/api/openapi.json', (_, reply) =>
      reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(text()),
    );
    scope.get('/api/asyncapi.json', (_, reply) =>
      reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(events()),
    );
    scope.get('/api/changelog.json', (_, reply) => reply.header('cache-control', 'no-cache').send(changes()));
    scope.get('/api/docs', (_, reply) =>
      reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page()),
    );
    scope.get('/api/docs/portal.css', (_, reply) =>
      reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(portalStyle),
    );
    scope.get('/carillon.json', (_, reply) =>
      reply.header('cache-control', 'no-cache').send({
        clientId,
        clientSecret,
        version,
        idleSeconds,
        ...this.installation.info,
        productName: this.installation.info.systemName ?? productName,
      }),
    );
  }

  /** Handles everything else: the console's files and pages for reads, otherwise 404 or 405 as JSON. */
  private rest(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = request.raw.url!.split('?')[0]!;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!/^\/api(\/|$)/i.test(path) && reads) {
      const file = this.files.find(path);
      if (file) return this.files.send(file, request, reply);
    }
    return this.refuseMethod(request, reply);
  }

  /** Refuses a known path with another method by 405 and lists its methods. Literal paths take precedence. */
  private refuseMethod(request: FastifyRequest, reply: FastifyReply): never {
    const path = request.raw.url!.split('?')[0]!;
    const routes =
      this.known.get(path) ??
      [...this.known].flatMap(([known, policies]) => (patternOf(known).test(path) ? policies : []));
    if (routes.length === 0) throw new Failure('common.routeUnknown');
    void reply.header('allow', [...new Set(routes.map(({ route }) => route.method))].join(', '));
    throw new Failure('common.methodNotAllowed', { method: request.method });
  }

  private fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const failure = fromUnknown(error);
    if (failure.status >= 500 && failure.key !== 'common.unavailable')
      // Logs the path of the contract, because the path of a link is a secret.
      log.error({ err: error, requestId: request.id, url: request.routeOptions.url }, 'request failed');
    const known = allRoutes.filter(({ route }) => urlOf(route) === request.routeOptions.url);
    const called = known.find(({ route }) => route.method === request.method);
    if (called) this.programs.refused(called.route, request, failure);
    const flat = known[0] !== undefined && failsFlat(known[0].route);
    // An unread body would be taken for the next request.
    if (!request.raw.complete) void reply.header('connection', 'close');
    if (failure.key === 'common.unavailable') void reply.header('retry-after', String(failure.values['seconds'] ?? 2));
    if (failure.status === 429) void reply.header('retry-after', String(failure.values['seconds'] ?? 1));
    return reply
      .status(failure.status)
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(toAnswer(failure, languageOf(request.headers), request.id, flat)));
  }
}
