import type { Type } from '@nestjs/common';
import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import type { FastifyServerOptions } from 'fastify';
import type { z } from 'zod';
import type { ServiceName } from '@carillon/contracts';
import type { ConfigShape } from './config.ts';

/** What a process needs to run a service: beside others in standalone, alone in the cluster. */
export interface ServiceDefinition<S extends ConfigShape = ConfigShape> {
  name: ServiceName;
  module: Type;
  config: S;
  /** Server options besides the common ones: only services that are reached from outside need any. */
  server?(config: z.output<S>): Partial<FastifyServerOptions>;
  /** Every service owns tables, except the two gateways. */
  database?: {
    entities: readonly object[];
    migrations: readonly Constructor<Migration>[];
    /** PostgreSQL extensions that the entities' indexes need; a migration creates them. */
    extensions?: readonly string[];
    /** Tables without a tenant, each with the reason. */
    untenanted: Record<string, string>;
  };
}

export function defineService<S extends ConfigShape>(definition: ServiceDefinition<S>): ServiceDefinition<S> {
  return definition;
}
