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

/** What a connection needs from its process. */
export interface Host {
  readonly config: MqttGatewayConfig;
  readonly broker: Hooks<Connection> & {
    registerClient(client: Connection): void;
    emit(event: string, ...args: unknown[]): boolean;
  };
  /** Coarse seconds since the start, monotonic. */
  readonly second: number;
  /** Bytes of publishes that are held above their windows, for all devices together. */
  heldBytes: number;
  /** Returns whether more data waits to be stored than the process may hold. */
  isOverfull(): boolean;
  /** Changes the address to that given by a proxy, while the connection is half open. */
  changeAddress(connection: Connection, address: string): void;
  /** Called when the connection has sent a whole CONNECT, or has ended. */
  endHalfOpen(connection: Connection): void;
  /** Called when the device was let in. */
  admit(connection: Connection): void;
  remove(connection: Connection, reason: EndReason): void;
  countFault(connection: Connection, fault: Fault): void;
  /** Closes a connection whose data triggered an error in the gateway itself. */
  closeDefective(connection: Connection, error: unknown): void;
  /** Closes a connection whose device does not read or does not acknowledge. */
  closeFrozen(connection: Connection): void;
  /** Flushes the connection at the end of this turn of the event loop. */
  writeLater(connection: Connection): void;
}

const none: Buffer[] = [];

/**
 * One device's connection: its session state and the data that waits to be written. There are thousands of these, so it
 * has no closures, timers or emitter of its own, and everything it does not need while idle is a shared constant or
 * null. MQTT 3.1.1 with clean sessions and at most QoS 1 (device-link.md).
 */
export class Connection extends PacketReader implements Taken, Recipient {
  /** For Aedes: id, flags and `close`. */
  id = '';
  connected = false;

  /** Index in the host's list of all connections. */
  index = -1;
  address: string;
  /** The device that its verified client certificate names. */
  certificateMac: string | null = null;
  identity: Identity | null = null;
  epoch = 0;
  /** Second on the coarse clock of the last whole packet. */
  seen: number;
  /** In seconds, after the rule for 0 and above 600. */
  keepAlive = 0;
  helloed = false;
  /** Messages that came before the hello. */
  early = 0;
  /** The rule that it broke, for the log of its device. */
  brokenRule: Fault | null = null;
  /** QoS granted for the command topic, -1 while not subscribed. */
  commandQos = -1;
  /** Publishes that were passed on but not stored yet, and their bytes. */
  unstored = 0;
  unstoredBytes = 0;
  commands: CommandQueue | null = null;
  /** Whether its online was published, so that its offline must be. */
  announced = false;
  /** Whether a bad payload was logged: one line per connection is enough. */
  complained = false;
  nextMessageId = 1;

  /** PUBLISH packets above the window, in order. */
  private held: Buffer[] = none;
  private heldBytes = 0;
  /** Data to be written in this turn. */
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

  /** Replaces the socket after the listener has added TLS or a WebSocket. */
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

  /** Continues with what arrived while the CONNECT was processed. */
  private resume(): void {
    this.guarded(() => this.consumeRest());
    if (!this.closed && this.stoppedAt === -1) this.socket.resume();
  }

  /** Returns whether the window of publishes in progress is full; it is one while the process holds too much. */
  private windowFull(): boolean {
    const { inboundMessages, inboundBytes } = this.host.config;
    return this.unstored >= (this.host.isOverfull() ? 1 : inboundMessages) || this.unstoredBytes >= inboundBytes;
  }

  /** Holds a publish above the window. Pings and acknowledgements after it are still handled until too much is held. */
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

  /** Runs a callback of the bus or a claim: as under `feed`, an error ends this connection and not the process. */
  private guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.closeDefective(error);
    }
  }

  /** Passes held publishes on as far as the window allows, and reads again when none is left. */
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

  /** Queues bytes; everything of one tick leaves in one write. */
  send(packet: string): void {
    if (this.closed) return;
    if (this.out === '') {
      this.out = packet;
      this.host.writeLater(this);
    } else this.out += packet;
  }

  /** Writes what was queued. Closes a peer that does not read once the byte limit is reached. */
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
    this.brokenRule = fault;
    this.host.countFault(this, fault);
    if (known.connack !== undefined && this.state === WAITING) this.shut(connack(known.connack));
    else this.end('refused');
  }

  /** Sends a last packet to a refused client and closes once it is written. */
  private shut(last: string): void {
    this.leave('refused');
    this.socket.end(last);
    this.socket.destroySoon();
  }

  /** Stops reading: a drain waits for what has arrived, and the rest is sent again elsewhere. */
  pause(): void {
    if (this.closed) return;
    if (this.stoppedAt === -1) this.stoppedAt = this.host.second;
    this.socket.pause();
  }

  /** Closes; data that was queued in this tick still goes to the socket. */
  end(reason: EndReason): void {
    if (this.closed) return;
    if (reason !== 'lost') this.flush();
    if (this.closed) return;
    this.leave(reason);
    if (this.socket.writableLength > 0 && reason === 'drain') this.socket.destroySoon();
    else this.socket.destroy();
  }

  /** Called by Aedes for the older of two connections with one id (MQTT-3.1.4-2). */
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
