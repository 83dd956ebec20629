import { getSystemErrorName } from 'node:util';
import type { LinkSocket, Reader } from './listener.ts';

/** The parts of Node's TCP handle that are used. */
export interface TcpHandle {
  onread: () => void;
  readonly writeQueueSize: number;
  getpeername(into: { address?: string | undefined }): number;
  setNoDelay(on: boolean): number;
  useUserBuffer(buffer: Buffer): void;
  readStart(): number;
  readStop(): number;
  writeLatin1String(request: WriteRequest, text: string): number;
  shutdown(request: ShutdownRequest): number;
  close(): void;
}

interface WriteRequest {
  socket?: TcpSocket;
  oncomplete?: (status: number) => void;
}
type ShutdownRequest = WriteRequest;

/** The base of Node's own sockets: the requests of a handle, and the numbers that its calls leave behind. */
interface StreamBinding {
  WriteWrap: new () => WriteRequest;
  ShutdownWrap: new () => ShutdownRequest;
  streamBaseState: Int32Array;
  kReadBytesOrError: number;
  kLastWriteWasAsync: number;
}
const { WriteWrap, ShutdownWrap, streamBaseState, kReadBytesOrError, kLastWriteWasAsync } = (
  process as unknown as { binding(name: 'stream_wrap'): StreamBinding }
).binding('stream_wrap');
/** libuv's code for the end of the peer's data. */
const endOfFile = -4_095;

/** Shared by all sockets: a packet is handled, or its rest copied, before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** A write that the kernel accepts completely leaves its request unused, so one request serves all of these. */
let spare = new WriteWrap();

/**
 * Bound as `this` instead of stored on the handle, where another property would turn its few properties into a table of
 * 300 bytes.
 */
function onread(this: TcpSocket): void {
  this.handleRead(streamBaseState[kReadBytesOrError]!);
}

function onwritten(this: WriteRequest, status: number): void {
  this.socket!.handleWritten(status);
}

function onshut(this: ShutdownRequest): void {
  this.socket!.destroy();
}

/**
 * A device's socket directly on Node's TCP handle, without a stream: a stream's two states, its listeners and its
 * request for each write take more memory than the rest of a connection, and a tenth of the time of a command
 * (docs/adr/0003-mqtt-hot-path.md). A write goes to the kernel at once; libuv keeps the rest in order.
 */
export class TcpSocket implements LinkSocket {
  reader: Reader | null = null;
  private open = true;
  private reading = false;
  /** Writes that libuv has queued. */
  private waiting = 0;
  /** Nothing more is written; closes after the last write. */
  private ending = false;

  constructor(private readonly handle: TcpHandle) {
    handle.onread = onread.bind(this);
    handle.useUserBuffer(readBuffer);
  }

  get writableLength(): number {
    return this.waiting === 0 || !this.open ? 0 : this.handle.writeQueueSize;
  }

  write(text: string): void {
    if (!this.open || this.ending) return;
    const request = spare;
    const error = this.handle.writeLatin1String(request, text);
    if (error !== 0) return this.failLater(error);
    if (streamBaseState[kLastWriteWasAsync] === 0) return;
    request.socket = this;
    request.oncomplete = onwritten;
    spare = new WriteWrap();
    this.waiting++;
  }

  end(last: string): void {
    this.write(last);
    this.destroySoon();
  }

  pause(): void {
    if (!this.reading || !this.open) return;
    this.reading = false;
    this.handle.readStop();
  }

  resume(): void {
    if (this.reading || !this.open) return;
    this.reading = true;
    const error = this.handle.readStart();
    if (error !== 0) this.failLater(error);
  }

  destroySoon(): void {
    if (!this.open || this.ending) return;
    this.ending = true;
    const request = new ShutdownWrap();
    request.socket = this;
    request.oncomplete = onshut;
    // 1 means done at once; an error means that the peer is gone.
    if (this.handle.shutdown(request) !== 0) this.destroy();
  }

  destroy(): void {
    if (!this.open) return;
    this.open = false;
    this.handle.close();
    this.finish(null);
  }

  /** Handles `length` bytes in the shared buffer, the end of the peer's data (`endOfFile`), or an error. */
  handleRead(length: number): void {
    if (length === 0 || !this.open) return;
    if (length > 0) {
      if (this.reader === null || !this.reader.feed(readBuffer, length)) this.pause();
    } else if (length === endOfFile) {
      this.finish(null);
      this.destroySoon();
    } else this.fail(length);
  }

  handleWritten(status: number): void {
    this.waiting--;
    if (status < 0) this.fail(status);
  }

  /** Fails after the current call, because its caller does not expect the socket to close during it. */
  private failLater(error: number): void {
    process.nextTick(() => this.fail(error));
  }

  private fail(error: number): void {
    if (!this.open) return;
    this.finish(new Error(getSystemErrorName(error)));
    this.destroy();
  }

  /** Reports the end once, whatever comes first. */
  private finish(error: Error | null): void {
    const { reader } = this;
    this.reader = null;
    reader?.handleClose(error);
  }
}
