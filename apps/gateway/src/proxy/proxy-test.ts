import { connect } from 'node:net';
import { afterAll, beforeEach } from 'vitest';
import { startTracing } from '@carillon/observability';
import { startGateway, type Person } from '../gateway-test.ts';

export const list = '/api/f/device/device/list';
export const add = '/api/f/device/device';
export const json = { 'content-type': 'application/json' };

/** Starts a traced gateway with a user of its own for each test. Closes it after the tests. */
export async function startProxy() {
  /** The user whose session the requests have; each test has its own. */
  const caller = {} as { person: Person };
  const stopTracing = startTracing('gateway', {});
  const gateway = await startGateway({ headersSeconds: 1, bodyIdleSeconds: 1 });
  afterAll(async () => {
    await gateway.close();
    await stopTracing();
  });
  beforeEach(async () => {
    caller.person = await gateway.person();
    gateway.received.length = 0;
    gateway.answer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
  });

  const session = (): Record<string, string> => ({ 'carillon-token': caller.person.token });

  /** Sends raw bytes and returns all that comes back until the server closes (or has answered once). */
  function raw(text: string, { keepOpenMs = 0 } = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(gateway.port, '127.0.0.1', () => {
        socket.write(text);
      });
      let answer = '';
      socket
        .setEncoding('latin1')
        .on('data', (part: string) => {
          answer += part;
        })
        .on('close', () => {
          resolve(answer);
        })
        .on('error', reject);
      if (keepOpenMs > 0)
        setTimeout(() => {
          socket.destroy();
        }, keepOpenMs);
    });
  }
  return { gateway, caller, session, raw };
}
