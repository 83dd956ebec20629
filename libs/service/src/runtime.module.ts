import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import type { Bus } from '@carillon/messaging';
import { Health } from './health.ts';

export const BUS = Symbol('bus');
export const CONFIG = Symbol('config');
/** Key of the signed context between the API gateway and the services. */
export const CONTEXT_KEY = Symbol('context key');

export interface Runtime {
  bus: Bus;
  config: unknown;
  contextKey: Buffer;
  database?: Database | undefined;
}

/** What the host gives every service: its bus, its database, its settings. */
@Global()
@Module({})
export class RuntimeModule {
  static with(runtime: Runtime): DynamicModule {
    const providers = [
      { provide: BUS, useValue: runtime.bus },
      { provide: CONFIG, useValue: runtime.config },
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
