import { createLogger } from '@carillon/observability';
import type { BusRecord, FanoutConsumer, FanoutOptions } from '../bus.ts';
import type { KafkaClient } from './kafka.client.ts';
import { KafkaFetcher } from './kafka.fetcher.ts';
import { KafkaReader } from './kafka.reader.ts';

const log = createLogger('bus');

export interface Start {
  topic: string;
  partition: number;
  from: number;
  end: number;
}

/** A process's own copy of a feed: every record, without a stored position. */
export class KafkaFanout implements FanoutConsumer {
  readonly caughtUp: Promise<void>;
  private readonly readers: KafkaReader[];
  private readonly fetcher: KafkaFetcher;
  private initial: readonly Start[] | undefined;
  /** For each reader, when all records of the partition were last known to be handled. */
  private readonly complete: number[];
  private atStart!: () => void;
  private ended!: (error: Error) => void;
  private readonly onClose: (self: KafkaFanout) => void;
  private closing: Promise<void> | undefined;

  /** `starts`: where to begin, and the current end; read at `at`. */
  constructor(
    client: KafkaClient,
    options: FanoutOptions,
    starts: readonly Start[],
    at: number,
    plain: (topic: string) => string,
    onClose: (self: KafkaFanout) => void,
  ) {
    this.onClose = onClose;
    this.caughtUp = new Promise((resolve, reject) => {
      this.atStart = resolve;
      this.ended = reject;
    });
    this.caughtUp.catch(() => undefined);
    this.initial = starts;
    this.complete = starts.map((s) => (s.from >= s.end ? at : 0));
    this.fetcher = new KafkaFetcher(client, 500, () => this.check());
    this.readers = starts.map(({ topic, partition, from }) => {
      const name = plain(topic);
      const named = (records: readonly BusRecord[]): readonly BusRecord[] =>
        name === topic ? records : records.map((r) => ({ ...r, topic: name }));
      return new KafkaReader({
        topic,
        partition,
        from,
        maxBatch: 500,
        mayRead: () => true,
        drained: () => this.fetcher.wake(),
        done: () => this.check(),
        handle: (batch) => options.handle({ ...batch, topic: name, records: named(batch.records) }),
        failed: (error, batch) => {
          log.error(
            {
              topic: name,
              partition,
              offset: batch.records[0]?.offset.toString(),
              error: error instanceof Error ? error.message : String(error),
            },
            'fan-out batch skipped',
          );
          return 'skip';
        },
      });
    });
    for (const reader of this.readers) this.fetcher.add(reader);
    this.check();
  }

  confirmedAt(): number {
    return this.initial ? 0 : Math.min(...this.complete);
  }

  close(): Promise<void> {
    return (this.closing ??= (async () => {
      await Promise.all([...this.readers.map((r) => r.stop()), this.fetcher.close()]);
      this.ended(new Error('the consumer was closed before it had caught up'));
      this.onClose(this);
    })());
  }

  private check(): void {
    this.readers.forEach((r, i) => {
      if (r.endAt > 0 && r.position >= r.end) this.complete[i] = Math.max(this.complete[i]!, r.endAt);
    });
    if (this.initial?.every((s, i) => this.readers[i]!.position >= s.end)) {
      this.initial = undefined;
      this.atStart();
    }
  }
}
