import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { generate, parser } from 'mqtt-packet';
import type { Packet } from 'mqtt-packet';
import { WebSocket, createWebSocketStream } from 'ws';

/** How a device connects to the gateway; by default plain TCP from 127.0.0.1. */
export interface Way {
  localAddress?: string;
  /** Sent first, like the header of a proxy. */
  header?: Buffer;
  tls?: ConnectionOptions;
  webSocket?: { path: string; protocols?: string[] };
}

/** A device as bytes on a socket: it can send what no MQTT library would, and records every packet that it receives. */
export class RawDevice {
  readonly packets: Packet[] = [];
  closed = false;
  /** Number of bytes received. */
  received = 0;
  /** The error that ended it, if any. */
  trouble: Error | null = null;
  private readonly watchers = new Set<() => void>();

  private constructor(
    readonly socket: Socket,
    private readonly base: Socket,
  ) {
    const reader = parser({ protocolVersion: 4 });
    reader.on('packet', (packet) => {
      this.packets.push(packet);
      this.wake();
    });
    socket.on('data', (bytes: Buffer) => {
      this.received += bytes.length;
      reader.parse(bytes);
      this.wake();
    });
    // The answer may be no MQTT, such as HTTP's.
    reader.on('error', () => undefined);
    socket.on('error', (error) => (this.trouble = error));
    socket.on('close', () => {
      this.closed = true;
      this.wake();
    });
  }

  /** Resolves when the connection is open, or was closed before. */
  static async open(port: number, way: Way = {}): Promise<RawDevice> {
    const base = connect({ port, host: '127.0.0.1', localAddress: way.localAddress ?? '127.0.0.1', noDelay: true });
    base.on('error', () => undefined);
    const { stream, opened } = layers(base, way);
    const device = new RawDevice(stream as Socket, base);
    base.on('close', () => stream.destroy());
    await Promise.race([opened, device.ended()]);
    return device;
  }

  /** Leaves without a goodbye, like a device whose network is cut. */
  reset(): void {
    this.base.resetAndDestroy();
  }

  send(bytes: Packet | Buffer): this {
    if (!this.socket.destroyed && this.socket.writable)
      this.socket.write(Buffer.isBuffer(bytes) ? bytes : generate(bytes));
    return this;
  }

  /** Resolves when `when` holds, which is checked after each packet and at the close. */
  until(when: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!when()) return;
        this.watchers.delete(look);
        resolve();
      };
      this.watchers.add(look);
      look();
    });
  }

  /** Returns the first packet of this kind, now or later; rejects when the connection closes before. */
  async next<C extends Packet['cmd']>(
    cmd: C,
    which: (packet: Extract<Packet, { cmd: C }>) => boolean = () => true,
  ): Promise<Extract<Packet, { cmd: C }>> {
    const find = () =>
      this.packets.find(
        (p): p is Extract<Packet, { cmd: C }> => p.cmd === cmd && which(p as Extract<Packet, { cmd: C }>),
      );
    await this.until(() => find() !== undefined || this.closed);
    const found = find();
    if (found === undefined) throw new Error(`closed before ${cmd} came`);
    return found;
  }

  ended(): Promise<void> {
    return this.until(() => this.closed);
  }

  destroy(): void {
    this.socket.destroy();
  }

  private wake(): void {
    for (const look of this.watchers) look();
  }
}

/** Adds TLS and WebSocket to a TCP socket as requested. */
function layers(base: Socket, { header, tls, webSocket }: Way): { stream: Duplex; opened: Promise<unknown> } {
  const event = (emitter: { once(name: string, call: () => void): unknown }, name: string) =>
    new Promise<void>((resolve) => emitter.once(name, resolve));
  if (header !== undefined) base.write(header);
  const secure = tls === undefined ? base : connectTls({ socket: base, ...tls });
  const open = event(secure, tls === undefined ? 'connect' : 'secureConnect');
  if (webSocket === undefined) return { stream: secure, opened: open };
  const socket = new WebSocket(`ws://127.0.0.1${webSocket.path}`, webSocket.protocols ?? ['mqtt'], {
    createConnection: () => secure,
    perMessageDeflate: false,
  });
  return { stream: createWebSocketStream(socket), opened: event(socket, 'open') };
}
