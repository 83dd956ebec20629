import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authAccess, authSession, permissionKeys, services, type AccessView } from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { hostService, readConfig, type Hosted, type Redis, type ServiceDefinition } from '@carillon/service';
import {
  accessTokenSeconds,
  contextHeader,
  createAccessToken,
  verifyContext,
  type AccessToken,
  type Context,
} from '@carillon/tenancy';
import { eventually, rawRequest, testBus, type RawAnswer } from '@carillon/testing';
import { AccessCopy } from './access/access.service.ts';
import { gatewayService } from './gateway.module.ts';

/** A request that a service behind the gateway got. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  context: Context | undefined;
}

export interface Person {
  view: AccessView;
  token: string;
  sessionId: string;
}

export interface GatewayUnderTest {
  port: number;
  bus: PostgresBus;
  hosted: Hosted;
  tokenKey: Buffer;
  /** The key that it shares with the services. */
  contextKey: Buffer;
  /** Requests that reached a service, oldest first. */
  received: Received[];
  /** Sets how the service behind answers; the default is 200 with `{}`. */
  answer(how: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Observes a request at the service while it arrives. */
  arriving(see: ((request: IncomingMessage) => void) | undefined): void;
  request(
    path: string,
    options?: { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer },
  ): Promise<RawAnswer>;
  /** Publishes a user's access like auth does, and returns their token once the gateway knows them. */
  person(given?: Partial<AccessView>, token?: Partial<AccessToken>): Promise<Person>;
  publishAccess(view: AccessView, version?: number): Promise<void>;
  publishSession(type: 'ended' | 'locked' | 'unlocked', person: Person): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the API gateway with the real bus and one real HTTP server, which stands for all services and records its
 * requests.
 */
export async function startGateway(
  config: Record<string, unknown> = {},
  name = 'gateway',
  redis?: Redis,
): Promise<GatewayUnderTest> {
  const bus = await testBus(name);
  const folder = mkdtempSync(join(tmpdir(), 'carillon-gateway-'));
  const socketPath = join(folder, 'behind.sock');
  const contextKey = randomBytes(32);
  const tokenKey = randomBytes(32);
  const received: Received[] = [];
  let respond = (_: IncomingMessage, response: ServerResponse): void => {
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  };
  let see: ((request: IncomingMessage) => void) | undefined;
  // Allows headers as large as in a service (`hostService`).
  const behind = createServer({ maxHeaderSize: 131_072 }, (request, response) => {
    const parts: Buffer[] = [];
    if (request.url !== '/readyz') see?.(request);
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        if (request.url === '/readyz') {
          response.end('{}');
          return;
        }
        received.push({
          method: request.method!,
          url: request.url!,
          headers: request.headers,
          body: Buffer.concat(parts).toString(),
          context: verifyContext(request.headers[contextHeader] as string | undefined, contextKey),
        });
        respond(request, response);
      })
      .on('error', () => {
        response.destroy();
      });
  });
  await new Promise<void>((resolve) => {
    behind.listen(socketPath, resolve);
  });
  const definition = gatewayService as unknown as ServiceDefinition;
  const hosted = await hostService({
    definition,
    bus,
    contextKey,
    redis,
    listen: { host: '127.0.0.1', port: 0 },
    config: readConfig(
      definition.config,
      {
        tokenKey,
        clientId: 'web',
        clientSecret: 'web-secret-of-test',
        upstreams: Object.fromEntries(services.filter((s) => s !== 'gateway').map((s) => [s, { socketPath }])),
        ...config,
      } as never,
      {},
    ),
  });
  const copy = hosted.app.get(AccessCopy, { strict: false });
  const { port } = hosted.app.getHttpServer().address() as { port: number };
  const publish = async (view: AccessView, version = 1): Promise<void> => {
    await bus.publish([
      toRecord(authAccess, view.userId, view, envelope('access', { companyId: view.companyId, version })),
    ]);
    await eventually(() => {
      if (JSON.stringify(copy.user(view.userId)) !== JSON.stringify(authAccess.events.access.parse(view)))
        throw new Error('not known yet');
    });
  };
  return {
    port,
    bus,
    hosted,
    tokenKey,
    contextKey,
    received,
    publishAccess: publish,
    arriving(how) {
      see = how;
    },
    answer(how) {
      respond = how;
    },
    request: (path, options = {}) => rawRequest({ port }, { path, ...options }),
    async person(given = {}, token = {}) {
      const orgId = randomUUID();
      const view: AccessView = {
        userId: randomUUID(),
        companyId: randomUUID(),
        username: 'someone',
        nickname: 'Someone',
        accountType: 'ordinary',
        status: 'normal',
        roleIds: [],
        permissions: [...permissionKeys],
        orgIds: [orgId],
        defaultOrgId: orgId,
        language: null,
        timezoneId: 7,
        tokensValidAfter: 0,
        ...given,
      };
      await publish(view);
      const now = Date.now();
      const sessionId = token.sessionId ?? randomUUID();
      return {
        view,
        sessionId,
        token: createAccessToken(
          {
            userId: view.userId,
            companyId: view.companyId,
            sessionId,
            issuedAt: now,
            expiresAt: now + accessTokenSeconds * 1000,
            activeAt: now,
            ...token,
          },
          tokenKey,
        ),
      };
    },
    async publishSession(type, { sessionId, view }) {
      await bus.publish([
        toRecord(
          authSession,
          sessionId,
          { sessionId, userId: view.userId },
          envelope(type, { companyId: view.companyId }),
        ),
      ]);
    },
    async close() {
      await hosted.close();
      behind.closeAllConnections();
      await new Promise((resolve) => {
        behind.close(resolve);
      });
      await bus.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
