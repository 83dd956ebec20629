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
import { Database, migrate, provision, uuidv7, type Connection } from '@carillon/persistence';
import { hostService, readConfig, type Hosted, type Redis, type ServiceDefinition } from '@carillon/service';
import { contextHeader, signContext, systemContext, type Context } from '@carillon/tenancy';
import { testConnection, testDatabase, testPostgres } from './postgres.ts';

/** A real bus for a test: the log in PostgreSQL, in a database of its own. */
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
}

/** Everything that one may do in a company: what is the super administrator's alone crosses companies on purpose. */
const ordinaryKeys = permissionKeys.filter((key) => !superKeys.includes(key));

/** Somebody who may do everything in a company that nobody else is in. */
export function newActor(given: Partial<Actor> = {}): Actor {
  return { companyId: uuidv7(), orgId: uuidv7(), userId: uuidv7(), sessionId: uuidv7(), ...given };
}

export interface TestedService extends Hosted {
  database: Database;
  connection: Connection;
  /** What it believes the API gateway by, and makes links with. */
  contextKey: Buffer;
  /** The typed client of an actor, as the API gateway would let him through. */
  as(actor: Actor): Client;
  /** What the API gateway's signed context of an actor looks like, for a request by hand. */
  headersOf(actor: Actor): Record<string, string>;
  /** A request as it stands: for what the typed client would not send. */
  raw(
    actor: Actor | null,
    request: { method: string; url: string; payload?: string | object; headers?: Record<string, string> },
  ): Promise<{ status: number; body: Record<string, unknown> }>;
}

/** What a service has in common with other processes; whoever gives it closes it. */
export interface Sharing {
  redis?: Redis;
  /** Another process of the same service: they have one database. */
  beside?: TestedService;
}

/** Runs a service as it is: its own database with policies and roles, the real bus, its guard and its consumers. */
export async function testService(
  definition: ServiceDefinition,
  bus: Bus,
  values: Record<string, unknown> = {},
  { redis, beside }: Sharing = {},
): Promise<TestedService> {
  const connection = beside?.connection ?? (await testConnection(definition.name));
  if (!beside) {
    await provision(await testPostgres(), connection, 'owner');
    await migrate({ connection, ...definition.database! }, 'owner');
  }
  const database = await Database.open({ connection, ...definition.database! });
  const contextKey = beside?.contextKey ?? randomBytes(32);
  const hosted = await hostService({
    definition,
    config: readConfig(definition.config, values as never),
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
      // A picture or a page is no JSON.
      const json = /^[[{"]|^(null|true|false|-?\d)/.test(answer.body);
      return { status: answer.statusCode, body: json ? (JSON.parse(answer.body) as Record<string, unknown>) : {} };
    },
  };
}
