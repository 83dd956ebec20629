import { createLogger } from '@carillon/observability';
import { isTooLarge, maxRecordBytes, type OutRecord } from '../bus.ts';
import type { KafkaClient } from './kafka.client.ts';
import { code, encode, type EncodedRecord, type ProducerId } from './kafka.protocol.ts';

/**
 * Keeps a batch below the broker's `message.max.bytes` (1,048,588), into which one record of the largest size fits with
 * its headers.
 */
const maxBatchBytes = 900_000;
const maxBatchRecords = 2_000;
const maxRequestBytes = 4_194_304;
const log = createLogger('bus');

interface Call {
  deadline: number;
  /** Records that are not stored yet. */
  open: number;
  failed: boolean;
  resolve(): void;
  reject(error: Error): void;
}

interface Waiting {
  call: Call;
  record: EncodedRecord;
}

/** Records for one partition, in order. The head is in flight or next; nothing overtakes it. */
interface Lane {
  topic: string;
  partition: number;
  queue: Waiting[];
  /**
   * Cut from the front of the queue and resent unchanged until the result is known: only then the broker recognizes a
   * duplicate.
   */
  head: Waiting[] | undefined;
  /** The head was sent at least once, and its result is unknown. */
  uncertain: boolean;
  busy: boolean;
  /** Size of the next batch: halved when the broker refuses one as too large. */
  most: number;
  producer: ProducerId;
  sequence: number;
}

export interface AppendOptions {
  client: KafkaClient;
  deadlineMs: number;
  queueBytes: number;
}

const permanent = new Set<number>([
  code.invalidRecord,
  code.corruptMessage,
  code.topicAuthorization,
  code.policyViolation,
]);

/**
 * Writes records. Each partition has one numbered batch in flight, so that the broker stores it once and in order,
 * however often it is sent. A batch that is given up without an answer may still be stored: raising the partition's
 * epoch makes the broker refuse its remains once the next batch arrives.
 */
export class KafkaAppender {
  private readonly options: AppendOptions;
  private readonly lanes = new Map<string, Lane>();
  private readonly leadersBusy = new Set<number>();
  private producer: Promise<ProducerId> | undefined;
  private queuedBytes = 0;
  private closed = false;
  private ended: (() => void) | undefined;
  private scheduled = false;
  private retry: NodeJS.Timeout | undefined;
  private pause = 20;
  /** Recurring failures are logged every 5 s at most. */
  private quietUntil = 0;

  constructor(options: AppendOptions) {
    this.options = options;
  }

  publish(
    records: readonly OutRecord[],
    partitionOf: (record: OutRecord) => number,
    deadline = performance.now() + this.options.deadlineMs,
  ): Promise<void> {
    if (this.closed) return Promise.reject(new Error('the bus is closed'));
    if (records.length === 0) return Promise.resolve();
    return new Promise<void>((resolve, reject) => {
      for (const record of records)
        if (isTooLarge(record)) throw new Error(`a record of ${record.topic} is larger than ${maxRecordBytes} bytes`);
      const call: Call = { deadline, open: records.length, failed: false, resolve, reject };
      const waiting = records.map((record): Waiting => ({ call, record: encode(record) }));
      const bytes = waiting.reduce((sum, w) => sum + w.record.bytes, 0);
      if (this.queuedBytes + bytes > this.options.queueBytes)
        throw new Error('the bus does not take more: its brokers are away or too slow');
      this.queuedBytes += bytes;
      waiting.forEach((w, i) => this.lane(records[i]!.topic, partitionOf(records[i]!)).queue.push(w));
      this.soon();
    });
  }

  /** How long the oldest record has been waiting, ms; 0 when none waits. */
  get waitingMs(): number {
    const oldest = [...this.lanes.values()]
      .flatMap((l) => (l.head ?? l.queue).slice(0, 1))
      .map((w) => w.call.deadline - this.options.deadlineMs);
    return oldest.length === 0 ? 0 : performance.now() - Math.min(...oldest);
  }

  /** Accepts nothing more and waits for accepted records. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.queuedBytes > 0)
      await new Promise<void>((resolve) => {
        this.ended = resolve;
      });
    clearTimeout(this.retry);
  }

  private lane(topic: string, partition: number): Lane {
    const name = `${topic} ${partition}`;
    let lane = this.lanes.get(name);
    if (!lane)
      this.lanes.set(
        name,
        (lane = {
          topic,
          partition,
          queue: [],
          head: undefined,
          uncertain: false,
          busy: false,
          most: maxBatchRecords,
          producer: { id: -1n, epoch: 0 },
          sequence: 0,
        }),
      );
    return lane;
  }

  /** Records published in the same turn are sent together. */
  private soon(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      this.send();
    });
  }

  private later(): void {
    this.retry ??= setTimeout(() => {
      this.retry = undefined;
      this.options.client
        .refresh()
        .catch(() => undefined)
        .finally(() => this.send());
    }, this.pause);
    this.pause = Math.min(2 * this.pause, 1_000);
  }

  private settle(waiting: Waiting, error?: Error): void {
    const { call, record } = waiting;
    this.queuedBytes -= record.bytes;
    if (error && !call.failed) {
      call.failed = true;
      call.reject(error);
    }
    call.open -= 1;
    if (call.open === 0 && !call.failed) call.resolve();
    if (this.queuedBytes === 0) this.ended?.();
  }

  /** Drops expired records, and cuts the next batch. */
  private cut(lane: Lane): void {
    const now = performance.now();
    if (lane.head?.some((w) => w.call.deadline <= now))
      this.giveUp(lane, new Error('the bus did not store the records in time'), lane.uncertain);
    if (lane.head) return;
    const head: Waiting[] = [];
    let bytes = 0;
    let n = 0;
    for (; n < lane.queue.length && head.length < lane.most; n += 1) {
      const w = lane.queue[n]!;
      if (w.call.failed || w.call.deadline <= now) {
        this.settle(w, new Error('the bus did not store the records in time'));
        continue;
      }
      if (head.length > 0 && bytes + w.record.bytes > maxBatchBytes) break;
      bytes += w.record.bytes;
      head.push(w);
    }
    lane.queue.splice(0, n);
    if (head.length > 0) {
      lane.head = head;
      lane.uncertain = false;
    }
  }

  /** Gives up an expired head. Only the expired records are rejected when none of it can have been stored. */
  private giveUp(lane: Lane, error: Error, uncertain: boolean): void {
    const head = lane.head!;
    lane.head = undefined;
    if (!uncertain) {
      const now = performance.now();
      const late = head.filter((w) => w.call.failed || w.call.deadline <= now);
      lane.queue.unshift(...head.filter((w) => !late.includes(w)));
      for (const w of late) this.settle(w, error);
      return;
    }
    this.raise(lane);
    for (const w of head) this.settle(w, error);
  }

  private raise(lane: Lane): void {
    lane.sequence = 0;
    lane.producer =
      lane.producer.epoch < 32_000 ? { id: lane.producer.id, epoch: lane.producer.epoch + 1 } : { id: -1n, epoch: 0 };
    if (lane.producer.id < 0n) this.producer = undefined;
  }

  private send(): void {
    const byLeader = new Map<number, Lane[]>();
    for (const lane of this.lanes.values()) {
      if (lane.busy || (lane.queue.length === 0 && !lane.head)) continue;
      this.cut(lane);
      if (!lane.head) continue;
      const leader = this.options.client.topics.get(lane.topic)?.leaders[lane.partition] ?? -1;
      if (leader < 0) {
        this.later();
        continue;
      }
      if (!this.leadersBusy.has(leader)) byLeader.set(leader, [...(byLeader.get(leader) ?? []), lane]);
    }
    for (const [leader, lanes] of byLeader) {
      // One request carries one producer id; the other producers are next.
      const { producer } = lanes[0]!;
      const chosen: Lane[] = [];
      let bytes = 0;
      for (const lane of lanes) {
        if (lane.producer.id !== producer.id || lane.producer.epoch !== producer.epoch) continue;
        const size = lane.head!.reduce((sum, w) => sum + w.record.bytes, 0);
        if (chosen.length > 0 && bytes + size > maxRequestBytes) break;
        bytes += size;
        chosen.push(lane);
      }
      for (const lane of chosen) {
        lane.busy = true;
        // Round robin: a served lane goes to the end.
        const name = `${lane.topic} ${lane.partition}`;
        this.lanes.delete(name);
        this.lanes.set(name, lane);
      }
      this.leadersBusy.add(leader);
      void this.store(leader, chosen).finally(() => {
        this.leadersBusy.delete(leader);
        for (const lane of chosen) lane.busy = false;
        this.soon();
      });
    }
  }

  private async store(leader: number, lanes: Lane[]): Promise<void> {
    const { client } = this.options;
    let codes: number[];
    // Deadlines hold whatever the broker does.
    const due = Math.min(...lanes.flatMap((lane) => lane.head!.map((w) => w.call.deadline)));
    const late = setTimeout(() => void client.abandon(leader), Math.max(0, due - performance.now()) + 5);
    try {
      if (lanes[0]!.producer.id < 0n) {
        this.producer ??= client.newProducer();
        const producer = await this.producer.catch((error: unknown) => {
          this.producer = undefined;
          throw error;
        });
        for (const lane of lanes) lane.producer = producer;
      }
      for (const lane of lanes) lane.uncertain = true;
      codes = await client.produce(
        leader,
        lanes[0]!.producer,
        lanes.map((lane) => ({
          topic: lane.topic,
          partition: lane.partition,
          sequence: lane.sequence,
          records: lane.head!.map((w) => w.record),
        })),
      );
    } catch (error) {
      if (performance.now() > this.quietUntil)
        log.warn({ leader, error: (error as Error).message }, 'records are not stored yet');
      if (performance.now() > this.quietUntil) this.quietUntil = performance.now() + 5_000;
      await this.rest();
      return;
    } finally {
      clearTimeout(late);
    }
    let again = false;
    lanes.forEach((lane, i) => {
      again = !this.answered(lane, codes[i]!) || again;
    });
    if (again) await this.rest();
    else this.pause = 20;
  }

  /** Pauses with growing length, then looks leaders up again. */
  private async rest(): Promise<void> {
    await new Promise((resolve) => {
      setTimeout(resolve, this.pause);
    });
    this.pause = Math.min(2 * this.pause, 1_000);
    await this.options.client.refresh().catch(() => undefined);
  }

  /** Processes the result of a batch. Returns whether the next one needs no pause. */
  private answered(lane: Lane, answer: number): boolean {
    const head = lane.head!;
    if (answer === code.none || answer === code.duplicateSequence) {
      lane.head = undefined;
      lane.sequence = (lane.sequence + head.length) % 2_147_483_648;
      lane.most = Math.min(2 * lane.most, maxBatchRecords);
      for (const w of head) this.settle(w);
      return true;
    }
    if ((answer === code.messageTooLarge || answer === code.recordListTooLarge) && head.length > 1) {
      lane.most = head.length >> 1;
      lane.head = undefined;
      lane.queue.unshift(...head);
      return true;
    }
    if (answer === code.messageTooLarge || answer === code.recordListTooLarge || permanent.has(answer)) {
      lane.head = undefined;
      for (const w of head) this.settle(w, new Error(`the bus refused a record of ${lane.topic} (${answer})`));
      return true;
    }
    if ([code.outOfOrderSequence, code.invalidProducerEpoch, code.unknownProducer].some((c) => c === answer)) {
      // The broker forgot this producer id or truncated an older batch: this batch is not stored, and the numbers
      // restart.
      log.warn({ topic: lane.topic, partition: lane.partition, answer }, 'the numbers of a partition begin again');
      this.raise(lane);
    }
    return false;
  }
}
