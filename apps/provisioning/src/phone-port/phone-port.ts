import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { createLogger, durations, meanings } from '@carillon/observability';
import {
  Certificates,
  clientAddress,
  closeWhenStalled,
  CONFIG,
  limitConnections,
  networkOf,
  trustedBy,
} from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';
import { configAnswer } from '../device-config/config-answer.ts';
import type { Caller, GrantedLoad, RefusedLoad } from '../device-config/config-file.ts';
import { ConfigLoads } from '../device-config/config-loads.service.ts';
import { PhoneEvents, type ActionUrlEvent } from '../phone-event/phone-events.service.ts';
import { longestPost, postedEvent } from '../phone-event/posted-event.ts';
import { certificateMac } from './certificate-mac.ts';
import { PhoneOrigin } from './phone-origin.ts';
import { phonePath, routeOf, type PhonePath } from './phone-path.ts';
import { PhoneGuard } from './phone-guard.ts';
import { Turns } from './turns.ts';

const log = createLogger('phone-port');
const calls = durations(meanings.http);

const maxHeaderBytes = 8_192;
const keepAliveMs = 5_000;
/** Requests that run when the process ends are given this long. */
const closeWithinMs = 5_000;
/** Most files of a company that one turn reads. */
const mostTogether = 16;
const retryAfter = { tooMany: 60, busy: 10 } as const;

interface Work {
  /** Its company, when it costs little in a turn with others of this company. */
  company?: string | undefined;
  run: () => Promise<GrantedLoad | RefusedLoad | 'taken'>;
  /** Records that the request got no turn. */
  busy?: () => void;
}

/** The HTTP port for phones as they are sold (EDGE-01). It has the files and action URLs of devices, and nothing else. */
@Injectable()
export class PhonePort implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly server: Server | SecureServer;
  private readonly certificates: Certificates | undefined;
  private readonly turns: Turns;
  private readonly isProxy: ((said: string) => boolean) | false;

  constructor(
    private readonly loads: ConfigLoads,
    private readonly events: PhoneEvents,
    private readonly guard: PhoneGuard,
    private readonly origin: PhoneOrigin,
    @Inject(CONFIG) private readonly config: ProvisioningConfig,
  ) {
    const { phoneTlsCertificate: certificate, phoneTlsKey: key, phoneClientCa: clientCa, phoneRequestSeconds } = config;
    if ((certificate === '') !== (key === '')) throw new Error('phoneTlsCertificate and phoneTlsKey need each other');
    if (clientCa !== '' && certificate === '') throw new Error('phoneClientCa needs phoneTlsCertificate');
    this.turns = new Turns({
      atOnce: config.phoneRequestsAtOnce,
      together: mostTogether,
      most: config.phoneRequests,
      mostOfOne: config.phoneRequestsPerAddress,
    });
    this.isProxy = trustedBy(config.trustedProxies);
    this.certificates =
      certificate === '' ? undefined : new Certificates({ certificate, key, clientCa, clientRequired: false }, log);
    const options = {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: phoneRequestSeconds * 1_000,
      requestTimeout: phoneRequestSeconds * 1_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: keepAliveMs,
      requireHostHeader: false,
    };
    const listener: RequestListener = (request, response) => this.take(request, response);
    this.server = this.certificates
      ? createSecureServer({ ...options, ...this.certificates.read(), handshakeTimeout: keepAliveMs }, listener)
      : createServer(options, listener);
    limitConnections(this.server, {
      connections: config.phoneConnections,
      connectionsPerAddress: config.phoneConnectionsPerAddress,
      trustedProxies: config.trustedProxies,
    });
  }

  /** The port that is listened on. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { phoneHost: host, phonePort: port, phoneShared: reusePort } = this.config;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen({ host, port, reusePort }, resolve);
    });
    this.origin.port = this.port;
    // A connection that cannot be accepted (no file descriptor left) must not end the process.
    this.server.on('error', (err) => log.error({ err }, 'a connection could not be taken'));
    this.certificates?.watch(this.renew);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.certificates?.unwatch(this.renew);
    if (!this.server.listening) return;
    const late = setTimeout(() => this.server.closeAllConnections(), closeWithinMs);
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
    clearTimeout(late);
  }

  private readonly renew = (options: TlsOptions): void => (this.server as SecureServer).setSecureContext(options);

  private take(request: IncomingMessage, response: ServerResponse): void {
    const began = performance.now();
    const asked = phonePath(request.url ?? '');
    response.once('close', () => {
      const labels = {
        service: 'provisioning',
        method: ['HEAD', 'POST'].includes(request.method ?? '') ? request.method! : 'GET',
        route: routeOf(asked),
        status: String(response.statusCode),
      };
      calls.observe(labels, (performance.now() - began) / 1_000);
    });
    closeWhenStalled(response, this.config.phoneRequestSeconds);
    const isPost = asked !== undefined && 'isPost' in asked;
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    // The rest of the request is not read.
    if (encoding !== undefined || Number(length) > (isPost ? longestPost : 0))
      return bare(response, 413, { connection: 'close' });
    if (!asked) return bare(response, 404);
    const allowed = isPost ? ['POST'] : 'file' in asked ? ['GET', 'HEAD'] : ['GET'];
    if (!allowed.includes(request.method ?? '')) return bare(response, 405, { allow: allowed.join(', ') });
    this.answer(request, response, asked).catch((err: unknown) => {
      log.error({ err }, 'a request of a phone failed');
      if (!response.headersSent) bare(response, 503, { 'retry-after': retryAfter.busy });
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse, asked: PhonePath): Promise<void> {
    const by: Caller = {
      userAgent: request.headers['user-agent'] ?? '',
      address: this.addressOf(request),
      host: request.headers.host,
      certificateMac: certificateMac(request.socket),
    };
    const event = 'isPost' in asked ? await readPosted(request, asked.token) : asked;
    if (event === undefined) return bare(response, 404);
    const begin = this.workOf(event, by);
    if (typeof begin === 'string') return refuse(response, begin);
    const { company, run, busy } = begin;
    const work = this.turns.run(
      networkOf(by.address),
      // The phone may have given up meanwhile.
      async () => (response.destroyed ? 'unknown' : run()),
      company,
    );
    if (!work) {
      this.guard.count('busy');
      busy?.();
      return bare(response, 503, { 'retry-after': retryAfter.busy });
    }
    const found = await work;
    if (found === 'taken') return bare(response, 200);
    if (typeof found === 'string') return refuse(response, found);
    send(request, response, found);
  }

  /** Returns the work of a request, whose token and limits were checked without a query, or why it is refused. */
  private workOf(asked: Exclude<PhonePath, { isPost: true }>, by: Caller): Work | RefusedLoad {
    if ('file' in asked) {
      const opened = this.loads.open(asked.token, asked.file, by);
      if (typeof opened === 'string') return opened;
      // Only these read together.
      const company = 'claimed' in opened ? opened.claimed.companyId : undefined;
      return { company, run: () => this.loads.load(opened, by), busy: () => this.loads.noteBusy(opened, by) };
    }
    const opened = this.events.open(asked, by);
    return typeof opened === 'string' ? opened : { run: () => this.events.take(opened, by) };
  }

  /** Returns the address of the client: that of the connection, or what a trusted proxy says. */
  private addressOf(request: IncomingMessage): string {
    const own = clientAddress(request.socket.remoteAddress ?? '') ?? '';
    const { isProxy } = this;
    if (!isProxy || !isProxy(own)) return own;
    const said = String(request.headers['x-forwarded-for'] ?? '').split(',');
    // Each proxy adds its client at the end. A client can forge the addresses before its own.
    const address = said.map(clientAddress).findLast((one) => one === undefined || !isProxy(one));
    return address ?? own;
  }
}

/** Returns the event that a phone posts, whose length is known; undefined for a body without one. */
async function readPosted(request: IncomingMessage, token: string): Promise<ActionUrlEvent | undefined> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  } catch {
    // The phone went away.
    return undefined;
  }
  const posted = postedEvent(Buffer.concat(parts).toString());
  return posted && { token, ...posted };
}

function send(request: IncomingMessage, response: ServerResponse, { file, ended }: GrantedLoad): void {
  const { status, headers, body, outcome } = configAnswer(request.method, request.headers, file);
  finished(response, (error) => ended(error ? 'partial' : outcome));
  response.writeHead(status, headers).end(body);
}

function refuse(response: ServerResponse, why: RefusedLoad): void {
  if (why === 'unknown') bare(response, 404);
  else bare(response, 429, { 'retry-after': retryAfter.tooMany });
}

function bare(response: ServerResponse, status: number, headers: Record<string, string | number> = {}): void {
  response.writeHead(status, { ...headers, 'cache-control': 'no-store', 'content-length': 0 }).end();
}
