import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.ts';

export interface ReceivedCall {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** The body as received. */
  body: string;
  at: number;
}

/** Answers a call; 204 when undefined. */
export type Answer = (call: ReceivedCall, response: ServerResponse) => void;

export interface WebhookReceiver {
  port: number;
  url: string;
  calls: ReceivedCall[];
  /** Returns the number of calls without an answer. */
  open(): number;
  answer(how: Answer | undefined): void;
  /** Returns the call with this number, counted from one. */
  nth(n: number, withinMs?: number): Promise<ReceivedCall>;
  close(): Promise<void>;
}

/** Starts a real web server on loopback that receives webhooks; over https with a certificate. */
export async function startWebhookReceiver(tls?: { key: string; cert: string }): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = [];
  let how: Answer | undefined;
  let open = 0;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const parts: Buffer[] = [];
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const { method = '', url = '', headers } = request;
        const call = { method, url, headers, body: Buffer.concat(parts).toString(), at: Date.now() };
        calls.push(call);
        if (how) how(call, response);
        else response.writeHead(204).end();
      });
  };
  const server = tls ? createSecureServer(tls, take) : createServer(take);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${port}/hook`,
    calls,
    open: () => open,
    answer(next) {
      how = next;
    },
    nth: (n, withinMs = 10_000) =>
      eventually(() => {
        const call = calls[n - 1];
        if (!call) throw new Error(`${calls.length} calls came, and ${n} were waited for`);
        return call;
      }, withinMs),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
