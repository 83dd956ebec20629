import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { generate } from 'mqtt-packet';
import { helloText, linkCommandTopic, macOf, stateText } from './wire.ts';

const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);
const connectsAtOnce = 100;

/** The server that the devices of a fleet connect to. */
export interface FleetTarget {
  readonly port: number;
  /** Whether it answers a hello with a welcome. */
  readonly welcomes: boolean;
  /** Sends one command to each of the first `n`; needed for `commanded`. */
  command?(n: number): Promise<void>;
}

/** Minimal devices: each connects, subscribes, says hello and acknowledges its commands. */
export class Fleet {
  private readonly sockets: Socket[] = [];
  private seen = 0;
  private wanted = Infinity;
  private reached = (): void => {};
  private readonly states: Buffer[];
  private readonly greetings: Buffer[];
  private readonly subject: FleetTarget;
  readonly devices: number;
  /** Commands and answers after the welcome. */
  heard = 0;

  /** Creates `devices` of them, with MACs from number `first` on. */
  constructor(subject: FleetTarget, devices: number, first = 0) {
    this.subject = subject;
    this.devices = devices;
    const publish = (mac: string, kind: string, payload: string, messageId: number): Buffer =>
      generate({ cmd: 'publish', topic: `d/${mac}/${kind}`, payload, qos: 1, messageId, dup: false, retain: false });
    this.states = Array.from({ length: devices }, (_, i) => publish(macOf(first + i), 'state', stateText, 3));
    this.greetings = Array.from({ length: devices }, (_, i) => {
      const mac = macOf(first + i);
      return Buffer.concat([
        generate({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          clientId: mac,
          username: mac,
          password: Buffer.from(mac),
          keepalive: 600,
        } as never),
        generate({
          cmd: 'subscribe',
          messageId: 1,
          subscriptions: [{ topic: linkCommandTopic(mac), qos: 1 }],
        } as never),
        publish(mac, 'hello', helloText, 2),
      ]);
    });
  }

  /** Connects all, `connectsAtOnce` at a time, each until it has received everything expected. */
  async connect(): Promise<void> {
    let next = 0;
    await Promise.all(
      Array.from({ length: connectsAtOnce }, async () => {
        while (next < this.devices) await this.device(next++);
      }),
    );
  }

  /** Cuts all connections at once. */
  async cut(): Promise<void> {
    const closed = this.sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of this.sockets) socket.resetAndDestroy();
    await Promise.all(closed);
    this.sockets.length = 0;
  }

  /** Sends each device a command and waits for its acknowledgement. */
  async commanded(): Promise<void> {
    const all = this.count(this.devices);
    await this.subject.command!(this.devices);
    await all;
  }

  /**
   * Lets `some` devices publish their state `rounds` times with `inFlight` unacknowledged, each until the last PUBACK.
   */
  async publish(some: number, inFlight: number, rounds: number): Promise<void> {
    const packets = this.states.slice(0, some).map((state) => {
      const at = state.length - Buffer.byteLength(stateText) - 2;
      return Buffer.concat(
        Array.from({ length: inFlight }, (_, j) => {
          const packet = Buffer.from(state);
          packet.writeUInt16BE(3 + j, at);
          return packet;
        }),
      );
    });
    for (let round = 0; round < rounds; round++) {
      const all = this.count(some * inFlight);
      for (let i = 0; i < some; i++) this.sockets[i]!.write(packets[i]!);
      await all;
    }
  }

  /** The number of open connections. */
  get standing(): number {
    return this.sockets.filter((socket) => !socket.destroyed && socket.readyState === 'open').length;
  }

  private count(n: number): Promise<void> {
    this.seen = 0;
    this.wanted = n;
    return new Promise((resolve) => (this.reached = resolve));
  }

  private device(i: number): Promise<void> {
    const greeting = this.subject.welcomes ? 4 : 3;
    return new Promise((resolve, reject) => {
      let heard = 0;
      const take = (length: number): boolean => {
        for (let at = 0; at < length;) {
          const type = readBuffer[at]! >> 4;
          let size = 0,
            shift = 0,
            next = at + 1;
          do {
            size |= (readBuffer[next]! & 127) << shift;
            shift += 7;
          } while (readBuffer[next++]! > 127);
          if (type === 3) {
            const id = next + 2 + readBuffer.readUInt16BE(next);
            socket.write(Buffer.from([0x40, 2, readBuffer[id]!, readBuffer[id + 1]!]));
          }
          if (++heard === greeting) resolve();
          else if (heard > greeting) {
            this.heard++;
            if (++this.seen === this.wanted) this.reached();
          }
          at = next + size;
        }
        return true;
      };
      const socket = connect({
        host: '127.0.0.1',
        port: this.subject.port,
        localAddress: `127.0.0.${1 + (i % 4)}`,
        noDelay: true,
        onread: { buffer: readBuffer, callback: take },
      });
      socket.once('connect', () => socket.write(this.greetings[i]!));
      socket.on('error', reject);
      this.sockets[i] = socket;
    });
  }
}
