import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { isTooLarge, maxRecordBytes, type BusRecord, type OutRecord } from '../bus.ts';
import { isTransient } from '../transient.ts';
import type { Slot, TailMemory } from './postgres.slot.ts';

const maxBatchRecords = 2_000;
const maxBatchBytes = 4_194_304;

interface Call {
  deadline: number;
  /** Pieces that are not stored yet. */
  open: number;
  failed: boolean;
  resolve(): void;
  reject(error: Error): void;
}

interface Piece {
  call: Call;
  slots: Slot[];
  records: OutRecord[];
  bytes: number;
  /** Sent alone because a piece of its batch was refused. */
  alone: boolean;
}

export interface AppendOptions {
  pool: pg.Pool;
  memory: TailMemory;
  deadlineMs: number;
  queueBytes: number;
}

/**
 * Writes records in batches, one append at a time; records published meanwhile form the next batch. After a lost
 * connection the append is sent again with its number, by which the log knows whether it was stored.
 */
export class Appender {
  private readonly options: AppendOptions;
  private readonly writer = randomUUID();
  private seq = 0;
  private queue: Piece[] = [];
  private queuedBytes = 0;
  private running: Promise<void> | undefined;
  private closed = false;

  constructor(options: AppendOptions) {
    this.options = options;
  }

  /** Publishes records. Rejects after the deadline, although the records may be stored. */
  publish(records: readonly OutRecord[], slotOf: (record: OutRecord) => Slot): Promise<void> {
    if (this.closed) return Promise.reject(new Error('the bus is closed'));
    if (records.length === 0) return Promise.resolve();
    return new Promise<void>((resolve, reject) => {
      const call: Call = {
        deadline: performance.now() + this.options.deadlineMs,
        open: 0,
        failed: false,
        resolve,
        reject,
      };
      const pieces = this.cut(call, records, slotOf);
      const bytes = pieces.reduce((sum, p) => sum + p.bytes, 0);
      if (this.queuedBytes + bytes > this.options.queueBytes)
        throw new Error('the bus does not take more: its database is away or too slow');
      call.open = pieces.length;
      this.queuedBytes += bytes;
      this.queue.push(...pieces);
      this.running ??= Promise.resolve().then(() => this.run());
    });
  }

  /** Accepts nothing more and waits for accepted records. */
  async close(): Promise<void> {
    this.closed = true;
    await this.running;
  }

  private cut(call: Call, records: readonly OutRecord[], slotOf: (record: OutRecord) => Slot): Piece[] {
    const pieces: Piece[] = [];
    let piece: Piece | undefined;
    for (const record of records) {
      const bytes = 2 * record.key.length + (record.value?.length ?? 0) + 200;
      if (isTooLarge(record)) throw new Error(`a record of ${record.topic} is larger than ${maxRecordBytes} bytes`);
      if (record.key.includes('\0') || record.value?.includes('\0'))
        throw new Error(`a record of ${record.topic} holds a NUL character`);
      if (!piece || piece.records.length >= maxBatchRecords || piece.bytes + bytes > maxBatchBytes) {
        piece = { call, slots: [], records: [], bytes: 0, alone: false };
        pieces.push(piece);
      }
      piece.slots.push(slotOf(record));
      piece.records.push({ topic: record.topic, key: record.key, headers: { ...record.headers }, value: record.value });
      piece.bytes += bytes;
    }
    return pieces;
  }

  private async run(): Promise<void> {
    while (this.queue.length > 0) {
      const batch = this.take();
      if (batch.length > 0) await this.store(batch);
    }
    this.running = undefined;
  }

  private take(): Piece[] {
    const batch: Piece[] = [];
    let records = 0;
    let bytes = 0;
    while (this.queue.length > 0) {
      const next = this.queue[0]!;
      if (
        batch.length > 0 &&
        (next.alone ||
          batch[0]!.alone ||
          records + next.records.length > maxBatchRecords ||
          bytes + next.bytes > maxBatchBytes)
      )
        break;
      this.queue.shift();
      this.queuedBytes -= next.bytes;
      if (next.call.failed) continue;
      if (performance.now() > next.call.deadline) {
        this.fail(next, new Error('the bus did not store the records in time'));
        continue;
      }
      batch.push(next);
      records += next.records.length;
      bytes += next.bytes;
    }
    return batch;
  }

  private fail(piece: Piece, error: Error): void {
    if (piece.call.failed) return;
    piece.call.failed = true;
    piece.call.reject(error);
  }

  private async store(batch: Piece[]): Promise<void> {
    const append = statement(batch);
    this.seq += 1;
    for (let pause = 20; ; pause = Math.min(2 * pause, 1_000)) {
      try {
        const { rows } = await this.options.pool.query<{ result: { at: number; bases: number[] } | null }>(
          'select append($1, $2, $3, $4, $5, $6, $7, $8, $9) as result',
          [this.writer, this.seq, ...append.values],
        );
        const result = rows[0]!.result;
        if (!result) throw new Error('the append was overtaken'); // cannot happen: numbers only rise in this process
        this.stored(batch, append, result);
        return;
      } catch (error) {
        if (!isTransient(error)) {
          if (batch.length === 1) this.fail(batch[0]!, error as Error);
          else this.again(batch);
          return;
        }
        for (const piece of batch) if (performance.now() > piece.call.deadline) this.fail(piece, error as Error);
        // the next number fences this append, in case it is still in flight
        if (batch.every((p) => p.call.failed)) return;
        await new Promise((resolve) => {
          setTimeout(resolve, pause);
        });
      }
    }
  }

  /** Sends each piece of a refused batch alone, in order. */
  private again(batch: Piece[]): void {
    for (const piece of batch) {
      piece.alone = true;
      this.queuedBytes += piece.bytes;
    }
    this.queue.unshift(...batch);
  }

  private stored(batch: Piece[], append: Append, { at, bases }: { at: number; bases: number[] }): void {
    append.slots.forEach((slot, index) => {
      const base = bases[index]!;
      const group = append.groups[index]!;
      if (slot.readers.size > 0) {
        const records = group.records.map((r, nth): BusRecord => ({
          ...r,
          partition: slot.partition,
          offset: BigInt(base + nth),
          timestamp: at,
        }));
        this.options.memory.push(slot.tail, base, records, group.bytes);
      }
      slot.advance(base + group.records.length);
    });
    for (const piece of batch) {
      piece.call.open -= 1;
      if (piece.call.open === 0 && !piece.call.failed) piece.call.resolve();
    }
  }
}

interface Append {
  slots: Slot[];
  groups: { records: OutRecord[]; bytes: number }[];
  values: unknown[];
}

function statement(batch: Piece[]): Append {
  const index = new Map<Slot, number>();
  const slots: Slot[] = [];
  const groups: { records: OutRecord[]; bytes: number }[] = [];
  const [at, nth, keys, headers, values]: [number[], number[], string[], string[], (string | null)[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  for (const piece of batch) {
    piece.records.forEach((record, n) => {
      const slot = piece.slots[n]!;
      let i = index.get(slot);
      if (i === undefined) {
        i = slots.push(slot) - 1;
        index.set(slot, i);
        groups.push({ records: [], bytes: 0 });
      }
      const group = groups[i]!;
      at.push(i + 1);
      nth.push(group.records.length);
      keys.push(record.key);
      headers.push(JSON.stringify(record.headers));
      values.push(record.value);
      group.records.push(record);
      group.bytes += record.key.length + (record.value?.length ?? 0) + 300;
    });
  }
  return {
    slots,
    groups,
    values: [slots.map((s) => s.id), groups.map((g) => g.records.length), at, nth, keys, headers, values],
  };
}
