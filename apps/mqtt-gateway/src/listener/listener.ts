/** What a socket hands its bytes to. */
export interface Reader {
  /** Takes `buffer[0, length)`, good only during the call; false stops the reading until `resume`. */
  feed(buffer: Buffer, length: number): boolean;
  /** The socket has closed, with an error or without. */
  handleClose(error: Error | null): void;
}

/** What a connection needs of the socket it came with: plain TCP, TLS or WebSocket. */
export interface LinkSocket {
  reader: Reader | null;
  readonly writableLength: number;
  /** Writes bytes, given as text of one byte a letter (`codec/encode.ts`). */
  write(text: string): unknown;
  /** Writes the last and says that no more comes. */
  end(last: string): unknown;
  pause(): unknown;
  resume(): unknown;
  /** Closes once everything is out. */
  destroySoon(): void;
  destroy(): unknown;
}

/** A connection as a listener sees it. It counts as half open from the first byte on, whatever comes before MQTT. */
export interface Taken extends Reader {
  readonly closed: boolean;
  readonly halfOpen: boolean;
  /** The connection continues on another socket, which wraps the one it came with. */
  replaceSocket(socket: LinkSocket): void;
  /** Sets the device's address as a proxy in front gave it. */
  setAddress(address: string): void;
  /** Sets the MAC of the device that a checked client certificate names: 12 lower-case hex digits. */
  setCertificateMac(mac: string): void;
}

/** The gateway, as a listener sees it. */
export interface Host {
  take(socket: LinkSocket, address: string): Taken;
  /** Returns whether there is no room for a further socket. */
  refuse(): boolean;
}

/** One way in. The gateway has a list of them. */
export interface Listener {
  /** How it is called in the log: tcp, tls, ws or wss. */
  readonly kind: string;
  /** Opens the port. Rejects when it is taken, or a file that is needed cannot be read. */
  open(host: Host): Promise<void>;
  /** Accepts no more sockets; those accepted stay open. */
  close(): Promise<void>;
  /** Where it listens. */
  readonly address: { host: string; port: number };
}

/** IPv4 behind an IPv6 socket as people write it. */
export const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:/, '');

/** The MAC that a certificate's common name or a proxy's word of it holds, in any usual notation, or null. */
export function macOfName(name: string | undefined): string | null {
  const mac = name?.replaceAll(/[:.-]/g, '').toLowerCase();
  return mac !== undefined && /^[0-9a-f]{12}$/.test(mac) ? mac : null;
}
