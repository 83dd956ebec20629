import { connect, type Socket } from 'node:net';
import { afterAll, beforeEach } from 'vitest';
import { startGateway } from '../gateway-test.ts';

export const token = '/api/f/auth/oauth/token';

export interface Client {
  socket: Socket;
  heard: { text: string };
  /** Resolves when the text has left this process, or the connection has ended. */
  sent: Promise<void>;
  closed: Promise<void>;
}
export function open(port: number, text: string, localAddress = '127.0.0.1'): Client {
  const heard = { text: '' };
  const sending = Promise.withResolvers<void>();
  const socket = connect({ port, host: '127.0.0.1', localAddress }, () => {
    socket.write(text, () => sending.resolve());
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      sending.resolve();
      resolve();
    });
  });
  socket
    .setEncoding('latin1')
    .on('data', (part: string) => {
      heard.text += part;
    })
    .on('error', () => undefined);
  return { socket, heard, sent: sending.promise, closed };
}

/** Starts a gateway with short timeouts, and records uncaught errors. Closes it after the tests. */
export async function startEdge() {
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', note);
  const gateway = await startGateway({
    loginsPerMinute: 0,
    publicCallsPerMinute: 0,
    sessionCallsPerMinute: 0,
    bodySeconds: 2,
    slowPerAddress: 150,
  });
  afterAll(async () => {
    await gateway.close();
    process.off('uncaughtException', note);
  });
  beforeEach(() => {
    uncaught.length = 0;
    gateway.received.length = 0;
    gateway.answer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
  });
  return { uncaught, gateway };
}
