import { createHash, createHmac } from 'node:crypto';

export interface HawkRequest {
  method: string;
  url: URL;
  body: string;
  /** Empty without a body. */
  contentType: string;
}
export interface HawkKey {
  id: string;
  key: string;
}

const hashOf = ({ contentType, body }: HawkRequest): string =>
  createHash('sha256').update(`hawk.1.payload\n${contentType}\n${body}\n`).digest('base64');

/** Returns the signature of a request (Hawk 1, SHA-256): of its address, time, nonce and body. */
function hawkMac(key: string, request: HawkRequest, ts: string, nonce: string): string {
  const { method, url } = request;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const lines = [
    'hawk.1.header',
    ts,
    nonce,
    method,
    url.pathname + url.search,
    url.hostname,
    port,
    hashOf(request),
    '',
  ];
  return createHmac('sha256', key)
    .update(`${lines.join('\n')}\n`)
    .digest('base64');
}

/** Returns the header `Authorization`. `now` is Unix time in milliseconds. */
export function hawkHeader({ id, key }: HawkKey, request: HawkRequest, now: number, nonce: string): string {
  const ts = String(Math.floor(now / 1_000));
  const mac = hawkMac(key, request, ts, nonce);
  return `Hawk id="${id}", ts="${ts}", nonce="${nonce}", hash="${hashOf(request)}", mac="${mac}"`;
}
