import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TLSSocket, Server as TlsServer, TlsOptions } from 'node:tls';
import type { Certificates } from '@carillon/service/certificates';
import { macOfName, plainAddress } from './listener.ts';
import type { Host, LinkSocket, Listener, Reader, Taken } from './listener.ts';
import { readProxyHeader } from './proxy-header.ts';
import type { TrustedProxies } from './proxy-header.ts';
import { WebSockets } from './web-socket.ts';

export interface StreamListenerOptions {
  host: string;
  port: number;
  /** Enables TLS. */
  certificates?: Certificates | undefined;
  /** Enables WebSocket at this path. */
  webSocketPath?: string | undefined;
  proxies: TrustedProxies;
  /** Whether other processes listen on the same port. */
  shared: boolean;
}

/** Makes one of Node's sockets the socket of a connection: strings are written with one byte per character. */
function linked(stream: Socket): Socket & LinkSocket {
  stream.setDefaultEncoding('latin1');
  const socket = Object.assign(stream, { reader: null as Reader | null });
  socket.on('error', (error) => socket.reader?.handleClose(error));
  socket.on('end', () => socket.reader?.handleClose(null));
  socket.on('close', () => socket.reader?.handleClose(null));
  return socket;
}

const placeOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;

/**
 * Listens for TLS and WebSocket, or both on top of each other. A connection is registered as soon as its socket
 * arrives, so that a slow handshake or request counts as half open and is ended by the same limits as a slow CONNECT.
 */
export class StreamListener implements Listener {
  readonly kind: string;
  private readonly server: Server;
  private readonly tls: TlsServer | null = null;
  private readonly webSockets: WebSockets | null;
  private readonly shaking = new Map<string, Taken>();
  private host!: Host;

  constructor(private readonly options: StreamListenerOptions) {
    const { certificates, webSocketPath } = options;
    this.kind = webSocketPath === undefined ? 'tls' : certificates === undefined ? 'ws' : 'wss';
    this.webSockets = webSocketPath === undefined ? null : new WebSockets(webSocketPath);
    this.server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.accept(socket));
    if (certificates !== undefined) {
      this.tls = createTlsServer(certificates.read());
      this.tls.on('secureConnection', (socket) => this.secured(socket));
      this.tls.on('tlsClientError', (_, socket) => socket.destroy());
      this.tls.on('error', () => undefined);
    }
  }

  async open(host: Host): Promise<void> {
    this.host = host;
    await new Promise<void>((resolve, reject) => {
      // Stays registered: a later error, such as no free file descriptor, must not end the process.
      this.server.on('error', reject);
      this.server.listen(
        { host: this.options.host, port: this.options.port, backlog: 4_096, reusePort: this.options.shared },
        resolve,
      );
    });
    this.options.certificates?.watch(this.renewed);
  }

  close(): Promise<void> {
    this.options.certificates?.unwatch(this.renewed);
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  get address(): { host: string; port: number } {
    const { address, port } = this.server.address() as AddressInfo;
    return { host: address, port };
  }

  private readonly renewed = (options: TlsOptions): void => this.tls?.setSecureContext(options);

  private accept(socket: Socket): void {
    if (this.host.refuse()) return void socket.destroy();
    const address = plainAddress(socket.remoteAddress);
    const taken = this.host.take(linked(socket), address);
    if (this.options.proxies.has(address)) this.afterHeader(socket, taken);
    else this.begin(socket, taken);
  }

  /** Removes the PROXY header and puts the bytes after it back into the socket. */
  private afterHeader(socket: Socket, taken: Taken): void {
    let rest: Buffer = Buffer.alloc(0);
    const read = (bytes: Buffer): void => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const header = readProxyHeader(rest, rest.length);
      if (header === 'more') return;
      socket.off('data', read);
      if (header === 'bad') return void socket.destroy();
      socket.pause();
      this.options.proxies.apply(header, taken);
      if (rest.length > header.used) socket.unshift(rest.subarray(header.used));
      this.begin(socket, taken);
    };
    socket.on('data', read);
    socket.resume();
  }

  private begin(socket: Socket, taken: Taken): void {
    if (this.tls === null) return this.webSockets!.take(socket, taken);
    const place = placeOf(socket);
    this.shaking.set(place, taken);
    socket.once('close', () => {
      if (this.shaking.get(place) === taken) this.shaking.delete(place);
    });
    this.tls.emit('connection', socket);
  }

  private secured(socket: TLSSocket): void {
    // HTTP removes its listener when a client asks for a WebSocket, so a reset would end the process.
    socket.on('error', () => socket.destroy());
    const place = placeOf(socket);
    const taken = this.shaking.get(place);
    this.shaking.delete(place);
    if (taken === undefined || taken.closed || !this.checked(socket, taken)) return void socket.destroy();
    if (this.webSockets !== null) return this.webSockets.take(socket, taken);
    const upper = linked(socket);
    socket.on('data', (bytes: Buffer) => {
      if (upper.reader?.feed(bytes, bytes.length) === false) socket.pause();
    });
    taken.replaceSocket(upper);
  }

  /** Refuses a device with an invalid certificate, even when none is required. A valid one may name the device. */
  private checked(socket: TLSSocket, taken: Taken): boolean {
    const { subject } = socket.getPeerCertificate();
    if (subject === undefined) return true;
    if (!socket.authorized) return false;
    const mac = macOfName(Array.isArray(subject.CN) ? undefined : subject.CN);
    if (mac !== null) taken.setCertificateMac(mac);
    return true;
  }
}
