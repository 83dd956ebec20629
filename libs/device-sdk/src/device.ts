import type tls from 'node:tls';
import { PlatformClock, systemClock, type Clock } from './clock.ts';
import { pingreq, puback, publish, subscribe, type Packet } from './codec.ts';
import type { CommandStore, Remembered } from './command-store.ts';
import { Commands, type Action, type Recover } from './commands.ts';
import { Link, type LinkOwner, type LinkTarget } from './link.ts';
import { Outbox } from './outbox.ts';
import {
  deviceLimits,
  parseCommand,
  type BootReason,
  type Command,
  type RestartReason,
  type Uplink,
  type UplinkPayload,
} from './protocol.ts';
import type { UplinkKind } from '@carillon/contracts/link';

export interface DeviceOptions {
  /** `mqtt://host:1883` or `mqtts://host:8883`. */
  url: string;
  tls?: tls.ConnectionOptions;
  /** Local address to connect from; the system's choice when absent. */
  localAddress?: string;
  /** 12 lower-case hex digits. */
  mac: string;
  /** Absent when the client certificate names the MAC. */
  secret?: string;
  /** The fields of the hello; boot, uptime and capabilities are added. */
  describe(): Omit<UplinkPayload<'hello'>, 'boot' | 'uptime' | 'capabilities' | 'trace'>;
  /** By the command's `action`; the keys are the device's capabilities. */
  actions: Record<string, Action>;
  /**
   * Formats of differential packages (docs/device-link.md) that it can apply to its current image. None when absent.
   */
  deltaFormats?(): readonly string[];
  store: CommandStore;
  clock?: Clock;
  /** Returns null when no call is active, otherwise a promise of its end; a device without it has no calls. */
  idle?(): Promise<void> | null;
  /** Restarts the device and, if the process survives, calls `start` again. When absent: stops and starts at once. */
  restart?(boot: RestartReason): void;
  /** What is known of a command after a crash in the middle of it; when absent it is answered `unknown`. */
  recover?: Recover;
  /** 60 to 600 s; 120 when absent. */
  keepAliveSeconds?: number;
  /** Pause before reconnecting, ms: random up to the first, doubled up to the second. 1 s and 60 s when absent. */
  backOff?: { firstMs: number; mostMs: number };
  random?(): number;
  /** For simulators: may hold, repeat or drop outgoing messages, and drop incoming commands. */
  filter?: { up?(message: Uplink, pass: (message: Uplink) => void): void; down?(command: Command): boolean };
  /** Called when the hello was acknowledged. */
  onOnline?(boot: BootReason): void;
  onOffline?(reason: string): void;
  /**
   * Called with problems for the person who runs the device: a refused login, a failed store. Never contains a secret.
   */
  onTrouble?(error: Error): void;
}

/** Longest wait for the answer to a PINGREQ, ms. */
const pingTimeoutMs = 15_000;
/** Longest time from CONNECT to CONNACK, ms. */
const connectTimeoutMs = 20_000;
/** A connection of this length resets the reconnect pause, ms. */
const stableMs = 20_000;
/** How long a shutdown waits for outgoing messages, ms. */
const drainMs = 5_000;

/**
 * A device that follows docs/device-link.md: connects, sends a hello, runs each command once, and loses no outgoing
 * message.
 */
export class Device implements LinkOwner {
  readonly mac: string;
  private readonly options: DeviceOptions;
  private readonly clock: Clock;
  private readonly target: LinkTarget;
  private readonly outbox: Outbox;
  private commands: Commands | null = null;
  private again: Remembered[] = [];
  private inbox: Promise<void> = Promise.resolve();
  private link: Link | null = null;
  private settled: Promise<void> = Promise.resolve();
  private frozen: Link | null = null;
  private platform = new PlatformClock();
  private boot: BootReason = 'power';
  private bootedAt = 0;
  private connectedAt: number | null = null;
  private helloId = 0;
  private attempts = 0;
  private leaving = false;
  private cancelTimer: () => void = () => undefined;
  private waiters: (() => void)[] = [];
  /** Whether the hello of this connection was acknowledged. */
  online = false;

  constructor(options: DeviceOptions) {
    const url = new URL(options.url);
    if (!/^[0-9a-f]{12}$/.test(options.mac)) throw new Error(`${options.mac} is not a MAC of 12 lower-case hex digits`);
    if (url.protocol !== 'mqtt:' && url.protocol !== 'mqtts:')
      throw new Error(`${url.protocol} is neither mqtt: nor mqtts:`);
    this.options = options;
    this.mac = options.mac;
    this.clock = options.clock ?? systemClock;
    const secure = url.protocol === 'mqtts:';
    this.target = {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || (secure ? 8883 : 1883)),
      tls: secure ? (options.tls ?? {}) : undefined,
      localAddress: options.localAddress,
    };
    this.outbox = new Outbox(options.mac);
  }

  /**
   * Settles what was left before a restart, then connects and stays connected until `stop`. Rejects when the store
   * cannot be read.
   */
  async start(): Promise<void> {
    if (this.commands) throw new Error('the device runs already');
    const commands = new Commands({
      actions: this.options.actions,
      store: this.options.store,
      clock: this.clock,
      recover: this.options.recover ?? (() => 'unknown'),
      idle: () => this.options.idle?.() ?? null,
      goDown: (boot) => this.goDown(boot),
      result: (id, answer, trace, onSent) =>
        this.enqueue('result', { id, ...answer, at: this.now(), trace }, onSent && ((error) => error ?? onSent())),
      trouble: (error) => this.options.onTrouble?.(error),
    });
    this.commands = commands;
    this.frozen?.destroy('back again');
    this.frozen = null;
    this.leaving = false;
    this.attempts = 0;
    this.bootedAt = this.clock.monotonic();
    await this.settled;
    const { boot, again } = await commands.awake();
    if (this.commands !== commands) return;
    this.boot = boot ?? 'power';
    this.again = again;
    this.connect();
  }

  /**
   * Disconnects and stops; unacknowledged messages are dropped, except results, which the store holds. Resolves when
   * the store is up to date.
   */
  stop(): Promise<void> {
    this.down()?.close('stopped');
    return this.settled;
  }

  /** Simulates a pulled cable: the connection stays open and silent. */
  vanish(): void {
    this.frozen = this.down();
    this.frozen?.freeze();
  }

  /** Simulates a broken network: the connection ends, and the device reconnects with its usual pause. */
  cut(): void {
    this.link?.destroy('the network broke');
  }

  /** Resolves when the device is online. */
  ready(): Promise<void> {
    return this.online ? Promise.resolve() : new Promise((resolve) => this.waiters.push(resolve));
  }

  /** Publishes a message. Resolves at the PUBACK; rejects when the device stops before, or the queue is full. */
  publish<K extends Exclude<UplinkKind, 'hello' | 'result'>>(kind: K, payload: UplinkPayload<K>): Promise<void> {
    return new Promise((resolve, reject) =>
      this.enqueue(kind, payload, (error) => (error ? reject(error) : resolve())),
    );
  }

  private enqueue(kind: UplinkKind, payload: unknown, onSent?: (error?: Error) => void): void {
    const body = JSON.stringify(payload);
    if (Buffer.byteLength(body) > deviceLimits.payloadBytes)
      throw new Error(`a ${kind} of more than 64 KiB does not go over MQTT`);
    const pass = (message: Uplink) => {
      this.outbox.add(message, onSent);
      if (this.helloId !== 0 && this.link) this.outbox.pump(this.link);
    };
    if (this.options.filter?.up) this.options.filter.up({ kind, body }, pass);
    else pass({ kind, body });
  }

  /** Returns the device's own wall clock, Unix time in milliseconds. */
  private now(): number {
    return Math.round(this.clock.wall());
  }

  private connect(): void {
    const keepAliveSeconds = this.options.keepAliveSeconds ?? deviceLimits.keepAliveSeconds;
    const link = new Link(
      this.target,
      { clientId: this.mac, userName: this.mac, password: this.options.secret, keepAliveSeconds },
      this,
    );
    this.link = link;
    this.timer(connectTimeoutMs, () => link.destroy('no CONNACK'));
  }

  private timer(ms: number, call: () => void): void {
    this.cancelTimer();
    this.cancelTimer = this.clock.after(ms, call);
  }

  packet(link: Link, packet: Packet): void {
    if (link !== this.link || !this.commands) return;
    switch (packet.type) {
      case 'connack':
        return this.connack(link, packet.code);
      case 'publish':
        return this.command(link, packet);
      case 'puback':
        return this.acknowledged(link, packet.id);
      case 'suback':
        if (packet.granted === 0x80) link.destroy('the platform refused the command topic');
        return;
      default:
        return;
    }
  }

  private connack(link: Link, code: number): void {
    if (code !== 0) {
      if (code === 4 || code === 5)
        this.options.onTrouble?.(new Error(`${this.mac} was refused (CONNACK ${code}): unknown MAC or wrong secret`));
      return link.destroy(`CONNACK ${code}`);
    }
    this.connectedAt = this.clock.monotonic();
    this.platform = new PlatformClock();
    link.cork(() => {
      // Subscribes first, so that the welcome finds a subscriber; the hello is the first message.
      link.send(subscribe(`d/${this.mac}/command`, this.outbox.packetId()));
      this.hello(link);
      this.outbox.pump(link);
    });
    this.keepAlive(link);
  }

  private hello(link: Link): void {
    const hello = {
      ...this.options.describe(),
      uptime: Math.round((this.clock.monotonic() - this.bootedAt) / 1000),
      boot: this.boot,
      capabilities: [
        ...Object.keys(this.options.actions),
        ...(this.options.deltaFormats?.() ?? []).map((format) => `delta.${format}`),
      ],
    } satisfies UplinkPayload<'hello'>;
    this.helloId = this.outbox.packetId();
    this.platform.helloSent(this.clock.monotonic());
    link.send(publish(`d/${this.mac}/hello`, JSON.stringify(hello), this.helloId));
  }

  /** Sends a PINGREQ every three quarters of the keep-alive, and expects an answer within 15 s. */
  private keepAlive(link: Link): void {
    this.timer((this.options.keepAliveSeconds ?? deviceLimits.keepAliveSeconds) * 750, () => {
      link.heard = false;
      link.send(pingreq);
      this.timer(pingTimeoutMs, () => (link.heard ? this.keepAlive(link) : link.destroy('the platform is silent')));
    });
  }

  private acknowledged(link: Link, packetId: number): void {
    if (packetId === this.helloId && !this.online) {
      const { boot } = this;
      this.online = true;
      this.boot = 'reconnect';
      if (boot !== 'reconnect') this.commands?.booted().catch((error: Error) => this.options.onTrouble?.(error));
      for (const resolve of this.waiters.splice(0)) resolve();
      this.options.onOnline?.(boot);
      return;
    }
    if (this.outbox.acknowledged(packetId)) this.outbox.pump(link);
  }

  private command(link: Link, { topic, payload, qos, id }: Extract<Packet, { type: 'publish' }>): void {
    const command = topic === `d/${this.mac}/command` ? parseCommand(payload) : null;
    const isWelcome = command?.action === 'welcome';
    // The clock is read now, not when the command is processed.
    if (command && !this.platform.heard(command.now, this.clock.monotonic(), isWelcome)) this.hello(link);
    if (!command) this.options.onTrouble?.(new Error(`a message on ${topic} is no command`));
    const { commands, platform } = this;
    this.inbox = this.inbox
      .then(async () => {
        if (this.commands !== commands || this.leaving) return;
        this.resume();
        if (command && !isWelcome && (this.options.filter?.down?.(command) ?? true))
          await commands!.receive(command, platform);
        // Acknowledged after storing, in the order of arrival (MQTT 3.1.1, 4.6).
        if (qos > 0 && link === this.link) link.send(puback(id));
      })
      .catch((error: Error) => this.options.onTrouble?.(error));
  }

  /** Resumes commands as soon as the clock is known. */
  private resume(): void {
    if (this.again.length === 0 || this.platform.at(this.clock.monotonic()) === null) return;
    this.commands!.resume(this.again.splice(0), this.platform);
  }

  /** Waits a moment for outgoing messages, without starting new commands. */
  private goDown(boot: RestartReason): void {
    if (this.leaving || !this.commands) return;
    this.leaving = true;
    const { commands } = this;
    const now = () => {
      if (this.commands !== commands) return;
      void this.stop();
      if (this.options.restart) this.options.restart(boot);
      else void this.start().catch((error: Error) => this.options.onTrouble?.(error));
    };
    const cancel = this.clock.after(drainMs, now);
    this.outbox.whenDrained(() => {
      cancel();
      now();
    });
  }

  private down(): Link | null {
    const { link } = this;
    this.settled = this.commands?.end() ?? this.settled;
    this.commands = null;
    this.again = [];
    this.cancelTimer();
    this.disconnected('stopped');
    this.outbox.clear();
    return link;
  }

  private disconnected(reason: string): void {
    const wasOnline = this.online;
    this.link = null;
    this.online = false;
    this.helloId = 0;
    this.outbox.disconnected();
    if (wasOnline) this.options.onOffline?.(reason);
  }

  closed(link: Link, reason: string): void {
    if (link !== this.link) return;
    this.disconnected(reason);
    const now = this.clock.monotonic();
    if (this.connectedAt !== null && now - this.connectedAt > stableMs) this.attempts = 0;
    this.connectedAt = null;
    const { firstMs, mostMs } = this.options.backOff ?? { firstMs: 1_000, mostMs: 60_000 };
    const pause = Math.min(mostMs, firstMs * 2 ** this.attempts++) * (this.options.random ?? Math.random)();
    this.timer(pause, () => this.connect());
  }
}
