/** The receiver of a socket's bytes. */
export interface Reader {
  /** Takes `buffer[0, length)`, valid only during the call. Returns false to stop reading until `resume`. */
  feed(buffer: Buffer, length: number): boolean;
  /** The socket has closed, with or without an error. */
  handleClose(error: Error | null): void;
}

/** What a connection needs from its socket: plain TCP, TLS or WebSocket. */
export interface LinkSocket {
  reader: Reader | null;
  readonly writableLength: number;
  /** Writes bytes, given as a string with one byte per character (`codec/encode.ts`). */
  write(text: string): unknown;
  /** Writes the last bytes and ends the stream. */
  end(last: string): unknown;
  pause(): unknown;
  resume(): unknown;
  /** Closes once everything is written. */
  destroySoon(): void;
  destroy(): unknown;
}

/** A connection as a listener sees it. It counts as half open from the first byte on, whatever comes before MQTT. */
export interface Taken extends Reader {
  readonly closed: boolean;
  readonly halfOpen: boolean;
  /** The connection continues on another socket, which wraps the previous one. */
  replaceSocket(socket: LinkSocket): void;
  /** Sets the device's address as given by a proxy. */
  setAddress(address: string): void;
  /** Sets the MAC from a verified client certificate: 12 lower-case hex digits. */
  setCertificateMac(mac: string): void;
}

/** The gateway as a listener sees it. */
export interface Host {
  take(socket: LinkSocket, address: string): Taken;
  /** Returns whether there is no room for a further socket. */
  refuse(): boolean;
}

/** One way to connect. The gateway has a list of them. */
export interface Listener {
  /** Its name in the log: tcp, tls, ws or wss. */
  readonly kind: string;
  /** Opens the port. Rejects when it is in use, or when a required file cannot be read. */
  open(host: Host): Promise<void>;
  /** Accepts no more sockets; accepted ones stay open. */
  close(): Promise<void>;
  /** The address that it listens on. */
  readonly address: { host: string; port: number };
}

/** Returns an IPv4 address of an IPv6 socket in its usual notation. */
export const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:/, '');

/** Returns the MAC in a certificate's common name, in any usual notation, or null. */
export function macOfName(name: string | undefined): string | null {
  const mac = name?.replaceAll(/[:.-]/g, '').toLowerCase();
  return mac !== undefined && /^[0-9a-f]{12}$/.test(mac) ? mac : null;
}
