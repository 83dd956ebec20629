import type { BusBatch, BusRecord } from '../bus.ts';
import type { Slot } from './postgres.slot.ts';

export interface ReaderOptions {
  slot: Slot;
  /** Offset of the first record to read. */
  from: number;
  maxBatch: number;
  /** Reads the table when the records are not in memory. */
  load(slot: Slot, from: number, max: number): Promise<BusRecord[]>;
  /** False while this process may have lost the partition. */
  mayRead(): boolean;
  handle(batch: BusBatch): Promise<void> | void;
  /** Called when everything below the position is handled. */
  done(position: number): void;
  /** Called after a rejection; the batch is delivered again unless it returns `skip`. */
  failed(error: unknown, batch: BusBatch | undefined): 'again' | 'skip';
}

const firstPauseMs = 100;
const lastPauseMs = 5_000;

/** Processes one slot in batches until it is stopped. */
export class Reader {
  position: number;
  private readonly options: ReaderOptions;
  private readonly abort = new AbortController();
  private wakeUp: (() => void) | undefined;
  private readonly ended: Promise<void>;

  constructor(options: ReaderOptions) {
    this.options = options;
    this.position = options.from;
    options.slot.readers.add(this);
    this.ended = this.run().finally(() => options.slot.readers.delete(this));
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
    if (this.abort.signal.aborted) return Promise.resolve();
    return new Promise<void>((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.wakeUp =
        ms === undefined
          ? resolve
          : () => {
              if (this.abort.signal.aborted) {
                clearTimeout(timer);
                resolve();
              }
            };
    });
  }

  private async next(): Promise<readonly BusRecord[]> {
    const { slot, maxBatch, load } = this.options;
    const cached = slot.tail.read(this.position, maxBatch);
    if (cached) return cached;
    const end = slot.end;
    const records = await load(slot, this.position, maxBatch);
    // Everything below `end` was already committed: missing records were cleaned up.
    if (records.length === 0) this.position = Math.max(this.position, end);
    return records;
  }

  private async run(): Promise<void> {
    const { slot, handle, done, failed, mayRead } = this.options;
    const { signal } = this.abort;
    let pause = firstPauseMs;
    await Promise.resolve();
    while (!signal.aborted) {
      if (this.position >= slot.end || !mayRead()) {
        await this.pause();
        continue;
      }
      let batch: BusBatch | undefined;
      try {
        const records = await this.next();
        if (signal.aborted) return;
        if (records.length > 0) {
          if (!mayRead()) continue;
          batch = { topic: slot.topic, partition: slot.partition, records, signal };
          await handle(batch);
          this.position = Number(records.at(-1)!.offset) + 1;
        }
        pause = firstPauseMs;
        done(this.position);
      } catch (error) {
        if (failed(error, batch) === 'skip' && batch) {
          this.position = Number(batch.records.at(-1)!.offset) + 1;
          done(this.position);
        } else {
          await this.pause(pause);
          pause = Math.min(2 * pause, lastPauseMs);
        }
      }
    }
  }
}
