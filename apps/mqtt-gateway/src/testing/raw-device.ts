import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { generate, parser } from 'mqtt-packet';
import type { Packet } from 'mqtt-packet';

/** A device as bytes on a socket: it sends what no MQTT library would, and shows every packet that comes back. */
export class RawDevice {
  readonly packets: Packet[] = [];
  closed = false;
  /** Bytes that came back. */
  received = 0;
  private readonly watchers = new Set<() => void>();
  readonly socket: Socket;

  private constructor(port: number, localAddress: string) {
    this.socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    const reader = parser({ protocolVersion: 4 });
    reader.on('packet', (packet) => {
      this.packets.push(packet);
      this.tell();
    });
    this.socket.on('data', (bytes) => {
      this.received += bytes.length;
      reader.parse(bytes);
    });
    this.socket.on('error', () => undefined);
    this.socket.on('connect', () => this.tell());
    this.socket.on('close', () => {
      this.closed = true;
      this.tell();
    });
  }

  static async open(port: number, localAddress = '127.0.0.1'): Promise<RawDevice> {
    const device = new RawDevice(port, localAddress);
    await device.until(() => !device.socket.connecting || device.closed);
    return device;
  }

  send(bytes: Packet | Buffer): this {
    this.socket.write(Buffer.isBuffer(bytes) ? bytes : generate(bytes));
    return this;
  }

  /** Resolves when `when` holds, looked at after each packet and at the close. */
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

  /** The first packet of this kind, now or later; rejects when the connection closes before. */
  async next<C extends Packet['cmd']>(cmd: C, which: (packet: Extract<Packet, { cmd: C }>) => boolean = () => true): Promise<Extract<Packet, { cmd: C }>> {
    const find = () => this.packets.find((p): p is Extract<Packet, { cmd: C }> => p.cmd === cmd && which(p as Extract<Packet, { cmd: C }>));
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

  private tell(): void {
    for (const look of this.watchers) look();
  }
}
