import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus, OutRecord } from '@carillon/messaging';
import { Broken } from '../codec/broken.ts';
import type { Log } from '../log.ts';

/** Failures of a batch before its parts are tried separately. */
const attemptsBeforeSplitting = 4;

interface Entry {
  /** Null: nothing to store, but its answer keeps its place in the order (MQTT-4.6.0-2). */
  record: OutRecord | null;
  stored: ((error?: Error | null) => void) | null;
  bytes: number;
}

/**
 * Passes the messages of all devices to the bus: one publish in flight and one gathering, so everything keeps its order
 * and is answered after it is stored (GW-02). A failed publish is retried with the same records in the same order until
 * it is stored; meanwhile answers wait and nothing is lost.
 */
export class Uplink {
  /** Bytes gathered or in flight. */
  bytes = 0;
  storedRecords = 0;
  failures = 0;
  /** Unix time in milliseconds since which publishing fails, or null. */
  failingSince: number | null = null;
  private queue: Entry[] = [];
  private inFlight = 0;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(
    private readonly bus: Bus,
    private readonly settings: { uplinkBatch: number; uplinkBatchBytes: number; gatherMs: number },
    private readonly clock: { now(): number },
    private readonly log: Log,
    /** By default there is always room. */
    private readonly disks: { readonly full: { readonly name: string } | undefined } = { full: undefined },
  ) {}

  get size(): number {
    return this.queue.length + this.inFlight;
  }

  add(record: OutRecord | null, stored: Entry['stored']): void {
    if (this.stopped) return;
    const bytes = record === null ? 0 : record.value!.length + 256;
    this.bytes += bytes;
    this.queue.push({ record, stored, bytes });
    if (this.timer === null && this.inFlight === 0) this.timer = setTimeout(() => this.send(), this.settings.gatherMs);
    else if (this.inFlight === 0 && this.queue.length === this.settings.uplinkBatch) this.send();
  }

  /** Resolves when everything added until now is stored; never after `stop`. */
  whenStored(): Promise<void> {
    return this.size === 0 ? Promise.resolve() : new Promise((resolve) => this.add(null, () => resolve()));
  }

  /** Gives up what is not stored: its devices get no answer and send it again. */
  stop(): void {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.queue = [];
  }

  private send(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.inFlight > 0 || this.queue.length === 0) return;
    const batch = this.nextBatch();
    this.inFlight = batch.length;
    void this.store(batch).then(() => {
      this.inFlight = 0;
      this.send();
    });
  }

  /** Returns the head of the queue, as much as fits into one publish. */
  private nextBatch(): Entry[] {
    const { uplinkBatch, uplinkBatchBytes } = this.settings;
    let n = 0;
    for (let bytes = 0; n < this.queue.length && n < uplinkBatch; n++) {
      bytes += this.queue[n]!.bytes;
      if (n > 0 && bytes > uplinkBatchBytes) break;
    }
    const batch = n === this.queue.length ? this.queue : this.queue.slice(0, n);
    this.queue = n === this.queue.length ? [] : this.queue.slice(n);
    return batch;
  }

  /**
   * Stores entries and answers them, in order. Entries that keep failing on a healthy bus are split down to the one
   * message that it does not accept. That one is refused and its device closed without an acknowledgement, so that it
   * cannot block all others. Presence, which no device sent, is never given up.
   */
  private async store(entries: readonly Entry[]): Promise<void> {
    const records = entries.flatMap((entry) => entry.record ?? []);
    for (let attempt = 1; records.length > 0; attempt++) {
      await this.whenRoom();
      if (this.stopped) return;
      if (await this.tryPublish(records)) break;
      if (this.stopped) return;
      await sleep(Math.min(100 * 2 ** (attempt - 1), 5_000), undefined, { ref: false });
      if (this.stopped) return;
      if (attempt < attemptsBeforeSplitting || !(await this.bus.healthy().catch(() => false))) continue;
      if (entries.length > 1) {
        const half = Math.ceil(entries.length / 2);
        await this.store(entries.slice(0, half));
        return this.store(entries.slice(half));
      }
      if (entries[0]!.stored !== null) return this.answer(entries, new Error('the bus refuses it'));
    }
    this.storedRecords += records.length;
    if (!this.stopped) this.answer(entries, null);
  }

  /** Waits while the disk has only its reserve left: what is not stored is not acknowledged. */
  private async whenRoom(): Promise<void> {
    while (this.disks.full !== undefined && !this.stopped) {
      this.failingSince ??= this.clock.now();
      await sleep(250, undefined, { ref: false });
    }
  }

  private async tryPublish(records: readonly OutRecord[]): Promise<boolean> {
    try {
      await this.bus.publish(records);
      if (this.failingSince !== null)
        this.log.info({ failedForMs: this.clock.now() - this.failingSince }, 'bus takes messages again');
      this.failingSince = null;
      return true;
    } catch (error) {
      this.failures++;
      if (this.failingSince === null)
        this.log.error({ err: error, records: records.length }, 'bus did not take messages, acknowledgements are held');
      this.failingSince ??= this.clock.now();
      return false;
    }
  }

  private answer(entries: readonly Entry[], error: Error | null): void {
    if (error !== null)
      this.log.error(
        { topic: entries[0]!.record!.topic, key: entries[0]!.record!.key },
        'message refused by the bus, its device is closed',
      );
    for (const entry of entries) {
      this.bytes -= entry.bytes;
      entry.stored?.(error === null ? null : new Broken('unstorable'));
    }
  }
}
