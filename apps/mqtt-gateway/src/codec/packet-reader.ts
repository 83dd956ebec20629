import { linkLimits } from '@carillon/contracts/link';
import { CONNECT, headerFault, lengthFault } from './decode.ts';
import type { Fault } from './fault.ts';

/** States of a connection. While CONNECTING, nothing more is read or consumed. */
export const WAITING = 0,
  CONNECTING = 1,
  CONNECTED = 2,
  CLOSED = 3;
/** Room for topic, its length and the packet id beside 64 KiB of payload. */
const longestPublish = linkLimits.payloadBytes + 64;

/**
 * Cuts the bytes of a socket into packets. Faults in the first bytes are refused there, before anything is stored:
 * wrong type, wrong flags, length above the limit (4 KiB before CONNECT, 64 KiB of payload after). A packet that
 * arrives whole in one read is taken from the shared read buffer without a copy.
 */
export abstract class PacketReader {
  /** The second since which reading is stopped, or -1. */
  stoppedAt = -1;
  protected state: number = WAITING;
  /** Bytes of an incomplete packet, or everything after a CONNECT in progress. */
  private rest: Buffer | null = null;
  private restLength = 0;

  /** Handles one whole packet of `type` with the first byte `first`: `buffer[start, end)`, its body from `body`. */
  protected abstract take(type: number, first: number, buffer: Buffer, start: number, body: number, end: number): void;
  /** Ends the connection because the device broke the protocol. */
  abstract fail(fault: Fault): void;
  /** Ends the connection after an error that is not the device's fault. */
  protected abstract closeDefective(error: unknown): void;
  /** Records that a whole packet arrived, which proves the device alive (MQTT-3.1.2-24). */
  protected abstract markAlive(): void;

  get closed(): boolean {
    return this.state === CLOSED;
  }

  protected forget(): void {
    this.rest = null;
    this.restLength = 0;
  }

  /**
   * Takes what the socket read: `buffer[0, length)`, valid only during the call. Returns false to stop reading for now.
   */
  feed(buffer: Buffer, length: number): boolean {
    if (this.state === CLOSED) return false;
    try {
      this.cut(buffer, length);
    } catch (error) {
      this.closeDefective(error);
    }
    return this.stoppedAt === -1 && this.state !== CONNECTING && !this.closed;
  }

  private cut(buffer: Buffer, length: number): void {
    if (this.rest === null && this.state !== CONNECTING) {
      const used = this.consume(buffer, 0, length);
      if (used < length && !this.closed) this.keep(buffer, used, length);
    } else {
      this.keep(buffer, 0, length);
      if (this.state !== CONNECTING) this.consumeRest();
    }
  }

  protected consumeRest(): void {
    const rest = this.rest;
    if (rest === null) return;
    const length = this.restLength;
    const used = this.consume(rest, 0, length);
    if (this.closed) return;
    if (used === length) {
      this.rest = null;
      this.restLength = 0;
    } else if (used > 0) {
      this.rest = null;
      this.restLength = 0;
      this.keep(rest, used, length);
    }
  }

  /** Appends bytes to the rest. Its capacity doubles, so that an announced length alone costs no memory. */
  private keep(buffer: Buffer, start: number, end: number): void {
    const wanted = this.restLength + end - start;
    if (this.rest === null || this.rest.length < wanted) {
      const room = Buffer.allocUnsafeSlow(Math.max(64, wanted, this.rest === null ? 0 : this.rest.length * 2));
      if (this.rest !== null) this.rest.copy(room, 0, 0, this.restLength);
      this.rest = room;
    }
    buffer.copy(this.rest, this.restLength, start, end);
    this.restLength = wanted;
  }

  /** Handles whole packets of `buffer[start, end)`. Returns where the first incomplete one begins. */
  private consume(buffer: Buffer, start: number, end: number): number {
    let at = start;
    while (at < end) {
      const first = buffer[at]!;
      const type = first >> 4;
      const bad =
        headerFault(first) ??
        (this.state === WAITING && type !== CONNECT
          ? 'notConnectFirst'
          : this.state === CONNECTED && type === CONNECT
            ? 'secondConnect'
            : null);
      if (bad !== null) return (this.fail(bad), end);
      let length = 0;
      let shift = 0;
      let body = at + 1;
      for (;;) {
        if (body === end) return at;
        const byte = buffer[body++]!;
        length |= (byte & 127) << shift;
        if (byte < 128) break;
        shift += 7;
        if (shift === 28) return (this.fail('remainingLength'), end);
      }
      const tooLong = this.state === WAITING ? body - at + length > linkLimits.connectBytes : length > longestPublish;
      const wrong = tooLong ? 'packetTooLong' : lengthFault(type, length);
      if (wrong !== null) return (this.fail(wrong), end);
      const next = body + length;
      if (next > end) return at;
      this.markAlive();
      this.take(type, first, buffer, at, body, next);
      at = next;
      if (this.closed) return end;
      if (this.state === CONNECTING) return at;
    }
    return at;
  }
}
