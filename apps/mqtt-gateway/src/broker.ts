import { Aedes } from 'aedes';
import type { Duplex } from 'node:stream';
import type { Connect } from './codec/decode.ts';
import type { Connection } from './connection.ts';

/** A refusal that CONNACK can say: `returnCode` 2 to 5, as Aedes' hooks have it. */
export class Refused extends Error {
  constructor(
    readonly returnCode: 3 | 4 | 5,
    message: string,
  ) {
    super(message);
  }
}

/** A PUBLISH as the hook sees it. `payload` lies in the shared read buffer: it is only good until the hook returns. */
export interface Publish {
  cmd: 'publish';
  topic: string;
  payload: Buffer;
  qos: 0 | 1;
  dup: boolean;
  retain: false;
  messageId: number;
}

/** The hooks of Aedes that the gateway fills, with our connection in the place of its client. */
export interface Hooks {
  /** Before a CONNECT is looked at: admission. */
  preConnect(client: Connection, packet: Connect, done: (error: Refused | null, taken: boolean) => void): void;
  /** Who it is, and the claim. */
  authenticate(
    client: Connection,
    username: string | undefined,
    password: Buffer | undefined,
    done: (error: Refused | null, known: boolean) => void,
  ): void;
  /** Runs before PUBACK, which follows `done`: so the hook calls it when the message is stored. An error closes. */
  authorizePublish(client: Connection, packet: Publish, done: (error?: Error | null) => void): void;
  /** Answers the subscription, or null for 0x80. */
  authorizeSubscribe(
    client: Connection,
    subscription: { topic: string; qos: number },
    done: (error: Error | null, subscription?: { topic: string; qos: number } | null) => void,
  ): void;
}

/**
 * Aedes with our connection in the place of its client; `clients`, `registerClient` and `unregisterClient` are missing
 * in its types.
 */
type Frame = new (options: Hooks) => Omit<Aedes, keyof Hooks | 'handle' | 'publish' | 'emit'> &
  Hooks & {
    handle(stream: Duplex): Connection;
    /** By client id. */
    readonly clients: Record<string, Connection | undefined>;
    /** Takes a client in; an older one of the same id is closed first (MQTT-3.1.4-2). */
    registerClient(client: Connection): void;
    unregisterClient(client: Connection): void;
    emit(event: string, ...args: unknown[]): boolean;
  };

/**
 * Aedes as the frame: its hooks, its registry of clients with takeover, its events and its life cycle. Two of its
 * methods are replaced, for the reasons and figures of docs/adr/0003-mqtt-hot-path.md: `handle` gives our connection
 * instead of its client, and nothing is published through its emitter, whose slots one frozen device can hold.
 */
export class Broker extends (Aedes as unknown as Frame) {
  constructor(hooks: Hooks, handle: (stream: Duplex) => Connection) {
    super(hooks);
    // Aedes sets its own `handle` on the instance, so a method here would be hidden by it.
    this.handle = handle;
  }

  /** Aedes' own notices ($SYS/…) go nowhere; a command goes to its device's connection, never through here. */
  publish(...args: unknown[]): void {
    const done = args.at(-1);
    if (typeof done === 'function') done(null);
  }
}
