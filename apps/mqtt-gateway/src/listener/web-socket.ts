import { createServer } from 'node:http';
import type { Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { linkLimits } from '@carillon/contracts/link';
import { WebSocketServer } from 'ws';
import type { ServerOptions, WebSocket } from 'ws';
import type { LinkSocket, Reader, Taken } from './listener.ts';

/** A frame may contain the longest packet and the head of the next one (MQTT 3.1.1, 6: packets need not fit frames). */
const longestFrame = linkLimits.payloadBytes + linkLimits.connectBytes;
/** Limit for the request, frames and their heads before a CONNECT is complete, in bytes. */
const longestBefore = 2 * linkLimits.connectBytes + 4_096;

/**
 * The types lack `closeTimeout` (milliseconds), after which a peer that does not answer the closing frame is cut off.
 */
const upgradeOptions: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  maxPayload: longestFrame,
  perMessageDeflate: false,
  clientTracking: false,
  closeTimeout: 2_000,
  handleProtocols: (asked) => (asked.has('mqtt') ? 'mqtt' : false),
};

/** A WebSocket as the socket of a connection (MQTT 3.1.1, section 6). */
class WebSocketLink implements LinkSocket {
  reader: Reader | null = null;
  constructor(private readonly inner: WebSocket) {
    inner.on('message', (data: Buffer, binary: boolean) => {
      // MQTT-6.0.0-1: only binary frames are allowed.
      if (!binary) inner.terminate();
      // A closing socket is still read, for the peer's closing frame.
      else if (this.reader?.feed(data, data.length) === false && inner.readyState === inner.OPEN) inner.pause();
    });
    inner.on('error', (error) => this.reader?.handleClose(error));
    inner.on('close', () => this.reader?.handleClose(null));
  }

  get writableLength(): number {
    return this.inner.bufferedAmount;
  }

  write(text: string): void {
    if (this.inner.readyState === this.inner.OPEN) this.inner.send(Buffer.from(text, 'latin1'));
  }

  end(last: string): void {
    this.write(last);
    this.destroySoon();
  }

  pause(): void {
    this.inner.pause();
  }

  resume(): void {
    this.inner.resume();
  }

  destroySoon(): void {
    this.inner.resume();
    this.inner.close(1000);
  }

  destroy(): void {
    if (this.inner.bufferedAmount === 0 && this.inner.readyState === this.inner.OPEN) this.destroySoon();
    else this.inner.terminate();
  }
}

/** Upgrades sockets from HTTP to WebSockets: one path, sub-protocol `mqtt`. */
export class WebSockets {
  private readonly http: HttpServer;
  private readonly upgrades = new WebSocketServer(upgradeOptions);
  private readonly waiting = new WeakMap<Duplex, Taken>();

  constructor(path: string) {
    this.http = createServer(
      { maxHeaderSize: linkLimits.connectBytes, keepAlive: false },
      (_, answer) => void answer.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end(),
    );
    this.http.on('upgrade', (request, socket: Duplex, head) => {
      const taken = this.waiting.get(socket);
      const asked = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
      if (taken === undefined || taken.closed) return void socket.destroy();
      // MQTT-6.0.0-3: a client must offer `mqtt`.
      if (request.url?.split('?')[0] !== path || !asked.includes('mqtt'))
        return void socket.end(
          `HTTP/1.1 ${request.url?.split('?')[0] === path ? '400 Bad Request' : '404 Not Found'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
        );
      this.upgrades.handleUpgrade(request, socket, head, (inner) => taken.replaceSocket(new WebSocketLink(inner)));
    });
  }

  /** Takes a socket that begins with HTTP. */
  take(socket: Duplex, taken: Taken): void {
    this.waiting.set(socket, taken);
    // A client that is not authenticated must not make us store a whole frame.
    let before = 0;
    const count = (bytes: Buffer): void => {
      before += bytes.length;
      if (!taken.halfOpen) socket.off('data', count);
      else if (before > longestBefore) socket.destroy();
    };
    this.http.emit('connection', socket);
    socket.on('data', count);
    // It arrived paused, so that nothing was read before there was a reader.
    socket.resume();
  }
}
