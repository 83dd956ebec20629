import net from 'node:net';
import type tls from 'node:tls';
import { connect, disconnect, PacketReader, type ConnectFields, type Packet } from './codec.ts';

export interface LinkTarget {
  host: string;
  port: number;
  tls?: tls.ConnectionOptions | undefined;
  localAddress?: string | undefined;
}

export interface LinkOwner {
  packet(link: Link, packet: Packet): void;
  /** Called once at the end of the connection, whichever side ended it. */
  closed(link: Link, reason: string): void;
}

/** The read buffer of every plain socket in the process: emptied before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** One connection to the gateway: bytes in, packets out, beginning with CONNECT. */
export class Link {
  private readonly socket: net.Socket;
  private readonly reader = new PacketReader();
  private readonly owner: LinkOwner;
  private reason = 'closed by the platform';
  /** Whether anything arrived since it was last set to false. */
  heard = false;

  constructor(target: LinkTarget, fields: ConnectFields, owner: LinkOwner) {
    this.owner = owner;
    const { host, port, localAddress } = target;
    if (target.tls) {
      // Loaded on demand: 4 MB.
      this.socket = process.getBuiltinModule('node:tls').connect({
        ...target.tls,
        host,
        port,
        ...(localAddress === undefined ? {} : { localAddress }),
      } as tls.ConnectionOptions);
      this.socket.on('data', (bytes: Buffer) => this.read(bytes));
    } else {
      this.socket = net.connect({
        host,
        port,
        localAddress,
        onread: { buffer: readBuffer, callback: (length) => this.read(readBuffer.subarray(0, length)) },
      });
    }
    this.socket.setNoDelay(true);
    this.socket.on('error', (error) => {
      this.reason = error.message;
    });
    this.socket.on('close', () => owner.closed(this, this.reason));
    this.socket.write(connect(fields));
  }

  private read(bytes: Buffer): boolean {
    this.heard = true;
    try {
      this.reader.feed(bytes, (packet) => {
        if (!this.socket.destroyed) this.owner.packet(this, packet);
      });
    } catch (error) {
      this.destroy((error as Error).message);
    }
    return true;
  }

  send(bytes: Buffer): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  /** Writes several packets at once. */
  cork(write: () => void): void {
    this.socket.cork();
    write();
    this.socket.uncork();
  }

  /** Sends a DISCONNECT and closes. */
  close(reason: string): void {
    this.reason = reason;
    if (this.socket.writable && !this.socket.connecting) this.socket.end(disconnect, () => this.socket.destroy());
    else this.socket.destroy();
  }

  /** Closes without a DISCONNECT. */
  destroy(reason: string): void {
    this.reason = reason;
    this.socket.destroy();
  }

  /** Stops reading without closing the socket, like a device whose cable was pulled. */
  freeze(): void {
    this.socket.pause();
  }
}
