import { Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { plainAddress } from './listener.ts';
import type { Host, Listener } from './listener.ts';
import { ProxyReader } from './proxy-header.ts';
import type { TrustedProxies } from './proxy-header.ts';
import { TcpSocket } from './tcp-socket.ts';
import type { TcpHandle } from './tcp-socket.ts';

/**
 * Listens on plain TCP. Node's server would make a stream of each handle, so its internal callback for new handles is
 * replaced. This and the use of the handle in `tcp-socket.ts` depend on Node's internals: Node is pinned, and
 * `tcp-listener.it.ts` fails when they change.
 */
export class TcpListener implements Listener {
  readonly kind = 'tcp';
  private readonly server = new Server();
  constructor(
    private readonly host: string,
    private readonly port: number,
    private readonly proxies: TrustedProxies | null = null,
    private readonly shared = false,
  ) {}

  async open(to: Host): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      // Stays registered: a later error must not end the process.
      this.server.on('error', reject);
      this.server.listen({ host: this.host, port: this.port, backlog: 4_096, reusePort: this.shared }, resolve);
    });
    // oxlint-disable-next-line no-underscore-dangle -- Node's name for it
    const inside = (this.server as unknown as { _handle: { onconnection: (error: number, handle: TcpHandle) => void } })
      ._handle;
    const peer: { address?: string | undefined } = {};
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
      socket.resume();
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
