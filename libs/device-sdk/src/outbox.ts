import { publish } from './codec.ts';
import type { Link } from './link.ts';
import type { Uplink } from './protocol.ts';

type OnSent = (error?: Error) => void;
interface Waiting extends Uplink {
  packetId: number;
  onSent?: OnSent;
}

/** Most messages without PUBACK; the gateway's own window is larger. */
const window = 16;
/** Longest queue of a disconnected device; further messages are refused rather than old ones dropped. */
const longest = 10_000;

/**
 * Outgoing messages in order, each kept until its PUBACK: after a broken connection they are sent again, so that no
 * accepted message is lost while the process lives.
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

  /**
   * Adds a message. `onSent` is called at the PUBACK, or with an error when the message is dropped. Throws when the queue
   * is full.
   */
  add(message: Uplink, onSent?: OnSent): void {
    if (this.waiting.length >= longest) throw new Error(`${longest} messages already wait for the platform`);
    this.waiting.push({ ...message, packetId: 0, onSent });
  }

  /** Sends as many messages as the window allows. */
  pump(link: Link): void {
    for (const message of this.waiting) {
      if (this.inFlight >= window) return;
      if (message.packetId !== 0) continue;
      message.packetId = this.packetId();
      this.inFlight++;
      link.send(publish(this.prefix + message.kind, message.body, message.packetId));
    }
  }

  /** Returns true when the PUBACK was for one of these messages. */
  acknowledged(packetId: number): boolean {
    const index = this.waiting.findIndex((message) => message.packetId === packetId);
    if (index < 0) return false;
    const [message] = this.waiting.splice(index, 1);
    this.inFlight--;
    message!.onSent?.();
    if (this.waiting.length === 0) for (const call of this.drained.splice(0)) call();
    return true;
  }

  /** Prepares all messages to be sent again, in order, with the same content. */
  disconnected(): void {
    this.inFlight = 0;
    for (const message of this.waiting) message.packetId = 0;
  }

  /** Drops everything, like the memory of a restarting device. */
  clear(): void {
    this.inFlight = 0;
    for (const message of this.waiting.splice(0))
      message.onSent?.(new Error('the device went down before the platform had it'));
    for (const call of this.drained.splice(0)) call();
  }

  /** Calls when the queue is empty. */
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
