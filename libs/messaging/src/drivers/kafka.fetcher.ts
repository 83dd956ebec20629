import { createLogger } from '@carillon/observability';
import type { KafkaClient } from './kafka.client.ts';
import { code, type Fetched } from './kafka.protocol.ts';
import type { KafkaReader } from './kafka.reader.ts';

const log = createLogger('bus');
/** Approximate memory of one consumer for records that wait for their handler. */
const budgetBytes = 6_291_456;
const requestBytes = 1_048_576;

let lanes = 0;

/**
 * Fetches records for the readers of one consumer: one fetch at a time to each broker that leads one of their
 * partitions. A full reader is left out until it has room.
 */
export class KafkaFetcher {
  private readonly client: KafkaClient;
  private readonly idleMs: number;
  private lane = String(++lanes);
  private joined = false;
  private readonly readers = new Set<KafkaReader>();
  private readonly running = new Map<number, Promise<void>>();
  private readonly checked: () => void;
  private wakeUp: (() => void)[] = [];
  private closed = false;
  private turn = 0;
  private refreshed = 0;

  /** `checked` is called when the ends of some partitions are known. */
  constructor(client: KafkaClient, idleMs: number, checked: () => void = () => undefined) {
    this.client = client;
    this.idleMs = idleMs;
    this.checked = checked;
  }

  /**
   * Adds a reader. Readers of one turn are fetched together; a waiting fetch is aborted, because the new ones would
   * wait for it.
   */
  add(reader: KafkaReader): void {
    this.readers.add(reader);
    if (this.joined) return;
    this.joined = true;
    queueMicrotask(() => {
      this.joined = false;
      if (this.closed) return;
      if (this.running.size > 0) {
        const before = this.lane;
        this.lane = String(++lanes);
        void this.client.release(`fetch#${before}`);
      }
      this.wake();
    });
  }

  remove(reader: KafkaReader): void {
    this.readers.delete(reader);
  }

  /** Signals that a reader has room or is new. */
  wake(): void {
    for (const wake of this.wakeUp.splice(0)) wake();
    for (const leader of new Set([...this.readers].flatMap((r) => (r.stopped ? [] : [this.leaderOf(r)])))) {
      if (this.running.has(leader) || this.closed) continue;
      // A loop ends when the shared metadata names no leader for its partitions for a moment. The `wake` after it
      // starts the loop of leader -1, which looks for one.
      this.running.set(
        leader,
        this.run(leader).finally(() => {
          this.running.delete(leader);
          this.wake();
        }),
      );
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const wake of this.wakeUp.splice(0)) wake();
    await this.client.release(`fetch#${this.lane}`);
    await Promise.all(this.running.values());
  }

  private leaderOf(reader: KafkaReader): number {
    return this.client.topics.get(reader.options.topic)?.leaders[reader.options.partition] ?? -1;
  }

  private mine(leader: number): KafkaReader[] {
    return [...this.readers].filter((r) => !r.stopped && this.leaderOf(r) === leader);
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wakeUp.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private async refresh(): Promise<void> {
    // Many readers meet the same failure at once.
    const wait = this.refreshed + 100 - performance.now();
    if (wait > 0)
      await new Promise((resolve) => {
        setTimeout(resolve, wait);
      });
    this.refreshed = performance.now();
    await this.client.refresh().catch(() => undefined);
    this.wake();
  }

  private async run(leader: number): Promise<void> {
    for (let failures = 0; !this.closed;) {
      const all = this.mine(leader);
      if (all.length === 0) return;
      if (leader < 0) {
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
        await this.refresh();
        continue;
      }
      const open = all.filter((r) => !r.full);
      const left = budgetBytes - [...this.readers].reduce((sum, r) => sum + r.buffered, 0);
      if (open.length === 0 || left <= 0) {
        await this.pause(1_000);
        continue;
      }
      // Rotates the order: a full response contains nothing of the last partitions.
      this.turn = (this.turn + 1) % open.length;
      const wanted = [...open.slice(this.turn), ...open.slice(0, this.turn)];
      // A reader that was just full will have room soon, and would wait for this fetch.
      const hurry = all.some((r) => r.full && performance.now() - r.fullSince < 1_000);
      const sent = Date.now();
      const { lane } = this;
      try {
        const answer = await this.client.fetch(
          leader,
          lane,
          wanted.flatMap((r) => {
            const topic = this.client.topics.get(r.options.topic);
            return topic ? [{ topic, partition: r.options.partition, from: r.next }] : [];
          }),
          hurry ? 10 : this.idleMs,
          Math.min(requestBytes, Math.max(left, 65_536)),
        );
        failures = 0;
        if (await this.take(answer, wanted, sent)) await this.refresh();
      } catch (error) {
        if (this.closed) return;
        if (lane !== this.lane) continue;
        if (failures++ % 20 === 0) log.warn({ error: (error as Error).message }, 'the log cannot be read');
        await new Promise((resolve) => {
          setTimeout(resolve, Math.min(50 * failures, 1_000));
        });
        await this.refresh();
      }
    }
  }

  /** Distributes a response. Returns whether a leader must be looked up again. */
  private async take(answer: readonly Fetched[], readers: readonly KafkaReader[], sent: number): Promise<boolean> {
    const byName = new Map(readers.map((r) => [`${r.options.topic} ${r.options.partition}`, r]));
    let stale = false;
    for (const part of answer) {
      const reader = byName.get(`${part.topic} ${part.partition}`)!;
      if (part.error === code.offsetOutOfRange) await this.backToLog(reader);
      else if (part.error !== code.none) stale = true;
      else {
        reader.end = part.end;
        reader.endAt = sent;
        reader.push(part.records, part.bytes, part.next);
      }
    }
    this.checked();
    return stale;
  }

  /** Moves a reader whose next records were deleted by age to the start of the log. */
  private async backToLog(reader: KafkaReader): Promise<void> {
    const { topic, partition } = reader.options;
    const first = (await this.client.offsets('first', [{ topic, partition }])).get(`${topic} ${partition}`);
    if (first === undefined || first <= reader.next) return;
    log.warn(
      { topic, partition, from: reader.next, to: first },
      'records were deleted by their age before they were read',
    );
    reader.skipTo(first);
  }
}
