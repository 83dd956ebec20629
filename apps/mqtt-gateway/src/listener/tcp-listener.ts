import { Server, Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { plainAddress } from './listener.ts';
import type { Host, LinkSocket, Listener, Reader } from './listener.ts';
import { ProxyReader } from './proxy-header.ts';
import type { TrustedProxies } from './proxy-header.ts';

/** The parts of Node's TCP handle that are used: see `TcpListener`. */
interface TcpHandle {
  getpeername(into: { address?: string }): number;
  setNoDelay(on: boolean): number;
  close(): void;
}

/** All sockets read into this one: a packet is taken out, or what is left of it copied, before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

function onread(this: TcpSocket, length: number, buffer: Uint8Array): boolean {
  return this.reader === null ? false : this.reader.feed(buffer as Buffer, length);
}

function onerror(this: TcpSocket, error: Error): void {
  this.reader?.gone(error);
}

function onend(this: TcpSocket): void {
  this.reader?.gone(null);
}

/** A device's socket, reading into the shared buffer instead of one of its own per read. */
export class TcpSocket extends Socket implements LinkSocket {
  reader: Reader | null = null;
  constructor(handle: TcpHandle) {
    super({ handle, onread: { buffer: readBuffer, callback: onread }, manualStart: true } as never);
    this.on('error', onerror);
    this.on('end', onend);
    this.on('close', onend);
  }
}

/**
 * Plain TCP. Node's server would make each socket itself, with a read buffer of its own; the shared one
 * (`onread`, documented for sockets that connect) can only be given at construction, so the server's own callback for
 * a new handle is replaced. That is Node's inside: Node is pinned, and `tcp-listener.it.ts` fails when it changes.
 */
export class TcpListener implements Listener {
  readonly kind = 'tcp';
  private readonly server = new Server();
  constructor(private readonly host: string, private readonly port: number, private readonly proxies: TrustedProxies | null = null, private readonly shared = false) {}

  async open(to: Host): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ host: this.host, port: this.port, backlog: 4_096, reusePort: this.shared }, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    // oxlint-disable-next-line no-underscore-dangle -- Node's name for it
    const inside = (this.server as unknown as { _handle: { onconnection: (error: number, handle: TcpHandle) => void } })._handle;
    const peer: { address?: string } = {};
    inside.onconnection = (error, handle) => {
      if (error !== 0 || handle === undefined) return;
      if (to.refuse()) return handle.close();
      handle.setNoDelay(true);
      peer.address = undefined;
      handle.getpeername(peer);
      const socket = new TcpSocket(handle);
      const address = plainAddress(peer.address);
      const taken = to.take(socket, address);
      if (this.proxies?.has(address) === true) socket.reader = new ProxyReader(socket, taken, this.proxies);
      socket.read(0);
    };
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  get address(): { host: string; port: number } {
    const { address, port } = this.server.address() as AddressInfo;
    return { host: address, port };
  }
}
