import { Server, Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** One way in. The gateway has a list of them: plain TCP here; TLS and WebSocket are others of the same form. */
export interface Listener {
  /** Opens the port; `taken` gets each socket with its peer's address and how to start reading it. */
  open(taken: (socket: LinkSocket, address: string) => void, refuse: () => boolean): Promise<void>;
  /** Takes no more; what was taken stays. */
  close(): Promise<void>;
  /** Where it listens. */
  readonly address: { host: string; port: number };
}

/** What a socket feeds; false stops the reading until `resume`. */
export interface Reader {
  feed(buffer: Buffer, length: number): boolean;
}

/** The parts of Node's TCP handle that are used: see `TcpListener`. */
interface TcpHandle {
  getpeername(into: { address?: string }): number;
  setNoDelay(on: boolean): number;
  close(): void;
}

/** All sockets read into this one: a packet is taken out, or what is left of it copied, before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

function onread(this: LinkSocket, length: number, buffer: Uint8Array): boolean {
  return this.reader === null ? false : this.reader.feed(buffer as Buffer, length);
}

/** A device's socket, reading into the shared buffer instead of one of its own per read. */
export class LinkSocket extends Socket {
  reader: Reader | null = null;
  constructor(handle: TcpHandle) {
    super({ handle, onread: { buffer: readBuffer, callback: onread }, manualStart: true } as never);
  }
}

/**
 * Plain TCP. Node's server would make each socket itself, with a read buffer of its own; the shared one
 * (`onread`, documented for sockets that connect) can only be given at construction, so the server's own callback for
 * a new handle is replaced. That is Node's inside: Node is pinned, and `listener.it.ts` fails when it changes.
 */
export class TcpListener implements Listener {
  private readonly server = new Server();
  constructor(private readonly host: string, private readonly port: number, private readonly shared = false) {}

  async open(taken: (socket: LinkSocket, address: string) => void, refuse: () => boolean): Promise<void> {
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
      if (refuse()) return handle.close();
      handle.setNoDelay(true);
      peer.address = undefined;
      handle.getpeername(peer);
      taken(new LinkSocket(handle), (peer.address ?? '').replace(/^::ffff:/, ''));
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
