import type { Type } from '@nestjs/common';
import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import type { FastifyServerOptions } from 'fastify';
import type { z } from 'zod';
import type { ServiceName } from '@carillon/contracts';
import type { ConfigShape } from './config.ts';

/** What a process needs to know to run a service: in standalone beside the others, in the cluster alone. */
export interface ServiceDefinition<S extends ConfigShape = ConfigShape> {
  name: ServiceName;
  module: Type;
  config: S;
  /** Server options beside the common ones: only what is reached from outside needs any. */
  server?(config: z.output<S>): Partial<FastifyServerOptions>;
  /** A service exists when it owns a table; the two gateways own none. */
  database?: {
    entities: readonly object[];
    migrations: readonly Constructor<Migration>[];
    /** PostgreSQL's extensions that the entities' indexes need; a migration creates them. */
    extensions?: readonly string[];
    /** Tables without a tenant, each with the reason. */
    untenanted: Record<string, string>;
  };
}

export function defineService<S extends ConfigShape>(definition: ServiceDefinition<S>): ServiceDefinition<S> {
  return definition;
}
