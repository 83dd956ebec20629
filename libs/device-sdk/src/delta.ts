import {
  loadSignedFile,
  SinkError,
  type LoadFailure,
  type LoadFile,
  type LoadOptions,
  type PinnedKey,
  type Sink,
} from './download.ts';
import { isTrusted, type SignedFile } from './trust.ts';

/** The image that a differential package starts from: the one that the device runs, as it was downloaded. */
export interface DeltaBase {
  /** Size in bytes. */
  size: number;
  /**
   * In hexadecimal digits. With it a package for another image is recognized by its first bytes; otherwise by the
   * result.
   */
  sha256?: string;
  /** Fills the buffer from that byte on. */
  read(into: Buffer, at: number): void | Promise<void>;
}

/** The package is damaged or for another image: only the whole file helps. */
export class DeltaFault extends Error {}

/** docs/device-link.md, Differential packages. */
export const deltaFormat = 'zstd-windows';
const magic = Buffer.from('CRLDLT01');
const headBytes = 80;
const most = { window: 524_288, windowLog: 20, packed: 1_048_576, dictionary: 1_048_576, ranges: 64 };

/**
 * Receives a differential package as a stream, and writes the resulting image to another sink. Holds one window and its
 * base data: at most 4 MiB, however large the images are.
 */
export class DeltaSink implements Sink {
  private readonly base: DeltaBase;
  private readonly whole: Omit<LoadFile, 'url'>;
  private readonly image: Sink;
  private waiting: Buffer[] = [];
  private bytes = 0;
  private hasHead = false;
  private made = 0;
  private hash = newHash();

  /** `whole`: the expected image. */
  constructor(base: DeltaBase, whole: Omit<LoadFile, 'url'>, image: Sink) {
    this.base = base;
    this.whole = whole;
    this.image = image;
  }

  async begin(): Promise<void> {
    this.waiting = [];
    this.bytes = 0;
    this.hasHead = false;
    this.made = 0;
    this.hash = newHash();
    await this.image.begin();
  }

  async write(bytes: Buffer): Promise<void> {
    this.waiting.push(bytes);
    this.bytes += bytes.length;
    if (!this.hasHead) {
      if (this.bytes < headBytes) return;
      this.head(this.take(headBytes));
      this.hasHead = true;
    }
    while (await this.window());
  }

  /** Returns whether the package is complete and made the expected image. */
  get isWhole(): boolean {
    return this.bytes === 0 && this.made === this.whole.size && this.digest() === this.whole.sha256.toLowerCase();
  }

  private digest(): string {
    return this.hash.copy().digest('hex');
  }

  private head(head: Buffer): void {
    const { base, whole } = this;
    const isFor =
      head.subarray(0, 8).equals(magic) &&
      head.readUInt32LE(8) === base.size &&
      head.readUInt32LE(12) === whole.size &&
      head.toString('hex', 48, 80) === whole.sha256.toLowerCase();
    const isFrom = base.sha256 === undefined || head.toString('hex', 16, 48) === base.sha256.toLowerCase();
    if (!isFor || !isFrom) throw new DeltaFault('the package is for another image');
  }

  /** Processes the next window, if all of it has arrived. */
  private async window(): Promise<boolean> {
    if (this.bytes < 12) return false;
    const [length, packed, count] = this.numbers(3) as [number, number, number];
    const left = this.whole.size - this.made;
    if (length < 1 || length > Math.min(most.window, left) || packed < 1 || packed > most.packed || count > most.ranges)
      throw new DeltaFault('a window is none');
    const before = 12 + 8 * count;
    if (this.bytes < before + packed) return false;
    const ranges = this.take(before).subarray(12);
    const dictionary = await this.dictionary(ranges);
    const zlib = process.getBuiltinModule('node:zlib');
    let part: Buffer;
    try {
      part = zlib.zstdDecompressSync(this.take(packed), {
        maxOutputLength: length,
        // Bounding the output is not enough: a frame may demand a window of 128 MiB.
        params: { [zlib.constants.ZSTD_d_windowLogMax]: most.windowLog },
        ...(dictionary.length > 0 ? { dictionary } : {}),
      });
    } catch (error) {
      throw new DeltaFault('a window cannot be unpacked', { cause: error });
    }
    if (part.length !== length) throw new DeltaFault('a window is shorter than it says');
    this.hash.update(part);
    await this.image.write(part);
    this.made += length;
    return true;
  }

  /** Returns the concatenated parts of the old image that a window uses. */
  private async dictionary(ranges: Buffer): Promise<Buffer> {
    let bytes = 0;
    const parts: { at: number; length: number }[] = [];
    for (let n = 0; n < ranges.length; n += 8) {
      const [at, length] = [ranges.readUInt32LE(n), ranges.readUInt32LE(n + 4)];
      bytes += length;
      if (at + length > this.base.size || bytes > most.dictionary) throw new DeltaFault('a range is none');
      parts.push({ at, length });
    }
    const dictionary = Buffer.allocUnsafe(bytes);
    let to = 0;
    for (const { at, length } of parts) {
      try {
        await this.base.read(dictionary.subarray(to, to + length), at);
      } catch (error) {
        throw new DeltaFault('the old image cannot be read', { cause: error });
      }
      to += length;
    }
    return dictionary;
  }

  /** Returns numbers at the start of the buffered data without consuming it. */
  private numbers(count: number): number[] {
    const start = this.joined(4 * count);
    return Array.from({ length: count }, (_, n) => start.readUInt32LE(4 * n));
  }

  private take(length: number): Buffer {
    const start = this.joined(length);
    this.bytes -= length;
    if (start.length === length) this.waiting.shift();
    else this.waiting[0] = start.subarray(length);
    return start.subarray(0, length);
  }

  /** Returns the first buffered part, with at least this many bytes. */
  private joined(length: number): Buffer {
    if (this.waiting[0]!.length < length) this.waiting = [Buffer.concat(this.waiting)];
    return this.waiting[0]!;
  }
}

/**
 * Loads a differential package, and makes the whole file from it and the running image: `options.sink` receives that
 * file. Package and file are both checked by length, SHA-256 and signature. Returns the fault, or null; `delta` means
 * that the package is damaged or for another image. After any fault `loadSignedFile` may still load the whole file.
 */
export async function loadDelta(
  delta: LoadFile & SignedFile,
  whole: LoadFile & SignedFile,
  version: string,
  base: DeltaBase,
  pinned: PinnedKey,
  options: LoadOptions = {},
): Promise<LoadFailure | 'signature' | 'delta' | null> {
  if (!isTrusted(whole, version, pinned.read())) return 'signature';
  const image = options.sink ?? { begin: () => undefined, write: () => undefined };
  const sink = new DeltaSink(base, whole, image);
  try {
    const wrong = await loadSignedFile(delta, version, pinned, { ...options, sink });
    return wrong ?? (sink.isWhole ? null : 'delta');
  } catch (error) {
    if (error instanceof SinkError && error.cause instanceof DeltaFault) return 'delta';
    throw error;
  }
}

const newHash = () => process.getBuiltinModule('node:crypto').createHash('sha256');
