import { isUtf8 } from 'node:buffer';
import { rmSync } from 'node:fs';
import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import 'reflect-metadata';
import { bytesType } from '@carillon/contracts/constants';
import { RedisCache, type Cache, type Redis } from './cache/index.ts';
import type { ServiceDefinition } from './definition.ts';
import { Database } from '@carillon/persistence';
import { BusStrategy, startOutbox, type Bus } from '@carillon/messaging';
import { createLogger, durations, meanings, type Logger } from '@carillon/observability';
import { sampleService } from './sample.ts';
import { Health, HealthController } from './health.ts';
import { ErrorFilter, requestIdHeader } from './error.filter.ts';
import { Failure } from './failure.ts';
import { hasKeyTwice } from './json.ts';
import { NestLogger } from './nest-logger.ts';
import { RequestGuard } from './request.guard.ts';
import { RequestInterceptor } from './request.interceptor.ts';
import { RuntimeModule } from './runtime.module.ts';

export interface HostOptions {
  definition: ServiceDefinition;
  config: unknown;
  bus: Bus;
  contextKey: Buffer;
  /** Where several processes share claims and the cache. The caller closes it. */
  redis?: Redis | undefined;
  /**
   * Shared by the services of one process; when absent, it is in `redis`, or in memory of this service only. The caller
   * closes it.
   */
  cache?: Cache | undefined;
  database?: Database | undefined;
  /** A Unix socket in standalone, an address in the cluster; null for a service without calls. */
  listen: { path: string } | { host: string; port: number; reusePort?: boolean } | null;
  /** Whether proxies may set the client's address. */
  trustProxy?: boolean;
}

export interface Hosted {
  name: string;
  app: NestFastifyApplication;
  log: Logger;
  health: Health;
  /**
   * Accepts no new work, finishes running work and releases all resources. `onStep` receives the name of each part
   * before it is closed.
   */
  close(onStep?: (step: string) => void): Promise<void>;
}

/** A byte order mark, which JSON must not have (RFC 8259, section 8.1). */
const mark = '\ufeff';

@Module({})
class HostModule {
  static with(options: HostOptions, cache: Cache | undefined): DynamicModule {
    return {
      module: HostModule,
      imports: [
        RuntimeModule.with({
          bus: options.bus,
          config: options.config,
          cache,
          redis: options.redis,
          contextKey: options.contextKey,
          database: options.database,
        }),
        options.definition.module,
      ],
      controllers: [HealthController],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_GUARD, useClass: RequestGuard },
        { provide: APP_INTERCEPTOR, useClass: RequestInterceptor },
      ],
    };
  }
}

/** Starts one service: its calls, consumers and outbox. Standalone and separate processes use it alike. */
export async function hostService(options: HostOptions): Promise<Hosted> {
  const { definition, database, bus } = options;
  const log = createLogger(definition.name);
  const adapter = new FastifyAdapter({
    bodyLimit: 1_048_576,
    genReqId: (request: { headers: Record<string, string | string[] | undefined> }) =>
      (request.headers[requestIdHeader] as string | undefined) ?? crypto.randomUUID(),
    // A path is limited by the header size; an overlong one is unknown like any other: 404. Nest strips the trailing
    // slash of a path that is printed with one (SYS-06) (`/api/f/mc/menu/`).
    routerOptions: { maxParamLength: 16_384, ignoreTrailingSlash: true },
    trustProxy: options.trustProxy ?? false,
    // Fits what the API gateway accepts plus the signed context, which names every organization of the user (52 bytes
    // each).
    http: { maxHeaderSize: 131_072 },
    // The API gateway ends idle connections; a service behind it keeps them.
    keepAliveTimeout: 75_000,
    // Requests during the shutdown are answered normally, and their connection closes: Fastify's own 503 has not our
    // format.
    return503OnClosing: false,
    ...definition.server?.(options.config as never),
  });
  const cache = options.cache ?? (options.redis && (await RedisCache.open(options.redis)));
  const app = await NestFactory.create<NestFastifyApplication>(HostModule.with(options, cache), adapter, {
    logger: new NestLogger(log),
    abortOnError: false,
  });
  // Bodies are UTF-8 (SYS-06). Invalid bytes would be stored as replacement characters.
  const parseJson = app.getHttpAdapter().getInstance().getDefaultJsonParser('error', 'error');
  app.useBodyParser(
    'application/json',
    {},
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, value?: unknown) => void) => {
      const text = isUtf8(body) ? body.toString() : mark;
      if (text.startsWith(mark)) return done(new Failure('common.malformed'));
      void parseJson(request, text, (error: Error | null, value?: unknown) => {
        if (error) done(error);
        else if (hasKeyTwice(text)) done(new Failure('common.malformed'));
        else done(null, value);
      });
    },
  );
  // Binary bodies stay a stream, which the handler reads.
  app
    .getHttpAdapter()
    .getInstance()
    .addContentTypeParser(
      bytesType,
      (_request: FastifyRequest, body: unknown, done: (error: null, body: unknown) => void) => {
        done(null, body);
      },
    );
  const calls = durations(meanings.http);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onResponse', (request, reply, done) => {
      // The route's pattern, never the path: that would create a metric for every id.
      calls.observe(
        {
          service: definition.name,
          method: request.method,
          route: request.routeOptions.url ?? 'none',
          status: String(reply.statusCode),
        },
        reply.elapsedTime / 1000,
      );
      done();
    });
  const strategy = new BusStrategy({ bus, service: definition.name, ...(database ? { database } : {}) });
  app.connectMicroservice({ strategy }, { inheritAppConfig: false });
  const outbox = database ? await startOutbox({ database, bus, service: definition.name }) : undefined;
  await app.init();
  await app.startAllMicroservices();
  // A killed process leaves its socket file behind.
  if (options.listen && 'path' in options.listen) rmSync(options.listen.path, { force: true });
  if (options.listen) await app.getHttpAdapter().getInstance().listen(options.listen);
  // After listening: a connection that cannot be accepted (no file descriptor left) must not end the process.
  app.getHttpServer().on('error', (error: Error) => log.error({ err: error }, 'a connection could not be taken'));
  const health = app.get(Health, { strict: false });
  const stopSampling = sampleService({ service: definition.name, bus, database, outbox, health });
  return {
    name: definition.name,
    app,
    log,
    health,
    async close(onStep = () => undefined) {
      stopSampling();
      onStep('calls and handlers');
      await app.close();
      onStep('outbox');
      await outbox?.close();
      onStep('database');
      await database?.close();
    },
  };
}
