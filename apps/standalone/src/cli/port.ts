import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Trouble } from './trouble.ts';

/**
 * How long a killed process may still hold a port. The kernel may still close its sockets when its command line is
 * already gone, so that the process cannot be recognized any more.
 */
export const dyingMs = 5_000;

/** Throws `Trouble` when the port does not become free within `patientMs`. */
export async function requireFreePort(host: string, port: number, option: string, patientMs: number): Promise<void> {
  if (port < 1 || port > 65_535) throw new Trouble(`${option} ${port} is no port.`);
  for (const until = Date.now() + patientMs; ; await sleep(50)) {
    try {
      return await listenOnce(host, port, option);
    } catch (error) {
      if (Date.now() >= until) throw error;
    }
  }
}

async function listenOnce(host: string, port: number, option: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Trouble(
          error.code === 'EADDRINUSE'
            ? `Port ${port} is taken; choose another with ${option}.`
            : error.code === 'EACCES'
              ? `Port ${port} needs a right that this user does not have; choose one above 1023 with ${option}.`
              : `${host}:${port} cannot be listened on (${error.code}).`,
        ),
      ),
    );
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
