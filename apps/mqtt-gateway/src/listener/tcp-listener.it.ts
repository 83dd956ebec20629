import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Host, Taken } from './listener.ts';
import { TcpListener } from './tcp-listener.ts';
import { TcpSocket } from './tcp-socket.ts';

describe('the plain TCP listener', () => {
  it('reads every socket into one buffer, stops on request and continues where it stopped', async () => {
    const listener = new TcpListener('127.0.0.1', 0);
    const buffers = new Set<Buffer>();
    const got: string[] = [];
    let stop = true;
    const sockets: TcpSocket[] = [];
    await listener.open({
      refuse: () => false,
      take: (socket, address) => {
        expect(address).toBe('127.0.0.1');
        expect(socket).toBeInstanceOf(TcpSocket);
        sockets.push(socket as TcpSocket);
        return (socket.reader = {
          feed: (buffer: Buffer, length: number) => (
            buffers.add(buffer),
            got.push(buffer.toString('latin1', 0, length)),
            !stop
          ),
          handleClose: () => undefined,
        } as unknown as Taken);
      },
    } satisfies Host);
    const clients = [connect(listener.address.port, '127.0.0.1'), connect(listener.address.port, '127.0.0.1')];
    for (const client of clients) client.write('one');
    await expect.poll(() => got).toEqual(['one', 'one']);
    expect(buffers.size).toBe(1);
    clients[1]!.write('two');
    clients[0]!.write('two');
    // Reading a third client proves that the loop has passed the other two.
    clients.push(connect(listener.address.port, '127.0.0.1'));
    clients[2]!.write('three');
    await expect.poll(() => got).toEqual(['one', 'one', 'three']);
    stop = false;
    for (const socket of sockets) socket.resume();
    await expect.poll(() => got.toSorted()).toEqual(['one', 'one', 'three', 'two', 'two']);
    for (const client of clients) client.destroy();
    await listener.close();
  });

  it('keeps unread data in order, reports its size, and frees it once it is read or the peer is gone', async () => {
    const listener = new TcpListener('127.0.0.1', 0);
    const taken: { socket: TcpSocket; errors: (Error | null)[] }[] = [];
    await listener.open({
      refuse: () => false,
      take: (socket) => {
        const one = { socket: socket as TcpSocket, errors: [] as (Error | null)[] };
        taken.push(one);
        return (socket.reader = {
          feed: () => true,
          handleClose: (error: Error | null) => void one.errors.push(error),
        } as unknown as Taken);
      },
    } satisfies Host);
    const reads = connect(listener.address.port, '127.0.0.1').pause();
    const leaves = connect(listener.address.port, '127.0.0.1')
      .pause()
      .on('error', () => undefined);
    await expect.poll(() => taken.length).toBe(2);
    const written: string[] = [];
    for (const { socket } of taken) {
      for (let i = 0; socket.writableLength < 300_000; i++) {
        // Below and above what Node copies from its stack, and every byte value.
        const text = `${i}:${String.fromCharCode(i & 255).repeat(i % 3 === 0 ? 40_000 : 900)};`;
        socket.write(text);
        if (socket === taken[0]!.socket) written.push(text);
      }
    }
    const before = taken[0]!.socket.writableLength;
    expect(before).toBeGreaterThanOrEqual(300_000);
    taken[0]!.socket.end('the last');
    taken[0]!.socket.write('too late');
    const parts: Buffer[] = [];
    const ended = new Promise<void>((resolve) =>
      reads.on('data', (part: Buffer) => parts.push(part)).on('end', resolve),
    );
    reads.resume();
    await ended;
    expect(Buffer.concat(parts).equals(Buffer.from(`${written.join('')}the last`, 'latin1'))).toBe(true);
    await expect.poll(() => taken[0]!.socket.writableLength).toBe(0);
    leaves.resetAndDestroy();
    await expect.poll(() => taken[1]!.errors).toEqual([expect.any(Error)]);
    expect(taken[1]!.socket.writableLength).toBe(0);
    taken[1]!.socket.write('to nobody');
    await listener.close();
  });

  it('closes sockets above the limit without creating them, and reports a port in use in one sentence', async () => {
    const listener = new TcpListener('127.0.0.1', 0);
    await listener.open({ take: () => expect.unreachable(), refuse: () => true });
    const client = connect(listener.address.port, '127.0.0.1');
    await new Promise<void>((resolve) => client.on('error', () => undefined).on('close', () => resolve()));
    await expect(
      new TcpListener('127.0.0.1', listener.address.port).open({
        take: () => expect.unreachable(),
        refuse: () => false,
      }),
    ).rejects.toThrow(/EADDRINUSE/);
    await listener.close();
  });
});
