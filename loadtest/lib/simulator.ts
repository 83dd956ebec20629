import { join } from 'node:path';
import { rawRequest } from '@carillon/testing/raw';
import type { Instance } from './instance.ts';

/** Calls the control endpoint of an installation's simulator (apps/simulator/src/control.ts). */
export async function askSimulator<T>(
  instance: Instance,
  method: 'GET' | 'POST',
  path: string,
  body: object = {},
): Promise<T> {
  const { status, text, json } = await rawRequest(
    { socketPath: join(instance.data, 'run', 'simulator.sock') },
    {
      method,
      path,
      headers: { host: 'localhost', 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    },
  );
  if (status !== 200) throw new Error(`the simulator answered ${status}: ${text}`);
  return json as T;
}
