import { randomUUID } from 'node:crypto';
import { createLogger } from '@carillon/observability';
import type { Consumer, GroupOptions } from '../bus.ts';
import type { KafkaClient } from './kafka.client.ts';
import { code, errorCodeOf, leavingEpoch, type Assigned } from './kafka.protocol.ts';
import { KafkaFetcher } from './kafka.fetcher.ts';
import { KafkaReader } from './kafka.reader.ts';

const log = createLogger('bus');
const commitMs = 50;
/** A handler that runs longer blocks the reassignment of its member's other partitions, which continue meanwhile. */
const slowMs = 200;
/** How long a handler may continue after its partition was claimed; then the group continues without this member. */
const rebalanceMs = 600_000;
/** How long a joining member waits for its share: others may work on all partitions. */
const shareMs = 3_000;
/** A coordinator reloads its groups' positions when its broker was killed, which takes time on a busy machine. */
const joinMs = 120_000;
/** A broker learns of new permissions a moment after the broker that granted them. */
const refusedMs = 10_000;

interface Held {
  topic: string;
  topicId: string;
  partition: number;
  reader: KafkaReader;
  /** The handled position, and the stored one. */
  handled: number;
  stored: number;
  leaving?: Promise<void>;
}

export interface MemberOptions {
  client: KafkaClient;
  /** Name on Kafka. */
  group: string;
  topics: readonly string[];
  heartbeatMs: number;
  /** Converts a name on Kafka to the name in the product. */
  plain(topic: string): string;
  options: GroupOptions;
}

/** Returns whether the coordinator has removed the member from the group. */
function isExpelled(error: unknown): boolean {
  const answered = errorCodeOf(error);
  return answered === code.unknownMember || answered === code.fencedMemberEpoch;
}

/**
 * A member of a consumer group by the protocol of Kafka 4.0 (KIP-848): the broker assigns and revokes single
 * partitions, and assigns none to another member before its owner has released it. This member releases a partition
 * when its running handler has returned and its position is stored.
 */
export class KafkaMember implements Consumer {
  private readonly o: MemberOptions;
  private readonly id = randomUUID();
  private epoch = 0;
  private readonly held = new Map<string, Held>();
  private readonly fetcher: KafkaFetcher;
  /**
   * How long the broker keeps a silent member, and the time until which it surely does: by our clock, from before the
   * last heartbeat.
   */
  private sessionMs = 0;
  private leaseEnd = 0;
  private guard: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;
  private commitTimer: NodeJS.Timeout | undefined;
  private committing: Promise<boolean> = Promise.resolve(true);
  private beating: Promise<void> = Promise.resolve();
  private taking = false;
  /** The last assignment, and the running release of revoked partitions. */
  private wanted = new Set<string>();
  private releasing: Promise<void> | undefined;
  /** Recurring failures are logged every 5 s at most. */
  private quietUntil = 0;
  private closing: Promise<void> | undefined;

  private constructor(options: MemberOptions) {
    this.o = options;
    this.fetcher = new KafkaFetcher(options.client, 500);
  }

  /** Resolves when the member works on its share, or after 3 s when others still work on it. */
  static async join(options: MemberOptions): Promise<KafkaMember> {
    const member = new KafkaMember(options);
    const begun = performance.now();
    for (let wait = 10; ; wait = Math.min(2 * wait, 200)) {
      try {
        await member.once();
        if (member.held.size > 0 || performance.now() > begun + shareMs) break;
      } catch (error) {
        const why = errorCodeOf(error);
        const isRefused = why === code.groupAuthorization || why === code.topicAuthorization;
        if (performance.now() > begun + (isRefused ? refusedMs : joinMs)) throw error;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, wait);
      });
    }
    member.next();
    return member;
  }

  close(): Promise<void> {
    return (this.closing ??= (async () => {
      clearTimeout(this.timer);
      await this.beating;
      await this.letGo([...this.held.values()]);
      await this.fetcher.close();
      clearTimeout(this.guard);
      clearTimeout(this.commitTimer);
      if (this.epoch > 0)
        // otherwise its session expires
        await this.o.client
          .heartbeat(this.o.group, this.id, leavingEpoch, this.o.topics, [], rebalanceMs)
          .catch(() => undefined);
    })());
  }

  private holds(): boolean {
    return performance.now() < this.leaseEnd;
  }

  private next(ms = this.o.heartbeatMs): void {
    clearTimeout(this.timer);
    if (this.closing) return;
    this.timer = setTimeout(() => {
      this.beating = this.once().catch((error: Error) => {
        if (performance.now() < this.quietUntil) return;
        this.quietUntil = performance.now() + 5_000;
        log.warn({ group: this.o.group, error: error.message }, 'group membership not renewed');
      });
      void this.beating.then(() => this.next(this.taking ? 20 : undefined));
    }, ms);
  }

  private owned(): Assigned[] {
    return [...Map.groupBy(this.held.values(), (h) => h.topicId)].map(([topicId, held]) => ({
      topicId,
      partitions: held.map((h) => h.partition),
    }));
  }

  /** Sends one heartbeat and applies its answer. */
  private async once(): Promise<void> {
    const { client, group, topics } = this.o;
    if (this.sessionMs === 0) await this.learnSession();
    const sent = performance.now();
    let answer;
    try {
      answer = await client.heartbeat(group, this.id, this.epoch, topics, this.owned(), rebalanceMs);
    } catch (error) {
      if (isExpelled(error)) await this.expelled();
      throw error;
    }
    this.epoch = answer.epoch;
    this.renewed(sent);
    if (this.closing) return;
    this.taking = false;
    if (answer.assignment) await this.reconcile(answer.assignment);
  }

  /**
   * Reads the session timeout from the broker; without the permission, derives it from the heartbeat interval, three of
   * which always fit.
   */
  private async learnSession(): Promise<void> {
    const key = 'consumer.session.timeout.ms';
    const configured = await this.o.client.admin.describe('GROUP', [this.o.group], [key]).then(
      (m) => Number(m.get(this.o.group)?.[key]),
      () => Number.NaN,
    );
    this.sessionMs = configured > 0 ? configured : 15_000;
  }

  private renewed(sent: number): void {
    this.leaseEnd = sent + this.sessionMs;
    clearTimeout(this.guard);
    // The broker may have reassigned our partitions by then: running handlers are told to stop.
    this.guard = setTimeout(
      () => {
        for (const h of this.held.values()) void this.release(h);
      },
      Math.max(0, this.leaseEnd - performance.now()),
    );
    for (const h of this.held.values()) h.reader.wake();
  }

  private async expelled(): Promise<void> {
    log.warn({ group: this.o.group }, 'group membership was lost; joining again');
    this.leaseEnd = 0;
    await Promise.all([...this.held.values()].map((h) => h.reader.stop()));
    for (const h of this.held.values()) this.fetcher.remove(h.reader);
    this.held.clear();
    this.epoch = 0;
    this.taking = true;
  }

  private async reconcile(assignment: readonly Assigned[]): Promise<void> {
    const { client } = this.o;
    if (assignment.some((a) => !client.nameOf(a.topicId))) await client.refresh(this.o.topics);
    const wanted = new Map(
      assignment.flatMap((a) =>
        a.partitions.map((partition): [string, { topicId: string; partition: number }] => [
          `${a.topicId} ${partition}`,
          { topicId: a.topicId, partition },
        ]),
      ),
    );
    this.wanted = new Set(wanted.keys());
    this.releasing ??= this.giveBack().finally(() => {
      this.releasing = undefined;
    });
    const fresh = [...wanted]
      .filter(([name]) => !this.held.has(name))
      .flatMap(([name, w]) => {
        const topic = client.nameOf(w.topicId)?.name;
        return topic === undefined ? [] : [{ name, ...w, topic }];
      });
    if (fresh.length > 0) await this.take(fresh);
  }

  private async take(
    fresh: readonly { name: string; topic: string; topicId: string; partition: number }[],
  ): Promise<void> {
    const { client, options, group } = this.o;
    const known = await client.committed(group);
    const unknown = fresh.filter((f) => !known.has(`${f.topic} ${f.partition}`));
    if (unknown.length > 0) {
      // A group begins at the oldest record. The position is stored at once, so that the lag is known before anything
      // is handled.
      const first = await client.offsets('first', unknown);
      if (unknown.some((u) => !first.has(`${u.topic} ${u.partition}`)))
        throw new Error('where the log begins is not known yet');
      await client.commit(
        group,
        this.id,
        this.epoch,
        unknown.map((u) => ({ ...u, next: first.get(`${u.topic} ${u.partition}`)! })),
      );
      for (const [name, offset] of first) known.set(name, offset);
    }
    for (const { name, topic, topicId, partition } of fresh) {
      const from = known.get(`${topic} ${partition}`)!;
      const held: Held = {
        topic,
        topicId,
        partition,
        handled: from,
        stored: from,
        reader: new KafkaReader({
          topic,
          partition,
          from,
          maxBatch: options.maxBatch ?? 500,
          mayRead: () => this.holds(),
          drained: () => this.fetcher.wake(),
          handle: (batch) =>
            options.handle({ ...batch, topic: this.o.plain(topic), records: this.named(batch.records, topic) }),
          done: (position) => {
            held.handled = position;
            this.commitTimer ??= setTimeout(() => {
              this.commitTimer = undefined;
              void this.commit();
            }, commitMs);
          },
          failed: (error, batch) => {
            log.warn(
              {
                group,
                topic,
                partition,
                offset: String(batch.records[0]?.offset),
                error: error instanceof Error ? error.message : String(error),
              },
              'batch failed, it comes again',
            );
            return 'again';
          },
        }),
      };
      this.held.set(name, held);
      this.fetcher.add(held.reader);
    }
  }

  private named<R extends { topic: string }>(records: readonly R[], topic: string): readonly R[] {
    const name = this.o.plain(topic);
    return name === topic ? records : records.map((r) => ({ ...r, topic: name }));
  }

  /**
   * Stores handled positions; returns whether all are stored. One call at a time, so that a position never goes back.
   */
  private commit(): Promise<boolean> {
    this.committing = this.committing.then(async () => {
      const moved = [...this.held.values()].filter((h) => h.handled > h.stored);
      if (moved.length === 0) return true;
      const positions = moved.map((h) => ({ topic: h.topic, partition: h.partition, next: h.handled }));
      try {
        await this.o.client.commit(this.o.group, this.id, this.epoch, positions);
        moved.forEach((h, i) => {
          h.stored = positions[i]!.next;
        });
        return true;
      } catch (error) {
        // The next heartbeat cures a stale epoch; a removed member has nothing to store.
        if (errorCodeOf(error) !== code.staleMemberEpoch)
          log.warn({ group: this.o.group, error: (error as Error).message }, 'positions not stored yet');
        if (!this.closing)
          this.commitTimer ??= setTimeout(() => {
            this.commitTimer = undefined;
            void this.commit();
          }, 250);
        return isExpelled(error);
      }
    });
    return this.committing;
  }

  /**
   * The broker frees claimed partitions only all together. So while one handler is slow, the others continue with
   * partitions they will release, and are stopped when it has returned.
   */
  private async giveBack(): Promise<void> {
    for (;;) {
      const claimed = [...this.held].filter(([name]) => !this.wanted.has(name)).map(([, h]) => h);
      if (claimed.length === 0 || this.closing) return;
      const slow = claimed.filter((h) => h.reader.busySince > 0 && performance.now() - h.reader.busySince > slowMs);
      await this.letGo(slow.length > 0 ? slow : claimed);
    }
  }

  /** Stops the handler, stores its position and tells the broker at once with the next heartbeat. */
  private release(held: Held): Promise<void> {
    return (held.leaving ??= (async () => {
      await held.reader.stop();
      this.fetcher.remove(held.reader);
      for (
        let pause = 20;
        !(await this.commit()) && held.handled > held.stored && this.holds();
        pause = Math.min(2 * pause, 500)
      )
        await new Promise((resolve) => {
          setTimeout(resolve, pause);
        });
      const name = `${held.topicId} ${held.partition}`;
      if (this.held.get(name) === held) this.held.delete(name);
      this.next(0);
    })());
  }

  private async letGo(all: readonly Held[]): Promise<void> {
    await Promise.all(all.map((h) => this.release(h)));
  }
}
