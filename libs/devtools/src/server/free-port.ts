import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below what the system gives to outgoing connections (Linux: 32768 and up, others 49152). A port that was free there a
 * moment ago may be such a connection's own before the server is up that was told to take it, and it does not start.
 */
const [first, end] = [20_000, 26_000];
const given = new Set<number>();

/** Whether nobody listens on a port of loopback. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer().once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });

/**
 * Ports of loopback on which nobody listens, for servers that are told theirs. No port is given twice by one process.
 */
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
