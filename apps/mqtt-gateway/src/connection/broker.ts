import { Aedes } from 'aedes';
import type { Duplex } from 'node:stream';
import type { Connection } from './connection.ts';
import type { Hooks } from './hooks.ts';

/**
 * Aedes with our connection instead of its client; its types lack `clients`, `registerClient` and `unregisterClient`.
 */
type Frame = new (options: Hooks<Connection>) => Omit<Aedes, keyof Hooks<Connection> | 'handle' | 'publish' | 'emit'> &
  Hooks<Connection> & {
    handle(stream: Duplex): Connection;
    /** By client id. */
    readonly clients: Record<string, Connection | undefined>;
    /** Registers a client; an older one with the same id is closed first (MQTT-3.1.4-2). */
    registerClient(client: Connection): void;
    unregisterClient(client: Connection): void;
    emit(event: string, ...args: unknown[]): boolean;
  };

/**
 * Uses Aedes as the frame: its hooks, its registry of clients with takeover, its events and its life cycle. Two methods
 * are replaced, for the reasons and figures of docs/adr/0003-mqtt-hot-path.md: `handle` returns our connection instead
 * of its client, and nothing is published through its emitter, whose slots one frozen device can block.
 */
export class Broker extends (Aedes as unknown as Frame) {
  constructor(hooks: Hooks<Connection>, handle: (stream: Duplex) => Connection) {
    super(hooks);
    // Aedes sets `handle` on the instance, which would hide a method of this class.
    this.handle = handle;
  }

  /** Drops Aedes' own notices ($SYS/…). Commands go directly to the device's connection. */
  publish(...args: unknown[]): void {
    const done = args.at(-1);
    if (typeof done === 'function') done(null);
  }
}
