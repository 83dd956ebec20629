import { publish } from './codec.ts';
import type { Link } from './link.ts';
import type { Uplink } from './protocol.ts';

type Told = (error?: Error) => void;
interface Waiting extends Uplink {
  packetId: number;
  told?: Told;
}

/** How many may be without PUBACK at a time; the gateway's own window is larger. */
const window = 16;
/** Longest queue of a device without connection; the next message is refused rather than an older one dropped. */
const longest = 10_000;

/**
 * Messages on their way up, in order, each until its PUBACK: a connection that ends in between sends them again on the
 * next, so nothing that got in here is lost while the process lives.
 */
export class Outbox {
  private readonly waiting: Waiting[] = [];
  private inFlight = 0;
  private lastPacketId = 0;
  private drained: (() => void)[] = [];
  private readonly prefix: string;

  constructor(mac: string) {
    this.prefix = `d/${mac}/`;
  }

  get length(): number {
    return this.waiting.length;
  }

  /** `told` is called at the PUBACK, or with an error when the message is given up. Throws when the queue is full. */
  add(message: Uplink, told?: Told): void {
    if (this.waiting.length >= longest) throw new Error(`${longest} messages already wait for the platform`);
    this.waiting.push({ ...message, packetId: 0, told });
  }

  /** Sends what the window allows. */
  pump(link: Link): void {
    for (const message of this.waiting) {
      if (this.inFlight >= window) return;
      if (message.packetId !== 0) continue;
      message.packetId = this.packetId();
      this.inFlight++;
      link.send(publish(this.prefix + message.kind, message.body, message.packetId));
    }
  }

  /** True when the PUBACK was for one of these. */
  acknowledged(packetId: number): boolean {
    const index = this.waiting.findIndex((message) => message.packetId === packetId);
    if (index < 0) return false;
    const [message] = this.waiting.splice(index, 1);
    this.inFlight--;
    message!.told?.();
    if (this.waiting.length === 0) for (const call of this.drained.splice(0)) call();
    return true;
  }

  /** The connection is gone: everything goes out again, in order, with the same content. */
  disconnected(): void {
    this.inFlight = 0;
    for (const message of this.waiting) message.packetId = 0;
  }

  /** Forgets everything, as the memory of a device that goes down does. */
  clear(): void {
    this.inFlight = 0;
    for (const message of this.waiting.splice(0))
      message.told?.(new Error('the device went down before the platform had it'));
    for (const call of this.drained.splice(0)) call();
  }

  /** Calls when nothing waits any more. */
  whenDrained(call: () => void): void {
    if (this.waiting.length === 0) call();
    else this.drained.push(call);
  }

  packetId(): number {
    do {
      this.lastPacketId = (this.lastPacketId % 0xffff) + 1;
    } while (this.inFlight > 0 && this.waiting.some((message) => message.packetId === this.lastPacketId));
    return this.lastPacketId;
  }
}
