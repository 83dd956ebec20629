import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { fillPath, type ServiceName } from '@carillon/contracts';
import type { NamedRoute } from '@carillon/contracts/routes';
import { createLogger, currentTraceparent, span, SpanKind } from '@carillon/observability';
import { contextHeader, signContext, type Context } from '@carillon/tenancy';
import { clientAddress, CONFIG, CONTEXT_KEY, Failure } from '@carillon/service';
import { AccessCopy } from '../access/access.service.ts';
import { anonymous, askedAtOf, authenticate, type Admitted, type EdgeRequest } from '../access/authenticate.ts';
import type { GatewayConfig } from '../config.ts';
import { Limits } from '../limit/limit.service.ts';
import { checkMediaType, flowingBody, readBody } from './body.ts';
import type { Answer, Call } from './exchange.ts';
import { inwardHeaders, outwardHeaders } from './headers.ts';
import { Upstreams } from './upstream.service.ts';

const log = createLogger('gateway');
export const defaultBodyLimit = 262_144;
const traceparent = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
type SessionEffect = (access: AccessCopy, sessionId: string, userId: string) => void;
const endSession: SessionEffect = (access, id) => {
  access.end(id);
};
/** Effects of an answer on its session, by status. Applied here at once; other gateways learn of them over the bus. */
const sessionEffects: Record<string, Record<number, SessionEffect>> = {
  logout: { 200: endSession },
  logoutWithLogs: { 200: endSession },
  lockSession: {
    200: (access, id) => {
      access.lock(id, true);
    },
  },
  unlockSession: {
    200: (access, id) => {
      access.lock(id, false);
    },
    // The last attempt was wrong, which ends the session.
    401: endSession,
  },
  changePassword: {
    200: (access, _, userId) => {
      access.passwordChanged(userId);
    },
  },
};

export function edgeRequest(request: FastifyRequest): EdgeRequest {
  // A socket that was reset has no address any more. No client waits for the answer, and the operation log could not
  // name an address.
  if ((request.ip as string | undefined) === undefined) throw new Failure('common.unavailable');
  return {
    headers: request.headers,
    host: request.host,
    secure: request.protocol === 'https',
    // What a proxy says may be no address at all: then its own is the one that is known.
    address: clientAddress(request.ip) ?? clientAddress(request.socket.remoteAddress ?? '') ?? '',
    id: request.id,
  };
}

const hasBody = (request: FastifyRequest): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/**
 * Turns a session into a signed context and passes the call to the service that owns it, without interpreting bodies or
 * answers.
 */
@Injectable()
export class Proxy {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CONTEXT_KEY) private readonly contextKey: Buffer,
    private readonly access: AccessCopy,
    private readonly upstreams: Upstreams,
    private readonly limits: Limits,
  ) {}

  /** Checks the token before anything else. */
  admit({ route }: NamedRoute, request: FastifyRequest): Partial<Admitted> & { context: Context } {
    const edge = edgeRequest(request);
    if (route.permission === 'public') return { context: anonymous(edge) };
    const admitted = authenticate(edge, this.config.tokenKey, this.access, route);
    // A client marks calls that no user asked for, such as reloading a changed list.
    if (admitted.token && !route.passive && request.headers['carillon-background'] === undefined)
      this.access.touch(admitted.token);
    return admitted;
  }

  async pass(named: NamedRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { route, owner, name } = named;
    const from = request.headers['traceparent'];
    const parent = typeof from === 'string' && traceparent.test(from) ? from : undefined;
    const attributes = { 'http.route': route.path, 'http.request.method': route.method };
    return span(
      `${route.method} ${route.path}`,
      { kind: SpanKind.SERVER, root: true, traceparent: parent, attributes },
      async () => {
        const { context: admitted, token } = this.admit(named, request);
        const context = { ...admitted, askedAt: askedAtOf(request.headers) };
        const counted = this.limits.admit(named, context, reply);
        if (counted) await counted;
        const limit = route.bodyLimit ?? defaultBodyLimit;
        if (Number(request.headers['content-length'] ?? 0) > limit) throw new Failure('common.tooLarge', { limit });
        if (route.bytes) return this.passBytes(named, request, reply, context, limit);
        const answer = await this.ask(named, request, reply, context, limit);
        if (token) sessionEffects[name]?.[answer.statusCode]?.(this.access, token.sessionId, token.userId);
        if (!Buffer.isBuffer(answer.body)) this.holdAnswer(named, context, answer.body, reply);
        return this.answer(answer, reply, owner);
      },
    );
  }

  /** Reads the body, if there is one, and sends the call to its service. */
  private async ask(
    named: NamedRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    context: Context,
    limit: number,
  ): Promise<Answer> {
    const { route, owner } = named;
    const hasOne = route.body !== undefined && hasBody(request);
    if (hasOne) checkMediaType(request.headers['content-type'], route.form === true);
    const bytes = hasOne ? Number(request.headers['content-length'] ?? limit) : 0;
    const free = this.limits.reserve(named, context, bytes);
    try {
      const body = hasOne ? await this.read(named, request, context, limit) : null;
      const end = this.limits.begin(named, context);
      return await this.send(owner, named, request, reply, context, body).finally(end);
    } finally {
      free();
    }
  }

  private answer({ statusCode, headers, body }: Answer, reply: FastifyReply, owner: ServiceName): FastifyReply {
    return reply
      .status(statusCode)
      .headers(outwardHeaders(headers, owner === 'auth'))
      .send(body);
  }

  /** Streams a body; it occupies one of the caller's slots for slow work. */
  private async passBytes(
    named: NamedRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    context: Context,
    bytes: number,
  ): Promise<FastifyReply> {
    const { raw, headers } = request;
    const body = flowingBody(raw, headers['content-type'], { bytes, idleMs: this.config.bodyIdleSeconds * 1000 });
    let leave: (() => void) | undefined;
    try {
      leave = this.limits.hold(named, context);
      const answer = await this.send(named.owner, named, request, reply, context, body);
      // An unread body would be taken for the next request.
      if (!raw.complete) void reply.header('connection', 'close');
      return this.answer(answer, reply, named.owner);
    } finally {
      leave?.();
      body.destroy();
    }
  }

  /** Reads the body, which occupies one of the caller's slots for slow work; most bodies arrive with the headers. */
  private async read(named: NamedRoute, { raw }: FastifyRequest, context: Context, bytes: number): Promise<Buffer> {
    const { bodyIdleSeconds, bodySeconds } = this.config;
    // The parser may be about to report that the body has arrived completely with the headers.
    if (!raw.complete) await setImmediate();
    const leave = raw.complete ? undefined : this.limits.hold(named, context);
    try {
      return await readBody(raw, {
        bytes,
        idleMs: bodyIdleSeconds * 1000,
        withinMs: named.route.permission === 'public' ? bodySeconds * 1000 : undefined,
      });
    } finally {
      leave?.();
    }
  }

  /**
   * Takes a slot for an answer that streams, because it holds a connection to its service until the client has read it.
   */
  private holdAnswer(named: NamedRoute, context: Context, answer: Readable, reply: FastifyReply): void {
    try {
      const leave = this.limits.hold(named, context);
      if (reply.raw.closed) leave();
      else reply.raw.once('close', leave);
    } catch (error) {
      answer.destroy(error as Error);
      throw error;
    }
  }

  private async send(
    owner: ServiceName,
    { route }: NamedRoute,
    request: FastifyRequest,
    reply: FastifyReply,
    context: Context,
    body: Buffer | Readable | null,
  ): Promise<Answer> {
    const upstream = this.upstreams.get(owner);
    if (!upstream) throw new Failure('common.unavailable');
    const gone = new AbortController();
    // Only a client that leaves early, because every answer ends with a close event.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    const query = request.raw.url!.indexOf('?');
    const trace = currentTraceparent();
    const headers = inwardHeaders(request.headers);
    if (body === null) delete headers['content-type'];
    const options: Call = {
      method: route.method,
      whole: route.permission === 'public',
      signal: gone.signal,
      body,
      // The path is rebuilt from the router's parameters: a service never sees the client's own spelling.
      path:
        fillPath(route.path, request.params as Record<string, unknown>) +
        (query === -1 ? '' : request.raw.url!.slice(query)),
      headers: {
        ...headers,
        ...this.credentials(owner, request),
        [contextHeader]: signContext(context, this.contextKey),
        'carillon-language': context.language,
        'carillon-request-id': request.id,
        'x-forwarded-proto': request.protocol,
        ...(trace ? { traceparent: trace } : {}),
      },
    };
    try {
      return await upstream.request(options);
    } catch (error) {
      if (error instanceof Failure) throw error;
      // Report the fault of the body, not the broken call that followed from it.
      if (body && 'errored' in body && body.errored instanceof Failure) throw body.errored;
      if (!gone.signal.aborted)
        log.warn({ err: error, service: owner, requestId: request.id }, 'a service did not answer');
      throw new Failure('common.unavailable');
    }
  }

  /**
   * Passes client authorization, host name and refresh cookie to auth only; for other services the signed context is
   * enough.
   */
  private credentials(owner: ServiceName, { headers, host }: FastifyRequest): Record<string, string> {
    if (owner !== 'auth') return {};
    return {
      ...(host ? { 'x-forwarded-host': host } : {}),
      ...(headers.authorization ? { authorization: headers.authorization } : {}),
      ...(headers.cookie ? { cookie: headers.cookie } : {}),
    };
  }
}
