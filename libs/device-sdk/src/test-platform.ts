export * from './test-files.ts';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { Aedes, type Client } from 'aedes';
import { commandPayload, uplinkPayloads, type CommandPayload, type UplinkKind } from '@carillon/contracts/link';

/** A message of a device, checked against the contract. */
export interface Received {
  mac: string;
  kind: UplinkKind;
  payload: Record<string, unknown> & { id?: string; status?: string; code?: string; boot?: string };
}

export interface TestPlatformOptions {
  port: number;
  /** The platform's clock, Unix time in milliseconds. */
  now?(): number;
  /** The `now` of the first message after a hello; null sends none. */
  welcome?(): number | null;
  /** The PUBACK of a device's message waits for this. */
  store?(received: Received): Promise<void> | void;
  allows?(mac: string, secret: string): boolean;
}

/**
 * The platform's side of the link for tests: a real broker, which greets a device as in device-link.md and refuses what
 * the contract's schemas refuse.
 */
export class TestPlatform {
  readonly received: Received[] = [];
  readonly refused: string[] = [];
  private readonly broker: Aedes;
  private readonly server: net.Server;
  private readonly sockets = new Set<net.Socket>();
  private readonly options: TestPlatformOptions;
  private readonly watchers = new Set<{ fits(received: Received): boolean; resolve(received: Received): void }>();

  private constructor(broker: Aedes, options: TestPlatformOptions) {
    this.broker = broker;
    this.options = options;
    this.server = net.createServer((socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
      broker.handle(socket);
    });
  }

  static async start(options: TestPlatformOptions): Promise<TestPlatform> {
    const platform = new TestPlatform(
      await Aedes.createBroker({
        authenticate: (client, name, password, done) => {
          const ok = name === client.id && (options.allows?.(client.id, String(password ?? '')) ?? true);
          done(ok ? null : Object.assign(new Error('refused'), { returnCode: 4 }), ok);
        },
        authorizeSubscribe: (client, subscription, done) =>
          done(null, subscription.topic === `d/${client.id}/command` ? subscription : null),
        authorizePublish: (client, packet, done) => {
          platform.take(client!, packet.topic, String(packet.payload)).then(
            () => done(),
            (error: Error) => done(error),
          );
        },
      }),
      options,
    );
    await platform.listen();
    return platform;
  }

  private async listen(): Promise<void> {
    this.server.listen(this.options.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url(): string {
    return `mqtt://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.sockets.size;
  }

  now(): number {
    return this.options.now?.() ?? Date.now();
  }

  private async take(client: Client, topic: string, text: string): Promise<void> {
    const [d, mac, kind, more] = topic.split('/');
    const schema = uplinkPayloads[kind as UplinkKind];
    const parsed = schema?.safeParse(JSON.parse(text));
    if (d !== 'd' || mac !== client.id || more !== undefined || !parsed?.success) {
      this.refused.push(`${topic} ${text} ${parsed?.error?.message}`);
      throw new Error('refused');
    }
    const received = { mac, kind, payload: parsed.data } as Received;
    await this.options.store?.(received);
    this.received.push(received);
    for (const watcher of this.watchers) {
      if (!watcher.fits(received)) continue;
      this.watchers.delete(watcher);
      watcher.resolve(received);
    }
    if (kind !== 'hello') return;
    const now = this.options.welcome ? this.options.welcome() : this.now();
    if (now !== null) setImmediate(() => this.send(mac, { action: 'welcome', now }));
  }

  /** Sends a command and fills missing fields with valid values. Returns its id. */
  send(mac: string, fields: Partial<CommandPayload> = {}): string {
    const now = fields.now ?? this.now();
    const command = commandPayload.parse({
      id: randomUUID(),
      action: 'reboot',
      args: {},
      expiresAt: now + 60_000,
      ...fields,
      now,
    });
    this.sendRaw(mac, JSON.stringify(command));
    return command.id;
  }

  sendRaw(mac: string, payload: string): void {
    this.broker.publish(
      { cmd: 'publish', topic: `d/${mac}/command`, payload, qos: 1, retain: false, dup: false },
      () => undefined,
    );
  }

  /** Resolves with the first matching message, past or future, from index `from` on. */
  next(fits: (received: Received) => boolean, from = 0): Promise<Received> {
    const found = this.received.slice(from).find(fits);
    return found
      ? Promise.resolve(found)
      : new Promise((resolve) => {
          this.watchers.add({ fits, resolve });
        });
  }

  hello(mac: string, from = 0): Promise<Received> {
    return this.next((r) => r.mac === mac && r.kind === 'hello', from);
  }

  /** Resolves with the final answer to a command, or with the first one of `status`. */
  answer(id: string, status?: string, from = 0): Promise<Received> {
    return this.next(
      (r) =>
        r.payload.id === id &&
        (status ? r.payload.status === status : r.payload.status === 'success' || r.payload.status === 'fail'),
      from,
    );
  }

  answers(id: string): Received['payload'][] {
    return this.received.filter((r) => r.kind === 'result' && r.payload.id === id).map((r) => r.payload);
  }

  /** Resets every connection, like a broken network. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.server.close();
    this.cut();
    await new Promise<void>((resolve) => this.broker.close(() => resolve()));
  }
}
