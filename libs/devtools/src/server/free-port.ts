import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports (Linux: from 32768, others: from 49152). An outgoing connection could take such a port
 * between the check and the start of the server.
 */
const [first, end] = [20_000, 26_000];
const given = new Set<number>();

/** Returns whether no server listens on a loopback port. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer().once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });

/** Returns free loopback ports. A process never gets the same port twice. */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  for (let tries = 0; found.length < count && tries < 1_000; tries++) {
    const port = randomInt(first, end);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) found.push(port);
  }
  if (found.length < count) throw new Error(`no ${count} ports are free between ${first} and ${end}`);
  return found;
}

export async function freePort(): Promise<number> {
  return (await freePorts(1))[0]!;
}
