import type { Server, ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { networkOf } from '@carillon/service';
import type { GatewayConfig } from '../config.ts';

/**
 * Limits connections per address and in total. Idle clients could otherwise use up the file descriptors of this
 * process, which then reaches no database and accepts no device. A trusted proxy speaks for all of its clients, so it
 * counts only for the total.
 */
export function limitConnections(
  server: Server,
  {
    connections,
    connectionsPerAddress,
    trustedProxies,
  }: Pick<GatewayConfig, 'connections' | 'connectionsPerAddress' | 'trustedProxies'>,
): void {
  const proxies = listOf(trustedProxies);
  const open = new Map<string, number>();
  server.maxConnections = connections;
  server.on('connection', (socket) => {
    const { remoteAddress = '', remoteFamily } = socket;
    if (proxies.check(remoteAddress, remoteFamily === 'IPv6' ? 'ipv6' : 'ipv4')) return;
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

function listOf(addresses: string): BlockList {
  const list = new BlockList();
  for (const text of addresses.split(',').map((one) => one.trim())) {
    const [address = '', bits] = text.split('/');
    const family = isIP(address);
    if (family === 0) continue;
    list.addSubnet(address, bits === undefined ? (family === 4 ? 32 : 128) : Number(bits), `ipv${family as 4 | 6}`);
  }
  return list;
}
