/**
 * The bus: Kafka's semantics as an interface that a log in PostgreSQL also implements. A driver guarantees exactly what
 * `bus.suite.ts` in libs/testing checks:
 * - `publish` resolves when the records are stored, without waiting for consumers; two consecutive calls of one caller
 * keep their order per key; a rejected call may have stored some of its records.
 * - A group's handler receives the records of one partition in order, and the next batch only after the last resolved.
 * A batch whose handler rejects, or whose process dies, is delivered again from its first record (at least once). No
 * two members of a group work on one partition at a time.
 * - A fan-out handler receives every record in each process, in order per partition, without a stored position.
 */
/** Most bytes of key and value of a record together: Kafka's own limit. Larger records are refused at once. */
export const maxRecordBytes = 1_000_000;

export function isTooLarge({ key, value }: Pick<OutRecord, 'key' | 'value'>): boolean {
  const characters = key.length + (value?.length ?? 0);
  return 3 * characters > maxRecordBytes && Buffer.byteLength(key) + Buffer.byteLength(value ?? '') > maxRecordBytes;
}

export interface OutRecord {
  topic: string;
  /** Records are ordered per key; the key selects the partition. */
  key: string;
  headers: Record<string, string>;
  /** UTF-8 JSON, or null for a tombstone of a compacted topic. */
  value: string | null;
}

export interface BusRecord extends OutRecord {
  partition: number;
  /** Rises within a partition; gaps are allowed. */
  offset: bigint;
  /** When it was stored, Unix time in milliseconds. */
  timestamp: number;
}

export interface BusBatch {
  topic: string;
  partition: number;
  records: readonly BusRecord[];
  /**
   * Aborted when the partition is revoked or the consumer closes: stop early, the batch is delivered again elsewhere.
   */
  signal: AbortSignal;
}

export interface Consumer {
  /** Stops taking records, waits for running handlers and releases the partitions. */
  close(): Promise<void>;
}

export interface GroupOptions {
  group: string;
  topics: readonly string[];
  /** Most records per batch; 500 when absent. */
  maxBatch?: number;
  /**
   * Resolving stores the position behind the batch. After a rejection the batch is delivered again, with a pause that
   * grows to 5 s.
   */
  handle(batch: BusBatch): Promise<void>;
}

export interface FanoutOptions {
  topics: readonly string[];
  /** `start`: all retained records (a compacted topic's state); `end`: new records only. */
  from: 'start' | 'end';
  /** A rejection is logged and the batch skipped: a fan-out copy is rebuilt at the next start. */
  handle(batch: BusBatch): Promise<void> | void;
}

export interface FanoutConsumer extends Consumer {
  /** Resolves when all records stored at the subscription have been handled. */
  readonly caughtUp: Promise<void>;
  /** Unix time in milliseconds at which the feed was last known to be complete: a stale feed must not be trusted. */
  confirmedAt(): number;
}

export interface TopicSpec {
  name: string;
  partitions: number;
  cleanup: 'compact' | 'delete';
  retentionMs?: number;
}

export interface Lag {
  group: string;
  topic: string;
  partition: number;
  lag: number;
}

/** A disk that stores the bus. */
export interface Disk {
  name: string;
  freeBytes: number;
  totalBytes: number;
}

export interface Bus {
  /** Creates missing topics; never changes an existing one. */
  ensureTopics(topics: readonly TopicSpec[]): Promise<void>;
  publish(records: readonly OutRecord[]): Promise<void>;
  group(options: GroupOptions): Promise<Consumer>;
  fanout(options: FanoutOptions): Promise<FanoutConsumer>;
  /** Unhandled records, by group and partition. */
  lag(): Promise<Lag[]>;
  /** Its disks, if known: Kafka's brokers report them, PostgreSQL does not. */
  disks(): Promise<Disk[]>;
  /** Returns whether it can be written to now. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}
