import pg from 'pg';
import { createLogger } from '@carillon/observability';
import type {
  Bus,
  BusRecord,
  Consumer,
  Disk,
  FanoutConsumer,
  FanoutOptions,
  GroupOptions,
  Lag,
  OutRecord,
  TopicSpec,
} from '../bus.ts';
import { Appender } from './postgres.append.ts';
import { cleanUp } from './postgres.cleanup.ts';
import { Fanout } from './postgres.fanout.ts';
import { Groups } from './postgres.group.ts';
import type { BusConnection } from './postgres.schema.ts';
import { hashKey, Slot, TailMemory } from './postgres.slot.ts';

export { migrateBus, type BusConnection } from './postgres.schema.ts';

export interface PostgresBusOptions {
  connection: BusConnection;
  /** 3 when absent. */
  poolMax?: number;
  /** Most partitions of topics that this process creates; 4 when absent: one process needs no more. */
  maxPartitions?: number;
  /**
   * A name that at most one living process has (the caller holds a lock on it): a start takes over the partitions of
   * its predecessor at once. Without it the partitions of a killed process are free when its lease has expired.
   */
  name?: string;
  /** How long a silent process keeps its partitions; 10 s when absent. */
  leaseMs?: number;
  /** How long a publish is retried while the database is unavailable; 30 s when absent. */
  deadlineMs?: number;
  /** How soon records of other processes are seen; 250 ms when absent. */
  pollMs?: number;
  /** Memory for recent records; 8 MiB when absent. */
  tailBytes?: number;
  /** Most bytes that wait to be stored; more is rejected. 64 MiB when absent. */
  queueBytes?: number;
  compactAfter?: number;
  /** 24 h when absent. */
  tombstoneGraceMs?: number;
  /** 60 s when absent. */
  cleanEveryMs?: number;
}

interface Topic {
  slots: Slot[];
}

const log = createLogger('bus');
const pageBytes = 4_194_304;

/** The bus as a log in PostgreSQL. Its database must have been migrated with {@link migrateBus}. */
export class PostgresBus implements Bus {
  private readonly options: PostgresBusOptions;
  private readonly pool: pg.Pool;
  private readonly memory: TailMemory;
  private readonly appender: Appender;
  private readonly groups: Groups;
  private readonly topics = new Map<string, Topic>();
  private readonly fanouts = new Set<Fanout>();
  private readonly watched = new Map<number, { slot: Slot; users: number }>();
  private poll: NodeJS.Timeout | undefined;
  private readonly cleaning: NodeJS.Timeout;
  private cleaned: Promise<void> = Promise.resolve();
  private closed = false;

  private constructor(options: PostgresBusOptions) {
    this.options = options;
    this.pool = new pg.Pool({
      ...options.connection,
      max: options.poolMax ?? 3,
      connectionTimeoutMillis: 5_000,
      query_timeout: 15_000,
      keepAlive: true,
      idleTimeoutMillis: 60_000,
      application_name: 'carillon-bus',
    });
    this.pool.on('error', (error) => log.warn({ error: error.message }, 'idle connection lost'));
    this.memory = new TailMemory(options.tailBytes ?? 8_388_608);
    this.appender = new Appender({
      pool: this.pool,
      memory: this.memory,
      deadlineMs: options.deadlineMs ?? 30_000,
      queueBytes: options.queueBytes ?? 67_108_864,
    });
    this.groups = new Groups({
      pool: this.pool,
      name: options.name,
      leaseMs: options.leaseMs ?? 10_000,
      load: (s, f, m) => this.load(s, f, m),
    });
    this.cleaning = setInterval(() => void this.cleanUp(), options.cleanEveryMs ?? 60_000);
    this.cleaning.unref();
  }

  static async open(options: PostgresBusOptions): Promise<PostgresBus> {
    const bus = new PostgresBus(options);
    try {
      await bus.loadTopics();
    } catch (error) {
      await bus.close();
      throw error;
    }
    return bus;
  }

  async ensureTopics(topics: readonly TopicSpec[]): Promise<void> {
    const most = this.options.maxPartitions ?? 4;
    await this.pool.query(
      `
        with made as (
          insert into topic (name, partitions, cleanup, retention_ms)
          select *
          from unnest(
            $1::text[], $2::int[], $3::text[], $4::bigint[]
          ) as t (name, partitions, cleanup, retention_ms)
          order by name
          on conflict do nothing
          returning id, partitions
        ),
        slots as (
          insert into slot (topic_id, partition)
          select id, generate_series(0, partitions - 1)
          from made
          order by 1, 2
          returning id
        )
        insert into cleanup (slot)
        select id
        from slots
      `,
      [
        topics.map((t) => t.name),
        topics.map((t) => Math.min(t.partitions, most)),
        topics.map((t) => t.cleanup),
        topics.map((t) => t.retentionMs ?? null),
      ],
    );
    await this.loadTopics();
  }

  async publish(records: readonly OutRecord[]): Promise<void> {
    for (const { topic } of records) if (!this.topics.has(topic)) await this.topicOf(topic);
    await this.appender.publish(records, (record) => {
      const { slots } = this.topics.get(record.topic)!;
      return slots[hashKey(record.key) % slots.length]!;
    });
  }

  async group(options: GroupOptions): Promise<Consumer> {
    const slots = await this.slotsOf(options.topics);
    const consumer = await this.groups.join(options, slots);
    this.watch(slots, 1);
    let closed: Promise<void> | undefined;
    return { close: () => (closed ??= consumer.close().finally(() => this.watch(slots, -1))) };
  }

  async fanout(options: FanoutOptions): Promise<FanoutConsumer> {
    const slots = await this.slotsOf(options.topics);
    const at = Date.now();
    await this.refresh(slots);
    const ends = slots.map((s) => s.end);
    const fanout = new Fanout(
      options,
      slots,
      ends,
      at,
      (s, f, m) => this.load(s, f, m),
      (self) => {
        if (this.fanouts.delete(self)) this.watch(slots, -1);
      },
    );
    this.fanouts.add(fanout);
    this.watch(slots, 1);
    return fanout;
  }

  async lag(): Promise<Lag[]> {
    const { rows } = await this.pool.query<{ group: string; topic: string; partition: number; lag: number }>(
      `select p.group_name as "group", t.name as topic, s.partition, greatest(s.next - p.pos, 0)::float8 as lag
       from position p join slot s on s.id = p.slot join topic t on t.id = s.topic_id order by 1, 2, 3`,
    );
    return rows;
  }

  async disks(): Promise<Disk[]> {
    return [];
  }

  async healthy(): Promise<boolean> {
    const write = this.pool
      .query(
        `
          insert into writer (id, seq)
          values ('00000000-0000-0000-0000-000000000000', 0)
          on conflict (id) do update set at = now()
        `,
      )
      .then(
        () => true,
        () => false,
      );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, 2_000, false);
    });
    return Promise.race([write, late]).finally(() => clearTimeout(timer));
  }

  /** Applies retention and compaction now; also runs every minute. */
  cleanUp(): Promise<void> {
    this.cleaned = this.cleaned
      .then(async () => {
        if (this.closed) return;
        await cleanUp(
          {
            pool: this.pool,
            compactAfter: this.options.compactAfter ?? 1_000,
            tombstoneGraceMs: this.options.tombstoneGraceMs ?? 86_400_000,
          },
          () => this.closed,
        );
        await this.pool.query(`delete from writer where at < now() - interval '7 days'`);
      })
      .catch((error: Error) => log.warn({ error: error.message }, 'clean-up not done'));
    return this.cleaned;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.cleaning);
    await Promise.all([...this.fanouts].map((f) => f.close()));
    await this.groups.close();
    await this.appender.close();
    clearTimeout(this.poll);
    await this.cleaned;
    await this.pool.end();
  }

  private async loadTopics(): Promise<void> {
    const { rows } = await this.pool.query<{
      id: number;
      name: string;
      topic_id: number;
      partition: number;
      next: string;
    }>(
      `
        select s.id, t.name, s.topic_id, s.partition, s.next
        from slot s
        join topic t on t.id = s.topic_id
        order by s.topic_id, s.partition
      `,
    );
    for (const row of rows) {
      let topic = this.topics.get(row.name);
      if (!topic) this.topics.set(row.name, (topic = { slots: [] }));
      topic.slots[row.partition] ??= new Slot(row.id, row.name, row.topic_id, row.partition);
      topic.slots[row.partition]!.advance(Number(row.next));
    }
  }

  private async topicOf(name: string): Promise<Topic> {
    if (!this.topics.has(name)) await this.loadTopics();
    const topic = this.topics.get(name);
    if (!topic) throw new Error(`there is no topic ${name}`);
    return topic;
  }

  private async slotsOf(names: readonly string[]): Promise<Slot[]> {
    const topics = [];
    for (const name of new Set(names)) topics.push(await this.topicOf(name));
    return topics.flatMap((t) => t.slots);
  }

  /** Returns a page of committed records: at least one if there is one, and at most about 4 MiB. */
  private async load(slot: Slot, from: number, max: number): Promise<BusRecord[]> {
    const { rows } = await this.pool.query<{
      pos: string;
      key: string;
      headers: string;
      value: string | null;
      at: string;
    }>(
      `
        select pos, key, headers, value, at
        from (
          select *, sum(octet_length(value)) over (order by pos) - octet_length(value) as before
          from record
          where slot = $1 and pos >= $2
          order by pos
          limit $3
        ) page
        where coalesce(before, 0) < ${pageBytes}
        order by pos
      `,
      [slot.id, from, max],
    );
    return rows.map((r) => ({
      topic: slot.topic,
      partition: slot.partition,
      offset: BigInt(r.pos),
      timestamp: Number(r.at),
      key: r.key,
      headers: JSON.parse(r.headers) as Record<string, string>,
      value: r.value,
    }));
  }

  private async refresh(slots: readonly Slot[]): Promise<void> {
    const { rows } = await this.pool.query<{ id: number; next: string }>(
      'select id, next from slot where id = any ($1)',
      [slots.map((s) => s.id)],
    );
    const byId = new Map(slots.map((s) => [s.id, s]));
    for (const row of rows) byId.get(row.id)!.advance(Number(row.next));
  }

  private watch(slots: readonly Slot[], by: 1 | -1): void {
    for (const slot of slots) {
      const entry = this.watched.get(slot.id) ?? { slot, users: 0 };
      entry.users += by;
      if (entry.users > 0) this.watched.set(slot.id, entry);
      else {
        this.watched.delete(slot.id);
        this.memory.drop(slot.tail);
      }
    }
    this.poll ??= setTimeout(() => void this.look(), this.options.pollMs ?? 250);
  }

  /** Looks for records of other processes. */
  private async look(): Promise<void> {
    const at = Date.now();
    try {
      await this.refresh([...this.watched.values()].map((w) => w.slot));
      for (const fanout of this.fanouts) fanout.seen(at);
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'the log cannot be read');
    }
    this.poll =
      this.watched.size > 0 && !this.closed
        ? setTimeout(() => void this.look(), this.options.pollMs ?? 250)
        : undefined;
  }
}
