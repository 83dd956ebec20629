import type { BusRecord } from '../bus.ts';

interface Chunk {
  tail: Tail;
  base: number;
  records: readonly BusRecord[];
  bytes: number;
}

/** Recent records of one slot, without gaps: consumers in this process read them from here instead of the table. */
export class Tail {
  chunks: Chunk[] = [];
  /** Offset behind the newest held record. */
  to = 0;

  /** Returns records from `pos` on, at most `max`; undefined when some of them are not held. */
  read(pos: number, max: number): readonly BusRecord[] | undefined {
    const first = this.chunks[0];
    if (!first || pos < first.base || pos >= this.to) return undefined;
    let at = this.chunks.length - 1;
    while (this.chunks[at]!.base > pos) at -= 1;
    const chunk = this.chunks[at]!;
    const part = chunk.records.slice(pos - chunk.base, pos - chunk.base + max);
    while (part.length < max && ++at < this.chunks.length)
      part.push(...this.chunks[at]!.records.slice(0, max - part.length));
    return part;
  }
}

/** Bounds the memory of all tails; evicts the oldest. */
export class TailMemory {
  private readonly limit: number;
  private chunks: Chunk[] = [];
  private head = 0;
  private bytes = 0;

  constructor(limitBytes: number) {
    this.limit = limitBytes;
  }

  push(tail: Tail, base: number, records: readonly BusRecord[], bytes: number): void {
    if (base !== tail.to) this.drop(tail); // another process wrote in between: the gap is read from the table
    const chunk = { tail, base, records, bytes };
    tail.chunks.push(chunk);
    tail.to = base + records.length;
    this.chunks.push(chunk);
    this.bytes += bytes;
    while (this.bytes > this.limit && this.head < this.chunks.length) {
      const oldest = this.chunks[this.head++]!;
      this.bytes -= oldest.bytes;
      if (oldest.tail.chunks[0] === oldest) oldest.tail.chunks.shift();
    }
    if (this.head > 1_000) {
      this.chunks = this.chunks.slice(this.head);
      this.head = 0;
    }
  }

  /** Drops a slot that has no reader in this process. */
  drop(tail: Tail): void {
    for (const chunk of tail.chunks) {
      this.bytes -= chunk.bytes;
      chunk.bytes = 0;
      chunk.records = [];
    }
    tail.chunks = [];
  }
}

/** One partition of one topic, as this process knows it. */
export class Slot {
  readonly id: number;
  readonly topic: string;
  readonly topicId: number;
  readonly partition: number;
  readonly tail = new Tail();
  /** Every record below is committed. */
  end = 0;
  readonly readers = new Set<{ wake(): void }>();

  constructor(id: number, topic: string, topicId: number, partition: number) {
    this.id = id;
    this.topic = topic;
    this.topicId = topicId;
    this.partition = partition;
  }

  advance(end: number): void {
    if (end <= this.end) return;
    this.end = end;
    for (const reader of this.readers) reader.wake();
  }
}

/** Returns the FNV-1a hash of a key, which selects its partition and must never change. */
export function hashKey(key: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < key.length; i += 1) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193);
  h ^= h >>> 15;
  return h >>> 0;
}
