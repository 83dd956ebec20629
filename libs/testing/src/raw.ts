import { request as httpRequest } from 'node:http';

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: any;
}

/**
 * Sends one HTTP request to an address or a Unix socket unchanged: `fetch` would add headers and normalize the path.
 */
export function rawRequest(
  at: { port: number } | { socketPath: string },
  options: { method?: string; path: string; headers?: Record<string, string | string[]>; body?: string | Buffer },
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        ...('port' in at ? { host: '127.0.0.1', port: at.port } : at),
        method: options.method ?? 'GET',
        path: options.path,
        headers: { ...unframed(options), ...options.headers },
        agent: false,
      },
      (response) => {
        const parts: Buffer[] = [];
        response
          .on('data', (part: Buffer) => parts.push(part))
          .on('error', reject)
          .on('end', () => {
            const text = Buffer.concat(parts).toString();
            let json: unknown;
            try {
              json = JSON.parse(text);
            } catch {
              /* not every answer is JSON */
            }
            resolve({ status: response.statusCode!, headers: response.headers, text, json });
          });
      },
    );
    request.on('error', reject);
    request.end(options.body);
  });
}

/**
 * Returns the content-length of a DELETE's body: Node.js sets none, and a server takes a body without a length for the
 * next request.
 */
function unframed({
  method,
  headers,
  body,
}: {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}): Record<string, string> {
  const said = Object.keys(headers ?? {}).some((name) => /^(content-length|transfer-encoding)$/i.test(name));
  return method === 'DELETE' && body !== undefined && !said
    ? { 'content-length': String(Buffer.byteLength(body)) }
    : {};
}
