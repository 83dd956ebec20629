import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Outbound } from './outbound.ts';

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Longest time until the end of the response. */
  withinMs: number;
  /** Bytes read of the response. */
  mostBytes: number;
  /** Trusted certificates; the public authorities unless given. */
  ca?: string[] | undefined;
}
export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Whether the response has more than the bytes that were read. */
  isCut: boolean;
}

/** Why a request has no response. */
export class OutboundFault extends Error {
  constructor(
    readonly fault: 'targetRefused' | 'timeout' | 'certificate' | 'unreachable',
    /** Status of a response that broke off. */
    readonly status: number | null = null,
  ) {
    super(fault);
  }
}

/**
 * Sends requests to URLs from the console: over HTTPS to the internet, and over HTTP only to hosts that the operator
 * allows. Never follows a redirect, which may lead to an internal host.
 */
export class OutboundWeb {
  private readonly secure: Outbound;
  private readonly plain: Outbound;

  constructor(config: { outboundAllowed: string }, securePorts: readonly number[]) {
    this.secure = new Outbound(config, securePorts);
    this.plain = new Outbound(config, []);
  }

  /** Returns why a URL is refused, without contacting it; undefined when it is not. */
  refusal(url: URL): 'httpsNeeded' | 'targetRefused' | undefined {
    if (this.outboundFor(url).couldBe(target(url))) return undefined;
    return url.protocol === 'http:' ? 'httpsNeeded' : 'targetRefused';
  }

  /**
   * Sends one request. The name is resolved and checked each time, and the checked address is used for the connection.
   * Throws {@link OutboundFault} when there is no response.
   */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    const late = AbortSignal.timeout(request.withinMs);
    const tooLate = new Promise<'late'>((resolve) => {
      late.addEventListener('abort', () => resolve('late'), { once: true });
    });
    const address = await Promise.race([this.outboundFor(request.url).address(target(request.url)), tooLate]);
    if (address === 'late') throw new OutboundFault('timeout');
    if (address === undefined) throw new OutboundFault('targetRefused');
    let status: number | null = null;
    try {
      const response = await connect(request, address, late);
      status = response.statusCode!;
      const { text, isCut } = await beginningOf(response, request.mostBytes);
      return { status, headers: response.headers, text, isCut };
    } catch (error) {
      throw new OutboundFault(late.aborted ? 'timeout' : faultOf(error as { code?: string }), status);
    }
  }

  private outboundFor(url: URL): Outbound {
    return isSecure(url) ? this.secure : this.plain;
  }
}

const isSecure = (url: URL): boolean => url.protocol === 'https:';
const target = (url: URL) => ({
  host: url.hostname,
  port: url.port === '' ? (isSecure(url) ? 443 : 80) : Number(url.port),
});

function connect(
  { method, url, headers, body, ca }: OutboundRequest,
  address: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const options: RequestOptions = {
    method,
    host: address,
    port: target(url).port,
    path: url.pathname + url.search,
    headers: {
      ...headers,
      host: url.host,
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
    // A separate connection, because its address was checked for this request.
    agent: false,
    signal,
  };
  return new Promise((resolve, reject) => {
    const call = isSecure(url)
      ? httpsRequest({
          ...options,
          minVersion: 'TLSv1.2',
          ...(isIP(host) ? {} : { servername: host }),
          ...(ca ? { ca } : {}),
        })
      : httpRequest(options);
    call.once('response', resolve);
    // The connection may fail again after the response.
    call.on('error', reject);
    call.end(body);
  });
}

/** Reads at most the limit and releases the connection. */
async function beginningOf(response: IncomingMessage, most: number): Promise<{ text: string; isCut: boolean }> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > most) break;
    }
  } finally {
    response.destroy();
  }
  return { text: Buffer.concat(parts).subarray(0, most).toString('utf8'), isCut: size > most };
}

function faultOf({ code = '' }: { code?: string }): 'certificate' | 'unreachable' {
  return /CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO|^ERR_SSL|^EPROTO/.test(code) ? 'certificate' : 'unreachable';
}
