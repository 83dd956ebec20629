import type { IncomingMessage } from 'node:http';
import type tls from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';
import { isTrusted, type SignedFile } from './trust.ts';

/** A file as a command names it. */
export interface LoadFile {
  url: string;
  size: number;
  /** In hexadecimal digits. */
  sha256: string;
}

/** Receives the bytes, in order. */
export interface Sink {
  /** Called before the first byte: at the start, and again when the server does not resume. */
  begin(): void | Promise<void>;
  write(bytes: Buffer): void | Promise<void>;
}

export interface LoadOptions {
  /** When absent, the bytes are checked and dropped. */
  sink?: Sink;
  /** Called with whole percents: at steps of 10 % and 2 s at least, and every minute while bytes arrive. */
  progress?(percent: number): void;
  /** Aborts the download, which then rejects. */
  signal?: AbortSignal;
  /** Limit in bytes per second; 0 is unlimited. */
  bytesPerSecond?: number;
  /** Consecutive tries without a new byte before it gives up. 8 when absent. */
  tries?: number;
  /** Pause before the next try, ms: doubled from the first up to the second. 1 s and 60 s when absent. */
  backOff?: { firstMs: number; mostMs: number };
  /** Gives up after this time without a new byte while the server answers Retry-After, ms. An hour when absent. */
  patienceMs?: number;
  /** A connection that is silent for this long is broken, ms. 30 s when absent. */
  silenceMs?: number;
  tls?: tls.ConnectionOptions;
  localAddress?: string | undefined;
  random?(): number;
}

/** Why a file is missing: the download failed, or the content differs. A bad signature has its own code. */
export type LoadFailure = 'download' | 'checksum';

const longestRetryAfterMs = 300_000;
const toldEach = { percent: 10, ms: 2_000, atLeastMs: 60_000 };

/** How a connection ended. */
type Ended = 'whole' | 'broken' | LoadFailure | { retryAfterMs: number };

/**
 * Loads a file over http or https, resumes broken connections, and checks length and SHA-256. Does not keep the file in
 * memory. Returns the fault, or null.
 */
export async function loadFile(file: LoadFile, options: LoadOptions = {}): Promise<LoadFailure | null> {
  return new Load(file, options).run();
}

/**
 * Loads several files, one after the other. Resolves when all are loaded and checked, or with the first fault; the
 * device's current files stay until then. `sinkOf` returns the sink of each file.
 */
export async function loadFiles(
  files: readonly LoadFile[],
  { sinkOf, ...options }: Omit<LoadOptions, 'sink'> & { sinkOf?(nth: number): Sink } = {},
): Promise<LoadFailure | null> {
  const progress = new Progress(
    files.reduce((sum, { size }) => sum + size, 0),
    options.progress,
  );
  let before = 0;
  for (const [nth, file] of files.entries()) {
    const wrong = await new Load(file, sinkOf ? { ...options, sink: sinkOf(nth) } : options, progress, before).run();
    if (wrong !== null) return wrong;
    before += file.size;
  }
  return null;
}

/** The key that a device trusts, kept over restarts and resets. */
export interface PinnedKey {
  read(): string | null;
  write(key: string): void | Promise<void>;
}

/**
 * Loads a signed file. The signature covers the command's description of the file, so an untrusted file is not loaded
 * at all; the key is pinned when the file is complete.
 */
export async function loadSignedFile(
  file: LoadFile & SignedFile,
  version: string,
  pinned: PinnedKey,
  options: LoadOptions = {},
): Promise<LoadFailure | 'signature' | null> {
  if (!isTrusted(file, version, pinned.read())) return 'signature';
  const wrong = await loadFile(file, options);
  if (wrong === null && pinned.read() !== file.signedBy) await pinned.write(file.signedBy);
  return wrong;
}

class Load {
  private readonly file: LoadFile;
  private readonly options: LoadOptions;
  private at = 0;
  private hash = newHash();
  private etag: string | undefined;
  private readonly progress: Progress;
  /** Bytes of the preceding files. */
  private readonly before: number;

  constructor(file: LoadFile, options: LoadOptions, progress = new Progress(file.size, options.progress), before = 0) {
    this.file = file;
    this.options = options;
    this.progress = progress;
    this.before = before;
  }

  async run(): Promise<LoadFailure | null> {
    const { tries = 8, patienceMs = 3_600_000, backOff = { firstMs: 1_000, mostMs: 60_000 }, signal } = this.options;
    const random = this.options.random ?? Math.random;
    const { protocol } = URL.parse(this.file.url) ?? { protocol: '' };
    if (protocol !== 'http:' && protocol !== 'https:') return 'download';
    await this.begin();
    let most = 0;
    let failures = 0;
    let newAt = performance.now();
    for (;;) {
      const ended = await this.once();
      signal?.throwIfAborted();
      if (ended === 'whole') return this.hash.digest('hex') === this.file.sha256.toLowerCase() ? null : 'checksum';
      if (ended === 'download' || ended === 'checksum') return ended;
      if (this.at > most) {
        most = this.at;
        failures = 0;
        newAt = performance.now();
      } else if (typeof ended !== 'object') failures++;
      let pauseMs = Math.min(backOff.mostMs, backOff.firstMs * 2 ** failures) * (0.5 + random() / 2);
      if (typeof ended === 'object') {
        // Adds a random delay, so that devices sent away together do not return together.
        pauseMs = Math.max(pauseMs, ended.retryAfterMs * (1 + random() / 4));
        if (performance.now() + pauseMs - newAt > patienceMs) return 'download';
      } else if (failures >= tries) return 'download';
      await pause(pauseMs, undefined, signal && { signal });
    }
  }

  private async begin(): Promise<void> {
    this.at = 0;
    this.etag = undefined;
    this.hash = newHash();
    await stored(() => this.options.sink?.begin());
  }

  private async once(): Promise<Ended> {
    const { signal, silenceMs = 30_000 } = this.options;
    // Loaded on demand, like the TLS module in link.ts.
    const lib = this.file.url.startsWith('https:')
      ? process.getBuiltinModule('node:https')
      : process.getBuiltinModule('node:http');
    const request = lib.get(this.file.url, {
      ...this.options.tls,
      agent: false,
      localAddress: this.options.localAddress,
      headers: {
        'accept-encoding': 'identity',
        ...(this.at > 0 ? { range: `bytes=${this.at}-`, ...(this.etag ? { 'if-range': this.etag } : {}) } : {}),
      },
      ...(signal ? { signal } : {}),
    });
    const waiting = new Waiting(silenceMs, () => request.destroy(new Error('the server is silent')));
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', resolve).on('error', reject);
      });
      return await this.answered(response, waiting);
    } catch (error) {
      if (error instanceof SinkError) throw error;
      return 'broken';
    } finally {
      waiting.end();
      request.destroy();
    }
  }

  private async answered(response: IncomingMessage, waiting: Waiting): Promise<Ended> {
    const { statusCode, headers } = response;
    const { size } = this.file;
    switch (statusCode) {
      case 200: {
        if (this.at > 0) await this.begin();
        const length = headers['content-length'];
        if (length !== undefined && Number(length) !== size) return 'checksum';
        break;
      }
      case 206: {
        const [, from, , whole] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
        if (whole !== undefined && whole !== '*' && Number(whole) !== size) return 'checksum';
        if (Number(from) === this.at) break;
        await this.begin();
        return 'broken';
      }
      case 416:
        await this.begin();
        return 'broken';
      case 429:
      case 503:
        return headers['retry-after'] === undefined ? 'broken' : { retryAfterMs: retryAfter(headers['retry-after']) };
      default:
        return statusCode === 408 || statusCode! >= 500 ? 'broken' : 'download';
    }
    // A weak ETag does not guarantee identical bytes.
    this.etag = headers.etag?.startsWith('"') ? headers.etag : undefined;
    const rate = new Rate(this.options.bytesPerSecond ?? 0);
    for await (const bytes of response as AsyncIterable<Buffer>) {
      waiting.end();
      if (this.at + bytes.length > size) return 'checksum';
      this.hash.update(bytes);
      await stored(() => this.options.sink?.write(bytes));
      this.at += bytes.length;
      this.progress.reached(this.before + this.at);
      await rate.passed(bytes.length, this.options.signal);
      waiting.begin();
    }
    return this.at === size ? 'whole' : 'broken';
  }
}

/** Reports progress as often as docs/device-link.md requires. */
class Progress {
  private told = { percent: 0, at: performance.now() };
  private readonly size: number;
  private readonly onProgress: ((percent: number) => void) | undefined;

  constructor(size: number, onProgress: ((percent: number) => void) | undefined) {
    this.size = size;
    this.onProgress = onProgress;
  }

  reached(bytes: number): void {
    const percent = Math.floor((100 * bytes) / this.size);
    const now = performance.now();
    const silent = now - this.told.at;
    const isNew = percent >= this.told.percent + toldEach.percent && silent >= toldEach.ms;
    if (percent >= 100 || (!isNew && silent < toldEach.atLeastMs)) return;
    this.told = { percent, at: now };
    this.onProgress?.(percent);
  }
}

/** The device's own storage failed: a new connection does not help. */
export class SinkError extends Error {}

async function stored(store: () => void | Promise<void> | undefined): Promise<void> {
  try {
    await store();
  } catch (error) {
    throw new SinkError((error as Error).message, { cause: error });
  }
}

/** Measures silence only while waiting for the server, not while processing its bytes. */
class Waiting {
  private timer: NodeJS.Timeout | undefined;
  private readonly ms: number;
  private readonly over: () => void;

  constructor(ms: number, over: () => void) {
    this.ms = ms;
    this.over = over;
    this.begin();
  }

  begin(): void {
    this.timer = setTimeout(this.over, this.ms);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}

class Rate {
  private readonly began = performance.now();
  private readonly perSecond: number;
  private bytes = 0;

  constructor(perSecond: number) {
    this.perSecond = perSecond;
  }

  async passed(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.perSecond === 0) return;
    this.bytes += bytes;
    const early = (this.bytes / this.perSecond) * 1_000 - (performance.now() - this.began);
    if (early > 0) await pause(early, undefined, signal && { signal });
  }
}

const newHash = () => process.getBuiltinModule('node:crypto').createHash('sha256');

/** Parses Retry-After: seconds or a date. */
function retryAfter(text: string): number {
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(longestRetryAfterMs, Math.max(0, ms)) : 0;
}
