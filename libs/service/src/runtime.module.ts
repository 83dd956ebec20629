import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import type { Bus } from '@carillon/messaging';
import { CACHE, MemoryCache, type Cache, type Redis } from './cache/index.ts';
import { Health } from './health.ts';

export const BUS = Symbol('bus');
export const CONFIG = Symbol('config');
/** The connection behind the cache, for code that needs more than a cache; null in standalone. */
export const REDIS = Symbol('redis');
/** Key of the signed context between the API gateway and the services. */
export const CONTEXT_KEY = Symbol('context key');

export interface Runtime {
  bus: Bus;
  config: unknown;
  /** Shared with the other processes of the installation; when absent, memory of this service only. */
  cache?: Cache | undefined;
  redis?: Redis | undefined;
  contextKey: Buffer;
  database?: Database | undefined;
}

/** What the host provides to every service: bus, cache, database and settings. */
@Global()
@Module({})
export class RuntimeModule {
  static with(runtime: Runtime): DynamicModule {
    const providers = [
      { provide: BUS, useValue: runtime.bus },
      { provide: CONFIG, useValue: runtime.config },
      { provide: REDIS, useValue: runtime.redis ?? null },
      { provide: CACHE, useValue: runtime.cache ?? new MemoryCache() },
      { provide: CONTEXT_KEY, useValue: runtime.contextKey },
      ...(runtime.database ? [{ provide: Database, useValue: runtime.database }] : []),
    ];
    const health = new Health();
    health.add('bus', async () => ((await runtime.bus.healthy()) ? null : 'cannot be written to'));
    const { database } = runtime;
    if (database) health.add('database', async () => ((await database.healthy()) ? null : 'does not answer'));
    const all = [...providers, { provide: Health, useValue: health }];
    return { module: RuntimeModule, providers: all, exports: all.map((p) => p.provide) };
  }
}
