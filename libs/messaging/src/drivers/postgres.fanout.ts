import { createLogger } from '@carillon/observability';
import type { BusRecord, FanoutConsumer, FanoutOptions } from '../bus.ts';
import { Reader } from './postgres.reader.ts';
import type { Slot } from './postgres.slot.ts';

const log = createLogger('bus');

/** A process's own copy of a feed: every record, without a stored position. */
export class Fanout implements FanoutConsumer {
  readonly caughtUp: Promise<void>;
  readonly slots: readonly Slot[];
  private readonly readers: Reader[];
  private confirmed = 0;
  /** Ends of the slots at a time; the feed is complete up to it when every reader has reached them. */
  private pending: { at: number; ends: number[] } | undefined;
  private initial: number[] | undefined;
  private atStart!: () => void;
  private ended!: (error: Error) => void;
  private readonly onClose: (self: Fanout) => void;

  /** `ends`: the stored ends, read from the database at `at`. */
  constructor(
    options: FanoutOptions,
    slots: readonly Slot[],
    ends: number[],
    at: number,
    load: (slot: Slot, from: number, max: number) => Promise<BusRecord[]>,
    onClose: (self: Fanout) => void,
  ) {
    this.slots = slots;
    this.onClose = onClose;
    this.caughtUp = new Promise((resolve, reject) => {
      this.atStart = resolve;
      this.ended = reject;
    });
    this.caughtUp.catch(() => undefined);
    this.initial = ends;
    this.pending = { at, ends };
    this.readers = slots.map(
      (slot, i) =>
        new Reader({
          slot,
          from: options.from === 'end' ? ends[i]! : 0,
          maxBatch: 500,
          load,
          mayRead: () => true,
          handle: options.handle,
          done: () => this.check(),
          failed: (error, batch) => {
            const message = error instanceof Error ? error.message : String(error);
            log.error(
              {
                topic: slot.topic,
                partition: slot.partition,
                offset: batch?.records[0]?.offset.toString(),
                error: message,
              },
              batch ? 'fan-out batch skipped' : 'log not readable',
            );
            return 'skip';
          },
        }),
    );
    this.check();
  }

  confirmedAt(): number {
    return this.confirmed;
  }

  /** Records the ends of all slots, as read at `at` (Unix time in milliseconds, before the query). */
  seen(at: number): void {
    this.pending ??= { at, ends: [] };
    this.pending = { at, ends: this.slots.map((s) => s.end) };
    this.check();
  }

  async close(): Promise<void> {
    await Promise.all(this.readers.map((r) => r.stop()));
    this.ended(new Error('the consumer was closed before it had caught up'));
    this.onClose(this);
  }

  private reached(ends: readonly number[]): boolean {
    return ends.every((end, i) => this.readers[i]!.position >= end);
  }

  private check(): void {
    if (this.initial && this.reached(this.initial)) {
      this.initial = undefined;
      this.atStart();
    }
    if (this.pending && this.reached(this.pending.ends)) {
      this.confirmed = Math.max(this.confirmed, this.pending.at);
      this.pending = undefined;
    }
  }
}
