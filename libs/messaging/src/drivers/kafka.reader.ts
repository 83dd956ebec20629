import type { BusBatch, BusRecord } from '../bus.ts';

export interface ReaderOptions {
  topic: string;
  partition: number;
  /** Offset of the first record to read. */
  from: number;
  maxBatch: number;
  handle(batch: BusBatch): Promise<void> | void;
  /** Called when everything below the position is handled. */
  done(position: number): void;
  failed(error: unknown, batch: BusBatch): 'again' | 'skip';
  /** False while this process may have lost the partition. */
  mayRead(): boolean;
  /** Called when there is room again. */
  drained(): void;
}

const firstPauseMs = 100;
const lastPauseMs = 5_000;
const fullBytes = 393_216;

/** Processes one partition in batches until it is stopped. Buffers what the fetcher delivers. */
export class KafkaReader {
  /** Offset behind the last handled record. */
  position: number;
  /** Offset to fetch next. */
  next: number;
  buffered = 0;
  /** End of the partition at the last fetch, and the time of that fetch. */
  end = 0;
  endAt = 0;
  fullSince = 0;
  /** When the running handler began; 0 when none runs. */
  busySince = 0;
  readonly options: ReaderOptions;
  private queue: { records: BusRecord[]; bytes: number; next: number }[] = [];
  private readonly abort = new AbortController();
  private wakeUp: (() => void) | undefined;
  private readonly ended: Promise<void>;

  constructor(options: ReaderOptions) {
    this.options = options;
    this.position = this.next = options.from;
    this.ended = this.run();
  }

  get stopped(): boolean {
    return this.abort.signal.aborted;
  }

  get full(): boolean {
    return this.buffered >= fullBytes;
  }

  push(records: BusRecord[], bytes: number, next: number): void {
    if (this.stopped || next <= this.next) return;
    this.queue.push({ records, bytes, next });
    this.buffered += bytes;
    this.next = next;
    if (this.full) this.fullSince = performance.now();
    this.wake();
  }

  /** Skips records that were deleted before they were read. */
  skipTo(position: number): void {
    if (this.queue.length > 0) return;
    this.next = Math.max(this.next, position);
    this.position = Math.max(this.position, position);
    this.options.done(this.position);
  }

  wake(): void {
    this.wakeUp?.();
  }

  /** Aborts the running batch's signal and resolves when its handler has returned. */
  stop(): Promise<void> {
    this.abort.abort();
    this.wake();
    return this.ended;
  }

  private pause(ms?: number): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.wakeUp =
        ms === undefined
          ? resolve
          : () => {
              if (this.stopped) {
                clearTimeout(timer);
                resolve();
              }
            };
    });
  }

  /** Returns the next records, at most one batch; they stay buffered until they are handled. */
  private take(): BusRecord[] {
    const { maxBatch } = this.options;
    const first = this.queue[0]!.records;
    if (first.length >= maxBatch) return first.slice(0, maxBatch);
    const records = [...first];
    for (let i = 1; i < this.queue.length && records.length < maxBatch; i += 1)
      records.push(...this.queue[i]!.records.slice(0, maxBatch - records.length));
    return records;
  }

  private drop(count: number): void {
    let left = count;
    while (this.queue.length > 0) {
      const first = this.queue[0]!;
      if (first.records.length > left) {
        if (left === 0) break;
        const bytes = Math.round(first.bytes * (left / first.records.length));
        this.position = Number(first.records[left - 1]!.offset) + 1;
        first.records = first.records.slice(left);
        first.bytes -= bytes;
        this.buffered -= bytes;
        break;
      }
      left -= first.records.length;
      this.queue.shift();
      this.buffered -= first.bytes;
      this.position = first.next;
    }
  }

  private async run(): Promise<void> {
    const { topic, partition, handle, done, failed, mayRead, drained } = this.options;
    const { signal } = this.abort;
    let pause = firstPauseMs;
    await Promise.resolve();
    while (!signal.aborted) {
      if (this.queue.length === 0 || !mayRead()) {
        await this.pause();
        continue;
      }
      const batch: BusBatch = { topic, partition, records: this.take(), signal };
      try {
        this.busySince = performance.now();
        if (batch.records.length > 0) await handle(batch);
        pause = firstPauseMs;
      } catch (error) {
        if (failed(error, batch) === 'again') {
          this.busySince = 0;
          await this.pause(pause);
          pause = Math.min(2 * pause, lastPauseMs);
          continue;
        }
      } finally {
        this.busySince = 0;
      }
      const wasFull = this.full;
      this.drop(batch.records.length);
      done(this.position);
      if (wasFull && !this.full) drained();
    }
    this.queue = [];
    this.buffered = 0;
  }
}
