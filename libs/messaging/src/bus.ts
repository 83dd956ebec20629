/**
 * The bus: what Kafka gives, as an interface that a log in PostgreSQL gives too. A driver promises exactly what
 * `bus.suite.ts` in libs/testing checks, and nothing else may be relied on:
 * - `publish` resolves when the records are stored and never waits for a consumer; two calls that one caller makes one
 *   after the other keep their order per key; a call that rejects may have stored some of its records.
 * - A group's handler gets the records of one partition in order, the next batch only after the last resolved; a batch
 *   whose handler rejects, or whose process died, comes again from its first record (at least once). No two members of
 *   a group work on one partition at a time.
 * - A fan-out handler gets every record in each process, in order per partition, with no stored position.
 */
/** Key and value of a record may have so many bytes together: Kafka's own limit. More is refused at once. */
export const maxRecordBytes = 1_000_000;

export function isTooLarge({ key, value }: Pick<OutRecord, 'key' | 'value'>): boolean {
  const characters = key.length + (value?.length ?? 0);
  return 3 * characters > maxRecordBytes && Buffer.byteLength(key) + Buffer.byteLength(value ?? '') > maxRecordBytes;
}

export interface OutRecord {
  topic: string;
  /** The order is kept per key; it picks the partition. */
  key: string;
  headers: Record<string, string>;
  /** UTF-8 JSON, or null as a tombstone of a compacted topic. */
  value: string | null;
}

export interface BusRecord extends OutRecord {
  partition: number;
  /** Rises within a partition; gaps are allowed. */
  offset: bigint;
  /** Epoch milliseconds when it was stored. */
  timestamp: number;
}

export interface BusBatch {
  topic: string;
  partition: number;
  records: readonly BusRecord[];
  /** Aborted when the partition is taken away or the consumer closes: stop early, the batch comes again elsewhere. */
  signal: AbortSignal;
}

export interface Consumer {
  /** Stops taking records, waits for running handlers, releases the partitions. */
  close(): Promise<void>;
}

export interface GroupOptions {
  group: string;
  topics: readonly string[];
  /** At most this many records a batch; 500 when absent. */
  maxBatch?: number;
  /**
   * Resolve: the position is stored behind the batch. Reject: the batch comes again after a pause that grows to 5 s.
   */
  handle(batch: BusBatch): Promise<void>;
}

export interface FanoutOptions {
  topics: readonly string[];
  /** `start`: everything that is kept (a compacted topic's state); `end`: only what comes from now on. */
  from: 'start' | 'end';
  /** A rejection is logged and the batch skipped: a fan-out copy is rebuilt at the next start. */
  handle(batch: BusBatch): Promise<void> | void;
}

export interface FanoutConsumer extends Consumer {
  /** Resolves when all that was stored at subscription has been handled. */
  readonly caughtUp: Promise<void>;
  /**
   * Epoch milliseconds at which the feed was last known to be complete: a stale one must not be trusted.
   */
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

/** A disk that the bus stores on. */
export interface Disk {
  name: string;
  freeBytes: number;
  totalBytes: number;
}

export interface Bus {
  /** Creates what is missing; never changes a topic that exists. */
  ensureTopics(topics: readonly TopicSpec[]): Promise<void>;
  publish(records: readonly OutRecord[]): Promise<void>;
  group(options: GroupOptions): Promise<Consumer>;
  fanout(options: FanoutOptions): Promise<FanoutConsumer>;
  /** Records behind, by group and partition. */
  lag(): Promise<Lag[]>;
  /** Its disks, as far as it tells: Kafka's brokers do, PostgreSQL has no word for it. */
  disks(): Promise<Disk[]>;
  /** Whether it can be written to now. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}
