import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { testBus, testService, type TestedService } from '@carillon/testing';
import { authService, seedInstallation } from './auth.module.ts';

export const md5 = (password: string): string => createHash('md5').update(password).digest('hex');
export const password = 'Right-Secret-1';
export const client = `Basic ${Buffer.from('web:web-secret-of-test').toString('base64')}`;

export interface TokenReply {
  status: number;
  body: Record<string, any>;
  cookies: string[];
  headers: Record<string, unknown>;
}

export interface AuthUnderTest {
  bus: PostgresBus;
  service: TestedService;
  tokenKey: Buffer;
  mailKey: Buffer;
  companyId: string;
  orgId: string;
  /** Sends the token call. The fields are in the query unless `as` says otherwise. */
  token(
    fields: Record<string, string>,
    options?: { as?: 'query' | 'json' | 'form'; headers?: Record<string, string> },
  ): Promise<TokenReply>;
  login(username: string, secret?: string, address?: string): Promise<TokenReply>;
  /** Runs SQL under the company's policies. */
  sql<R = Record<string, unknown>>(text: string, values?: unknown[]): Promise<R[]>;
  close(): Promise<void>;
}

/** Starts auth as in production, with the users `admin` and `viewer`; both have {@link password}. */
export async function startAuth(
  config: Record<string, unknown> = {},
  { companyId, orgId } = { companyId: randomUUID() as string, orgId: randomUUID() as string },
): Promise<AuthUnderTest> {
  const bus = await testBus('auth_bus');
  const tokenKey = randomBytes(32);
  const passwordPepper = randomBytes(32);
  const mailKey = randomBytes(32);
  const service = await testService(authService as unknown as ServiceDefinition, bus, {
    tokenKey,
    passwordPepper,
    mailKey,
    publicUrl: 'https://carillon.example',
    clientId: 'web',
    clientSecret: 'web-secret-of-test',
    addressFailuresPerMinute: 1_000_000,
    captchaAfterFailures: 1_000_000,
    ...config,
  });
  await seedInstallation(service.database, {
    companyId,
    orgId,
    passwordPepper,
    administrator: { username: 'admin', password },
    viewer: { username: 'viewer', password },
  });
  const fastify = service.app.getHttpAdapter().getInstance();
  const token: AuthUnderTest['token'] = async (fields, { as = 'query', headers = {} } = {}) => {
    const text = new URLSearchParams(fields).toString();
    const sent = as === 'query' ? {} : { payload: as === 'json' ? JSON.stringify(fields) : text };
    const type =
      as === 'query'
        ? {}
        : { 'content-type': as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded' };
    const answer = await fastify.inject({
      method: 'POST',
      url: `/api/f/auth/oauth/token${as === 'query' ? `?${text}` : ''}`,
      headers: { authorization: client, 'user-agent': 'test', ...type, ...headers },
      ...sent,
    });
    return {
      status: answer.statusCode,
      body: answer.json(),
      cookies: [answer.headers['set-cookie'] ?? []].flat(),
      headers: answer.headers,
    };
  };
  return {
    bus,
    service,
    tokenKey,
    mailKey,
    companyId,
    orgId,
    token,
    login: (username, secret = password, address = '10.0.0.1') =>
      token(
        { grant_type: 'captcha', scope: 'all', username, password: md5(secret) },
        { headers: { 'carillon-address': address } },
      ),
    sql: (text, values = []) =>
      transaction(
        service.database,
        companySession(companyId),
        async () => (await currentSql().query<any>(text, values)).rows,
      ),
    async close() {
      await service.close();
      await bus.close();
    },
  };
}
