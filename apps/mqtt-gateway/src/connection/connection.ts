import { linkLimits, linkTopic } from '@carillon/contracts/link';
import {
  CONNECT,
  DISCONNECT,
  PINGREQ,
  PUBACK,
  PUBLISH,
  SUBSCRIBE,
  UNSUBSCRIBE,
  decodeConnect,
  decodeFilters,
} from '../codec/decode.ts';
import { acknowledgement, connack, pingresp, suback } from '../codec/encode.ts';
import { faults } from '../codec/fault.ts';
import type { Fault } from '../codec/fault.ts';
import { Broken } from '../codec/broken.ts';
import { CLOSED, CONNECTED, CONNECTING, PacketReader, WAITING } from '../codec/packet-reader.ts';
import type { CommandQueue, Recipient } from './command-queue.ts';
import type { LinkSocket, Taken } from '../listener/listener.ts';
import type { Identity } from '../credential/credential-feed.ts';
import type { MqttGatewayConfig } from '../config.ts';
import type { EndReason } from '../counters.ts';
import type { Hooks, Publish } from './hooks.ts';

/** What a connection needs of the process it belongs to. */
export interface Host {
  readonly config: MqttGatewayConfig;
  readonly broker: Hooks<Connection> & {
    registerClient(client: Connection): void;
    emit(event: string, ...args: unknown[]): boolean;
  };
  /** Coarse seconds since the start, monotonic. */
  readonly second: number;
  /** Bytes of publishes held above their windows, all devices together. */
  heldBytes: number;
  /** Whether more waits to be stored than the process may hold. */
  isOverfull(): boolean;
  /** A proxy in front gave the device's address; only while the connection is half open. */
  changeAddress(connection: Connection, address: string): void;
  /** The connection has sent a whole CONNECT, or has ended. */
  endHalfOpen(connection: Connection): void;
  /** The device was let in. */
  admit(connection: Connection): void;
  remove(connection: Connection, reason: EndReason): void;
  countFault(connection: Connection, fault: Fault): void;
  /** Closes a connection whose bytes met a fault of the gateway's own. */
  closeDefective(connection: Connection, error: unknown): void;
  /** Closes a connection whose device does not read what is written to it, or does not acknowledge it. */
  closeFrozen(connection: Connection): void;
  /** Flushes the connection at the end of this turn of the event loop. */
  writeLater(connection: Connection): void;
}

const none: Buffer[] = [];

/**
 * One device's connection: what waits to be written and where the session stands. It is made by the
 * thousand, so it has no closure, no timer and no emitter of its own, and everything it does not need while idle is a
 * shared constant or null. MQTT 3.1.1 with clean sessions and QoS at most 1 (device-link.md).
 */
export class Connection extends PacketReader implements Taken, Recipient {
  /** Aedes' client: id, the flags and `close`. */
  id = '';
  connected = false;

  /** Place in the host's list of all connections. */
  index = -1;
  address: string;
  /** The device that its client certificate names, found good by the listener. */
  certificateMac: string | null = null;
  identity: Identity | null = null;
  epoch = 0;
  /** Seconds on the coarse clock at the last whole packet. */
  seen: number;
  /** Seconds, after the rule for 0 and above 600. */
  keepAlive = 0;
  helloed = false;
  /** QoS granted for the command topic, -1 while not subscribed. */
  commandQos = -1;
  /** Publishes handed on and not yet stored, and their bytes. */
  unstored = 0;
  unstoredBytes = 0;
  commands: CommandQueue | null = null;
  /** Whether its online was told, so that its offline must be. */
  announced = false;
  /** Whether a bad payload of it was logged: one line a connection is enough. */
  complained = false;
  nextMessageId = 1;

  /** PUBLISH packets above the window, in order. */
  private held: Buffer[] = none;
  private heldBytes = 0;
  /** What is to be written in this turn. */
  private out = '';

  constructor(
    public socket: LinkSocket,
    private readonly host: Host,
    address: string,
  ) {
    super();
    this.address = address;
    this.seen = host.second;
  }

  get halfOpen(): boolean {
    return this.state === WAITING;
  }

  /** The listener put TLS or a WebSocket on the socket this began with. */
  replaceSocket(socket: LinkSocket): void {
    this.socket = socket;
    socket.reader = this;
  }

  setAddress(address: string): void {
    this.host.changeAddress(this, address);
  }

  setCertificateMac(mac: string): void {
    this.certificateMac = mac;
  }

  handleClose(error: Error | null): void {
    this.socket.reader = null;
    if (!this.closed) this.end(error === null ? 'closed' : 'lost');
  }

  protected override closeDefective(error: unknown): void {
    this.host.closeDefective(this, error);
  }

  protected override markAlive(): void {
    this.seen = this.host.second;
  }

  protected override take(type: number, first: number, buffer: Buffer, start: number, body: number, end: number): void {
    switch (type) {
      case PUBLISH:
        if (this.held.length > 0 || this.windowFull()) this.hold(buffer, start, end);
        else this.takePublish(first, buffer, body, end);
        return;
      case PUBACK: {
        const messageId = buffer.readUInt16BE(body);
        if (messageId === 0) return this.fail('packetIdZero');
        this.commands?.acknowledge(this, messageId);
        return;
      }
      case PINGREQ:
        return this.send(pingresp);
      case CONNECT:
        return this.takeConnect(buffer, body, end);
      case SUBSCRIBE:
        return this.takeSubscribe(buffer, body, end);
      case UNSUBSCRIBE:
        return this.takeUnsubscribe(buffer, body, end);
      case DISCONNECT:
        return this.end('closed');
      default:
        return this.fail('qos2Answer');
    }
  }

  private takeConnect(buffer: Buffer, body: number, end: number): void {
    const packet = decodeConnect(buffer, body, end);
    if (typeof packet === 'string') return this.fail(packet);
    this.id = packet.clientId;
    this.state = CONNECTING;
    this.host.endHalfOpen(this);
    this.keepAlive =
      packet.keepalive === 0
        ? linkLimits.keepAliveMaxSeconds
        : Math.min(packet.keepalive, linkLimits.keepAliveMaxSeconds);
    let atOnce = true;
    this.host.broker.preConnect(this, packet, (error, taken) => {
      if (error !== null || !taken) return this.refuse(error?.returnCode ?? 5);
      this.host.broker.authenticate(this, packet.username, packet.password, (failure, known) => {
        if (this.closed) return;
        if (failure !== null || !known) return this.refuse(failure?.returnCode ?? 5);
        this.accept();
        if (!atOnce) this.resume();
      });
    });
    atOnce = false;
  }

  private accept(): void {
    this.host.broker.registerClient(this);
    this.state = CONNECTED;
    this.connected = true;
    this.send(connack(0));
    this.host.admit(this);
    this.host.broker.emit('clientReady', this);
  }

  /** Goes on with what came while the CONNECT was looked at. */
  private resume(): void {
    this.guarded(() => this.consumeRest());
    if (!this.closed && this.stoppedAt === -1) this.socket.resume();
  }

  /** The window of publishes that are handed on at once; one while the whole process holds too much. */
  private windowFull(): boolean {
    const { inboundMessages, inboundBytes } = this.host.config;
    return this.unstored >= (this.host.isOverfull() ? 1 : inboundMessages) || this.unstoredBytes >= inboundBytes;
  }

  /** Keeps a publish above the window; pings and acknowledgements behind it are still taken until too much is held. */
  private hold(buffer: Buffer, start: number, end: number): void {
    if (this.held.length === 0) this.held = [];
    this.held.push(Buffer.from(buffer.subarray(start, end)));
    this.heldBytes += end - start;
    this.host.heldBytes += end - start;
    if (this.stoppedAt === -1 && (this.heldBytes > this.host.config.heldBytes || this.host.isOverfull())) {
      this.stoppedAt = this.host.second;
      this.socket.pause();
    }
  }

  private takePublish(first: number, buffer: Buffer, body: number, end: number): void {
    const qos = ((first >> 1) & 3) as 0 | 1;
    if (end - body < 2) return this.fail('malformed');
    const topicEnd = body + 2 + buffer.readUInt16BE(body);
    const payloadStart = topicEnd + (qos === 0 ? 0 : 2);
    if (payloadStart > end) return this.fail('malformed');
    if (topicEnd === body + 2) return this.fail('emptyTopic');
    const messageId = qos === 0 ? 0 : buffer.readUInt16BE(topicEnd);
    if (qos === 1 && messageId === 0) return this.fail('packetIdZero');
    if (end - payloadStart > linkLimits.payloadBytes) return this.fail('packetTooLong');
    const packet: Publish = {
      cmd: 'publish',
      topic: buffer.toString('latin1', body + 2, topicEnd),
      payload: buffer.subarray(payloadStart, end),
      qos,
      dup: (first & 8) !== 0,
      retain: false,
      messageId,
    };
    const bytes = end - body;
    this.unstored++;
    this.unstoredBytes += bytes;
    this.host.broker.authorizePublish(this, packet, (error) => {
      this.unstored--;
      this.unstoredBytes -= bytes;
      if (this.closed) return;
      if (error) return this.fail(error instanceof Broken ? error.fault : 'foreignTopic');
      if (qos === 1) this.send(acknowledgement(0x40, messageId));
      if (this.held !== none) this.guarded(() => this.release());
    });
  }

  /**
   * Runs what the bus or a claim wakes: what throws in it ends this connection, as it does under `feed`, and not the
   * process.
   */
  private guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.closeDefective(error);
    }
  }

  /** Hands on what was held back, as far as the window goes, and reads again when nothing is left. */
  private release(): void {
    let i = 0;
    while (i < this.held.length && !this.closed && !this.windowFull()) {
      const packet = this.held[i++]!;
      this.heldBytes -= packet.length;
      this.host.heldBytes -= packet.length;
      let body = 1;
      while (packet[body++]! > 127);
      this.takePublish(packet[0]!, packet, body, packet.length);
    }
    if (this.closed) return;
    this.held = i === this.held.length ? none : this.held.slice(i);
    if (this.held === none && this.stoppedAt !== -1) {
      this.stoppedAt = -1;
      this.seen = this.host.second;
      this.socket.resume();
    }
  }

  private takeSubscribe(buffer: Buffer, body: number, end: number): void {
    const packet = decodeFilters(buffer, body, end, true);
    if (typeof packet === 'string') return this.fail(packet);
    const granted: number[] = [];
    for (const [i, filter] of packet.filters.entries()) {
      granted.push(0x80);
      this.host.broker.authorizeSubscribe(this, filter, (error, allowed) => {
        if (error !== null || allowed === null || allowed === undefined) return;
        granted[i] = Math.min(1, allowed.qos);
        this.commandQos = granted[i];
      });
    }
    this.send(suback(packet.messageId, granted));
    if (this.commandQos !== -1) this.commands?.pump(this);
  }

  private takeUnsubscribe(buffer: Buffer, body: number, end: number): void {
    const packet = decodeFilters(buffer, body, end, false);
    if (typeof packet === 'string') return this.fail(packet);
    for (const { topic } of packet.filters) if (topic === linkTopic.command(this.id)) this.commandQos = -1;
    this.send(acknowledgement(0xb0, packet.messageId));
  }

  /** Queues bytes; all of one tick go out in one write. */
  send(packet: string): void {
    if (this.closed) return;
    if (this.out === '') {
      this.out = packet;
      this.host.writeLater(this);
    } else this.out += packet;
  }

  /** Writes what was queued. A peer that does not read is closed at the byte limit: it is not waited for. */
  flush(): void {
    const out = this.out;
    this.out = '';
    if (out === '' || this.closed) return;
    this.socket.write(out);
    if (this.socket.writableLength > this.host.config.outboundBytes) this.closeFrozen();
  }

  closeFrozen(): void {
    this.host.closeFrozen(this);
  }

  private refuse(code: number): void {
    if (this.closed) return;
    this.shut(connack(code));
  }

  /** Ends a connection that broke the protocol. */
  override fail(fault: Fault): void {
    if (this.closed) return;
    const known: { clause: string; connack?: number } = faults[fault];
    this.host.countFault(this, fault);
    if (known.connack !== undefined && this.state === WAITING) this.shut(connack(known.connack));
    else this.end('refused');
  }

  /** Says a last word to one that was not let in, and closes once it is out. */
  private shut(last: string): void {
    this.leave('refused');
    this.socket.end(last);
    this.socket.destroySoon();
  }

  /** Reads no more: the drain waits for what came, and lets the rest come again elsewhere. */
  pause(): void {
    if (this.closed) return;
    if (this.stoppedAt === -1) this.stoppedAt = this.host.second;
    this.socket.pause();
  }

  /** Closes; what was queued in this tick is still handed to the socket. */
  end(reason: EndReason): void {
    if (this.closed) return;
    if (reason !== 'lost') this.flush();
    if (this.closed) return;
    this.leave(reason);
    if (this.socket.writableLength > 0 && reason === 'drain') this.socket.destroySoon();
    else this.socket.destroy();
  }

  /** Aedes calls it for the older of two connections of one id (MQTT-3.1.4-2). */
  close(done?: () => void): void {
    this.end('taken');
    done?.();
  }

  private leave(reason: EndReason): void {
    const wasHalfOpen = this.state === WAITING;
    this.connected = false;
    this.state = CLOSED;
    this.host.heldBytes -= this.heldBytes;
    this.forget();
    this.held = none;
    this.heldBytes = 0;
    this.out = '';
    this.commands = null;
    if (wasHalfOpen) this.host.endHalfOpen(this);
    this.host.remove(this, reason);
  }
}
