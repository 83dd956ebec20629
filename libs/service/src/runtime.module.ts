import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import type { Bus } from '@carillon/messaging';

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
    return { module: RuntimeModule, providers, exports: providers.map((p) => p.provide) };
  }
}
