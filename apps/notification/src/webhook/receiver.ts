import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { DeliveryFault } from '@carillon/contracts';
import { Outbound } from '@carillon/service';
import type { Attempt } from './webhook.entity.ts';

/** Ports of web servers. */
const webPorts = [443, 8443] as const;
/** Bytes read of a response, and characters of it that are kept. */
const mostRead = 65_536;
const mostKept = 500;

/** Where a webhook may lead: to the internet over https, and over http only to hosts that the operator allows. */
export class Receivers {
  private readonly secure: Outbound;
  private readonly plain: Outbound;

  constructor(config: { outboundAllowed: string }) {
    this.secure = new Outbound(config, webPorts);
    this.plain = new Outbound(config, []);
  }

  /** Returns why a URL is refused, without contacting it; undefined when it is not. */
  refusal(url: URL): 'webhook.httpsNeeded' | 'webhook.targetRefused' | undefined {
    if (this.of(url).couldBe(target(url))) return undefined;
    return url.protocol === 'http:' ? 'webhook.httpsNeeded' : 'webhook.targetRefused';
  }

  /**
   * Makes one attempt. The name is resolved and checked each time, and the checked address is used for the connection.
   */
  async post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    { withinMs, ca }: { withinMs: number; ca: string[] | undefined },
  ): Promise<Attempt> {
    const begun = Date.now();
    const at = new Date(begun).toISOString();
    const ended = (status: number | null, fault: DeliveryFault | null, answer: string): Attempt => ({
      at,
      status,
      ms: Date.now() - begun,
      fault,
      answer: excerpt(answer),
    });
    const late = AbortSignal.timeout(withinMs);
    const tooLate = new Promise<'late'>((resolve) => {
      late.addEventListener('abort', () => resolve('late'), { once: true });
    });
    const address = await Promise.race([this.of(url).address(target(url)), tooLate]);
    if (address === 'late') return ended(null, 'timeout', '');
    if (address === undefined) return ended(null, 'targetRefused', '');
    let status: number | null = null;
    let text = '';
    try {
      const response = await send(url, address, headers, body, { signal: late, ca });
      status = response.statusCode!;
      text = await beginningOf(response);
    } catch (error) {
      return ended(status, late.aborted ? 'timeout' : faultOf(error as { code?: string }), text);
    }
    return ended(status, faultOfStatus(status), text);
  }

  private of(url: URL): Outbound {
    return url.protocol === 'https:' ? this.secure : this.plain;
  }
}

const isSecure = (url: URL): boolean => url.protocol === 'https:';
const target = (url: URL) => ({
  host: url.hostname,
  port: url.port === '' ? (isSecure(url) ? 443 : 80) : Number(url.port),
});

function send(
  url: URL,
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { signal, ca }: { signal: AbortSignal; ca: string[] | undefined },
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const options: RequestOptions = {
    method: 'POST',
    host: address,
    port: target(url).port,
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, 'content-length': String(Buffer.byteLength(body)) },
    // A separate connection, because its address was checked for this attempt.
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
async function beginningOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size >= mostRead) break;
    }
  } finally {
    response.destroy();
  }
  return Buffer.concat(parts).subarray(0, mostRead).toString('utf8');
}

// oxlint-disable-next-line no-control-regex -- What a receiver answers is shown as text.
const control = /[\u0000-\u0008\u000b-\u001f\u007f\ufffd]/g;
const excerpt = (text: string): string => text.slice(0, mostKept).replace(control, ' ').trim();

function faultOfStatus(status: number): DeliveryFault | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function faultOf({ code = '' }: { code?: string }): DeliveryFault {
  return /CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO|^ERR_SSL|^EPROTO/.test(code) ? 'certificate' : 'unreachable';
}
