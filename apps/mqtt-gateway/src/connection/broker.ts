import { Aedes } from 'aedes';
import type { Duplex } from 'node:stream';
import type { Connection } from './connection.ts';
import type { Hooks } from './hooks.ts';

/**
 * Aedes with our connection in the place of its client; `clients`, `registerClient` and `unregisterClient` are missing
 * in its types.
 */
type Frame = new (options: Hooks<Connection>) => Omit<Aedes, keyof Hooks<Connection> | 'handle' | 'publish' | 'emit'> &
  Hooks<Connection> & {
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
  constructor(hooks: Hooks<Connection>, handle: (stream: Duplex) => Connection) {
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
