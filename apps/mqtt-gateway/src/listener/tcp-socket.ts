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

/** What Node's own sockets stand on: the requests of a handle, and the numbers that its calls leave behind. */
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
/** libuv's word for the end of what the peer sends. */
const endOfFile = -4_095;

/** All sockets read into this one: a packet is taken out, or what is left of it copied, before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** A write that the kernel takes whole leaves its request untouched, so that one serves all of them. */
let spare = new WriteWrap();

/**
 * Bound, and not found by a property of the handle: one would turn the handle's few properties into a table of 300
 * bytes.
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
 * A device's socket straight on Node's TCP handle, without the stream between: a stream's two states, its listeners and
 * its request for each write are more memory than the rest of a connection and a tenth of the time of a command
 * (docs/adr/0003-mqtt-hot-path.md). A write goes to the kernel at once; libuv keeps what does not go, in order.
 */
export class TcpSocket implements LinkSocket {
  reader: Reader | null = null;
  private open = true;
  private reading = false;
  /** Writes that libuv keeps. */
  private waiting = 0;
  /** No more is written; closed once the last is out. */
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
    // 1 is done at once; an error is a peer that is gone.
    if (this.handle.shutdown(request) !== 0) this.destroy();
  }

  destroy(): void {
    if (!this.open) return;
    this.open = false;
    this.handle.close();
    this.tell(null);
  }

  /** `length` bytes lie in the shared buffer, or the peer has ended (`endOfFile`), or an error came. */
  handleRead(length: number): void {
    if (length === 0 || !this.open) return;
    if (length > 0) {
      if (this.reader === null || !this.reader.feed(readBuffer, length)) this.pause();
    } else if (length === endOfFile) {
      this.tell(null);
      this.destroySoon();
    } else this.fail(length);
  }

  handleWritten(status: number): void {
    this.waiting--;
    if (status < 0) this.fail(status);
  }

  /** Fails after the call that met the error: its caller does not expect the socket to close during the call. */
  private failLater(error: number): void {
    process.nextTick(() => this.fail(error));
  }

  private fail(error: number): void {
    if (!this.open) return;
    this.tell(new Error(getSystemErrorName(error)));
    this.destroy();
  }

  /** Once, whatever comes first. */
  private tell(error: Error | null): void {
    const { reader } = this;
    this.reader = null;
    reader?.handleClose(error);
  }
}
