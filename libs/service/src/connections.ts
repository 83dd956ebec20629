import type { Server, ServerResponse } from 'node:http';
import { trustedBy } from './client-address.ts';
import { networkOf } from './network.ts';

export interface ConnectionLimits {
  /** Most connections at the same time, of all and of one address (IPv6: one /64). */
  connections: number;
  connectionsPerAddress: number;
  /** Addresses and networks of reverse proxies, separated by commas. */
  trustedProxies: string;
}

/**
 * Limits connections per address and in total. Idle clients could otherwise use up the file descriptors of this
 * process, which then reaches no database and accepts no device. A trusted proxy speaks for all of its clients, so it
 * counts only for the total.
 */
export function limitConnections(
  server: Server,
  { connections, connectionsPerAddress, trustedProxies }: ConnectionLimits,
): void {
  const isProxy = trustedBy(trustedProxies) || (() => false);
  const open = new Map<string, number>();
  server.maxConnections = connections;
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    if (count > connectionsPerAddress) return void socket.destroy();
    open.set(network, count);
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/**
 * Closes the connection of an answer of which no byte has moved for some time, so that a client that does not read
 * holds no memory. Answers that are still being made have nothing to write yet.
 */
export function closeWhenStalled(answer: ServerResponse, seconds: number): void {
  answer.setTimeout(seconds * 1_000, () => {
    if (answer.socket && answer.socket.writableLength > 0) answer.destroy();
  });
}
