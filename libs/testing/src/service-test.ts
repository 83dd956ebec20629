import { randomBytes } from 'node:crypto';
import {
  createClient,
  permissionKeys,
  superKeys,
  type Client,
  type Language,
  type PermissionKey,
} from '@carillon/contracts';
import { allTopics } from '@carillon/contracts/topics';
import { migrateBus, PostgresBus, type Bus } from '@carillon/messaging';
import { Database, uuidv7, type Connection } from '@carillon/persistence';
import { hostService, readConfig, type Hosted, type Redis, type ServiceDefinition } from '@carillon/service';
import { contextHeader, signContext, systemContext, type Context, type Visit } from '@carillon/tenancy';
import { migratedDatabase } from './migrated-database.ts';
import { testDatabase } from './postgres.ts';

/** The key of the installation in this file, for services whose test does not name one. */
const dataKey = randomBytes(32);

/** Opens a real bus for a test: the log in PostgreSQL, in a new database. */
export async function testBus(name = 'bus'): Promise<PostgresBus> {
  const connectionString = await testDatabase(name);
  await migrateBus({ connectionString });
  const bus = await PostgresBus.open({ connection: { connectionString }, name });
  await bus.ensureTopics(allTopics);
  return bus;
}

export interface Actor {
  companyId: string;
  orgId: string;
  userId: string;
  permissions?: readonly PermissionKey[];
  orgIds?: readonly string[] | '*';
  allOrgs?: true;
  sessionId?: string;
  language?: Language;
  timezoneId?: number;
  countryId?: number;
  /** Name of the API token, when a program calls. */
  apiToken?: string;
  /** The caller belongs to the parent company and visits this one. */
  visit?: Visit;
}

/** All permissions inside one company. The super administrator's ones cross companies on purpose. */
const ordinaryKeys = permissionKeys.filter((key) => !superKeys.includes(key));

/** Returns an actor with every permission in a company of their own. */
export function newActor(given: Partial<Actor> = {}): Actor {
  return { companyId: uuidv7(), orgId: uuidv7(), userId: uuidv7(), sessionId: uuidv7(), ...given };
}

export interface TestedService extends Hosted {
  database: Database;
  connection: Connection;
  /** Key that verifies the API gateway's context and signs links. */
  contextKey: Buffer;
  /** Returns an actor's typed client, with the context that the API gateway would send. */
  as(actor: Actor): Client;
  /** Returns the headers with the signed context of an actor, for raw requests. */
  headersOf(actor: Actor): Record<string, string>;
  /** Sends a request unchanged, for what the typed client cannot send. */
  raw(
    actor: Actor | null,
    request: { method: string; url: string; payload?: string | object; headers?: Record<string, string> },
  ): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** Resources that a service shares with other processes; the caller closes them. */
export interface Sharing {
  redis?: Redis;
  /** Another process of the same service, which shares its database. */
  beside?: TestedService;
}

/** Runs a real service: its own database with policies and roles, the real bus, its guard and its consumers. */
export async function testService(
  definition: ServiceDefinition,
  bus: Bus,
  values: Record<string, unknown> = {},
  { redis, beside }: Sharing = {},
): Promise<TestedService> {
  const connection = beside?.connection ?? (await migratedDatabase(definition.name, definition.database!));
  const database = await Database.open({ connection, ...definition.database! });
  const contextKey = beside?.contextKey ?? randomBytes(32);
  const hosted = await hostService({
    definition,
    config: readConfig(definition.config, { dataKey, ...values } as never),
    bus,
    redis,
    contextKey,
    database,
    listen: null,
  });
  const fastify = hosted.app.getHttpAdapter().getInstance();
  await fastify.ready();
  const headersOf = (actor: Actor | null): Record<string, string> => {
    if (!actor) return {};
    const context: Context = {
      ...systemContext(actor.companyId),
      userId: actor.userId,
      username: 'tester',
      orgId: actor.orgId,
      orgIds: actor.orgIds ?? '*',
      ...(actor.allOrgs ? { allOrgs: true as const } : {}),
      permissions: [...(actor.permissions ?? ordinaryKeys)],
      requestId: uuidv7(),
      address: '127.0.0.1',
      sessionId: actor.sessionId ?? null,
      ...(actor.language ? { language: actor.language } : {}),
      ...(actor.timezoneId ? { timezoneId: actor.timezoneId } : {}),
      ...(actor.countryId ? { countryId: actor.countryId } : {}),
      ...(actor.apiToken ? { apiToken: actor.apiToken } : {}),
      ...(actor.visit ? { visit: actor.visit } : {}),
    };
    return { [contextHeader]: signContext(context, contextKey) };
  };
  return {
    ...hosted,
    database,
    connection,
    contextKey,
    headersOf,
    as: (actor) =>
      createClient({
        baseUrl: '',
        headers: () => headersOf(actor),
        fetch: (async (url: string, init: { method: string; headers: Record<string, string>; body?: string }) => {
          const answer = await fastify.inject({
            method: init.method as 'GET',
            url,
            headers: init.headers,
            ...(init.body === undefined ? {} : { payload: init.body }),
          });
          return new Response(answer.body, { status: answer.statusCode });
        }) as unknown as typeof fetch,
      }),
    async raw(actor, { method, url, payload, headers }) {
      const answer = await fastify.inject({
        method: method as 'GET',
        url,
        headers: { ...headersOf(actor), ...headers },
        ...(payload === undefined ? {} : { payload }),
      });
      // A picture or an HTML page is no JSON.
      const json = /^[[{"]|^(null|true|false|-?\d)/.test(answer.body);
      return { status: answer.statusCode, body: json ? (JSON.parse(answer.body) as Record<string, unknown>) : {} };
    },
  };
}
