import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Host, Taken } from './listener.ts';
import { TcpListener, TcpSocket } from './tcp-listener.ts';

describe('the plain TCP listener', () => {
  it('reads every socket into one buffer, stops when told and goes on where it stopped', async () => {
    const listener = new TcpListener('127.0.0.1', 0);
    const buffers = new Set<Buffer>();
    const got: string[] = [];
    let stop = true;
    const sockets: TcpSocket[] = [];
    await listener.open({ refuse: () => false, take: (socket, address) => {
      expect(address).toBe('127.0.0.1');
      expect(socket).toBeInstanceOf(TcpSocket);
      sockets.push(socket as TcpSocket);
      return (socket.reader = { feed: (buffer: Buffer, length: number) => (buffers.add(buffer), got.push(buffer.toString('latin1', 0, length)), !stop), gone: () => undefined } as unknown as Taken);
    } } satisfies Host);
    const clients = [connect(listener.address.port, '127.0.0.1'), connect(listener.address.port, '127.0.0.1')];
    for (const client of clients) client.write('one');
    await expect.poll(() => got).toEqual(['one', 'one']);
    expect(buffers.size).toBe(1);
    clients[1]!.write('two');
    clients[0]!.write('two');
    // A third one that is read shows that the loop has been past the other two.
    clients.push(connect(listener.address.port, '127.0.0.1'));
    clients[2]!.write('three');
    await expect.poll(() => got).toEqual(['one', 'one', 'three']);
    stop = false;
    for (const socket of sockets) socket.resume();
    await expect.poll(() => got.toSorted()).toEqual(['one', 'one', 'three', 'two', 'two']);
    for (const client of clients) client.destroy();
    await listener.close();
  });

  it('closes what there is no room for without making a socket, and says in one sentence that its port is taken', async () => {
    const listener = new TcpListener('127.0.0.1', 0);
    await listener.open({ take: () => expect.unreachable(), refuse: () => true });
    const client = connect(listener.address.port, '127.0.0.1');
    await new Promise<void>((resolve) => client.on('error', () => undefined).on('close', () => resolve()));
    await expect(new TcpListener('127.0.0.1', listener.address.port).open({ take: () => expect.unreachable(), refuse: () => false })).rejects.toThrow(/EADDRINUSE/);
    await listener.close();
  });
});
