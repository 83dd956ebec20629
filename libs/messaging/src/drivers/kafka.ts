import { createLogger } from '@carillon/observability';
import type {
  Bus,
  Consumer,
  Disk,
  FanoutConsumer,
  FanoutOptions,
  GroupOptions,
  Lag,
  OutRecord,
  TopicSpec,
} from '../bus.ts';
import { KafkaAppender } from './kafka.append.ts';
import type { KafkaRights, KafkaUser } from './kafka.admin.ts';
import { KafkaClient } from './kafka.client.ts';
import type { KafkaConnection } from './kafka.connections.ts';
import { KafkaFanout } from './kafka.fanout.ts';
import { KafkaMember } from './kafka.group.ts';
import { partitionOf } from './kafka.partition.ts';
import type { TopicInfo } from './kafka.protocol.ts';

export type { KafkaRights, KafkaUser } from './kafka.admin.ts';
export type { KafkaConnection } from './kafka.connections.ts';

export interface KafkaBusOptions {
  connection: KafkaConnection;
  /** Prefix of the names of topics and groups, so that several installations can share one Kafka. */
  prefix?: string;
  /** How long a publish is retried while the brokers are unavailable; 30 s when absent. */
  deadlineMs?: number;
  /** How long `open` waits for a broker that answers; no waiting when absent. */
  openWithinMs?: number;
  /** Most bytes that wait to be stored; more is rejected. 64 MiB when absent. */
  queueBytes?: number;
  /** How soon a group notices that a member joined or left; 500 ms when absent. */
  heartbeatMs?: number;
  /** Settings of created topics, which override those of their declaration. */
  topicConfigs?(topic: TopicSpec): Record<string, string>;
}

const log = createLogger('bus');

/**
 * Returns the Kafka settings of a topic's declaration. The broker sets the timestamps, so that a process with a wrong
 * clock cannot cause early deletion.
 */
export function topicConfigs(topic: TopicSpec): Record<string, string> {
  return {
    'cleanup.policy': topic.cleanup,
    'message.timestamp.type': 'LogAppendTime',
    ...(topic.cleanup === 'delete' ? { 'retention.ms': String(topic.retentionMs ?? -1) } : {}),
  };
}

export interface TopicDifference {
  topic: string;
  what: string;
  declared: string;
  there: string;
}

/** The bus over Kafka 4.0 or newer. */
export class KafkaBus implements Bus {
  private readonly options: KafkaBusOptions;
  private readonly client: KafkaClient;
  private readonly appender: KafkaAppender;
  private readonly deadlineMs: number;
  private readonly consumers = new Set<{ close(): Promise<void> }>();
  readonly prefix: string;
  private closed = false;
  /** Publishes that wait for a topic lookup, and the last of them. */
  private looking = 0;
  private looked: Promise<void> = Promise.resolve();

  private constructor(options: KafkaBusOptions) {
    this.options = options;
    this.prefix = options.prefix ?? '';
    this.deadlineMs = options.deadlineMs ?? 30_000;
    this.client = new KafkaClient(options.connection);
    this.appender = new KafkaAppender({
      client: this.client,
      deadlineMs: this.deadlineMs,
      queueBytes: options.queueBytes ?? 67_108_864,
    });
  }

  static async open(options: KafkaBusOptions): Promise<KafkaBus> {
    const bus = new KafkaBus(options);
    try {
      await bus.client.check(options.openWithinMs ?? 0);
    } catch (error) {
      await bus.close();
      throw error;
    }
    return bus;
  }

  private plain = (name: string): string => name.slice(this.prefix.length);

  async ensureTopics(topics: readonly TopicSpec[]): Promise<void> {
    const names = topics.map((t) => this.prefix + t.name);
    await this.client.patiently(this.due(), () => this.client.refresh(names));
    const missing = topics.filter((t) => !this.client.topics.has(this.prefix + t.name));
    if (missing.length > 0) {
      await this.client.admin.createTopics(
        missing.map((t) => ({
          name: this.prefix + t.name,
          partitions: t.partitions,
          configs: { ...topicConfigs(t), ...this.options.topicConfigs?.(t) },
        })),
      );
    }
    // A broker learns of the topic from the controller with a delay.
    for (
      const until = performance.now() + 15_000;
      ;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      })
    ) {
      if (names.every((n) => this.client.topics.get(n)?.leaders.every((l) => l >= 0))) return;
      if (performance.now() > until)
        throw new Error(
          `the topics ${names.filter((n) => !this.client.topics.has(n)).join(', ')} were made but have no leader`,
        );
      await this.client.refresh(names);
    }
  }

  /** Whether this bus logs in. Brokers without logins have no permissions either. */
  get hasLogin(): boolean {
    return this.options.connection.sasl !== undefined;
  }

  /** Sets passwords of users and grants missing permissions, on topics and groups with the prefix. */
  admit(users: readonly KafkaUser[]): Promise<void> {
    return this.client.admin.admit(users.map((user) => this.prefixed(user)));
  }

  /** Returns permissions of users beyond these, a sentence each; `takeBack` revokes them. */
  surplusRights(users: readonly KafkaRights[], takeBack: boolean): Promise<string[]> {
    return this.client.admin.surplus(
      users.map((user) => this.prefixed(user)),
      takeBack,
    );
  }

  private prefixed<User extends KafkaRights>(user: User): User {
    const own = (names: readonly string[]): string[] => names.map((name) => this.prefix + name);
    return { ...user, writes: own(user.writes), reads: own(user.reads), groups: own(user.groups) };
  }

  /** Returns the names of missing topics. */
  async missing(topics: readonly TopicSpec[]): Promise<string[]> {
    await this.client.refresh(topics.map((t) => this.prefix + t.name));
    return topics.filter((t) => !this.client.topics.has(this.prefix + t.name)).map((t) => t.name);
  }

  /**
   * Changes settings to the declared ones. The number of partitions stays, because changing it would break the order
   * per key.
   */
  async apply(differences: readonly TopicDifference[]): Promise<void> {
    const settings = differences.filter((d) => d.what !== 'partitions');
    if (settings.length > 0)
      await this.client.admin.configure(
        [...Map.groupBy(settings, (d) => d.topic)].map(([topic, changes]) => ({
          topic: this.prefix + topic,
          configs: Object.fromEntries(changes.map((d) => [d.what, d.declared])),
        })),
      );
  }

  /**
   * Returns how topics on Kafka differ from their declarations. Ignores missing topics, which `ensureTopics` creates.
   */
  async differences(topics: readonly TopicSpec[]): Promise<TopicDifference[]> {
    await this.client.refresh(topics.map((t) => this.prefix + t.name));
    const there = topics.filter((t) => this.client.topics.has(this.prefix + t.name));
    if (there.length === 0) return [];
    const configs = await this.client.admin.describe(
      'TOPIC',
      there.map((t) => this.prefix + t.name),
      ['cleanup.policy', 'retention.ms', 'message.timestamp.type'],
    );
    return there.flatMap((t) => {
      const info = this.client.topics.get(this.prefix + t.name)!;
      const found = configs.get(info.name) ?? {};
      return Object.entries({ partitions: String(t.partitions), ...topicConfigs(t) }).flatMap(
        ([what, declared]): TopicDifference[] => {
          const is = what === 'partitions' ? String(info.leaders.length) : (found[what] ?? '');
          return is === declared ? [] : [{ topic: t.name, what, declared, there: is }];
        },
      );
    });
  }

  /** Returns the deadline of an operation that begins now, in case no broker answers. */
  private due = (): number => performance.now() + this.deadlineMs;

  private async known(names: readonly string[], until = this.due()): Promise<TopicInfo[]> {
    const full = [...new Set(names)].map((n) => this.prefix + n);
    for (let tries = 0; !full.every((n) => this.client.topics.has(n)) && tries < 3; tries += 1) {
      if (tries > 0)
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
      await this.client.patiently(until, () => this.client.refresh(full));
    }
    return full.map((n) => {
      const topic = this.client.topics.get(n);
      if (!topic && this.client.refused.has(n)) throw new Error(`this user may not use the topic ${this.plain(n)}`);
      if (!topic) throw new Error(`there is no topic ${this.plain(n)}`);
      return topic;
    });
  }

  async publish(records: readonly OutRecord[]): Promise<void> {
    if (this.closed) throw new Error('the bus is closed');
    const { topics } = this.client;
    // Serialized while a topic is looked up, so that records are stored in the order of publishing.
    if (this.looking > 0 || !records.every((r) => topics.has(this.prefix + r.topic))) {
      this.looking += 1;
      // The deadline counts from the call, however many wait before it.
      const until = this.due();
      const mine = this.looked.then(() =>
        this.known(
          records.map((r) => r.topic),
          until,
        ),
      );
      const stored = mine.then(() => this.append(records, until));
      this.looked = mine
        .then(
          () => undefined,
          () => undefined,
        )
        .finally(() => {
          this.looking -= 1;
        });
      return stored;
    }
    return this.append(records);
  }

  private append(records: readonly OutRecord[], until?: number): Promise<void> {
    const { topics } = this.client;
    const own = this.prefix === '' ? records : records.map((r) => ({ ...r, topic: this.prefix + r.topic }));
    return this.appender.publish(own, (r) => partitionOf(r.key, topics.get(r.topic)!.leaders.length), until);
  }

  async group(options: GroupOptions): Promise<Consumer> {
    const topics = await this.known(options.topics);
    const member = await KafkaMember.join({
      client: this.client,
      group: this.prefix + options.group,
      topics: topics.map((t) => t.name),
      heartbeatMs: this.options.heartbeatMs ?? 500,
      plain: this.plain,
      options,
    });
    this.consumers.add(member);
    return { close: () => member.close().finally(() => this.consumers.delete(member)) };
  }

  async fanout(options: FanoutOptions): Promise<FanoutConsumer> {
    const parts = (await this.known(options.topics)).flatMap((t) =>
      t.leaders.map((_, partition) => ({ topic: t.name, partition })),
    );
    for (let tries = 0; ; tries += 1) {
      const at = Date.now();
      try {
        const [first, end] = await Promise.all([
          this.client.offsets('first', parts),
          this.client.offsets('next', parts),
        ]);
        const starts = parts.map((p) => {
          const name = `${p.topic} ${p.partition}`;
          return { ...p, from: (options.from === 'end' ? end : first).get(name)!, end: end.get(name)! };
        });
        if (starts.some((s) => s.from === undefined || s.end === undefined || s.end < 0))
          throw new Error('where the log begins and ends is not known yet');
        const fanout = new KafkaFanout(this.client, options, starts, at, this.plain, (self) =>
          this.consumers.delete(self),
        );
        this.consumers.add(fanout);
        return fanout;
      } catch (error) {
        if (tries > 30 || this.closed) throw error;
        await new Promise((resolve) => {
          setTimeout(resolve, Math.min(50 * 2 ** tries, 1_000));
        });
        await this.client.refresh().catch(() => undefined);
      }
    }
  }

  async lag(): Promise<Lag[]> {
    const groups = (await this.client.admin.groups()).filter((g) => g.startsWith(this.prefix));
    const positions = await Promise.all(
      groups.map(async (group) =>
        [...(await this.client.committed(group))]
          .filter(([name]) => name.startsWith(this.prefix))
          .map(([name, next]) => {
            const [topic, partition] = name.split(' ') as [string, string];
            return { group: this.plain(group), topic, partition: Number(partition), next };
          }),
      ),
    );
    const all = positions.flat();
    await this.client.refresh([...new Set(all.map((p) => p.topic))]);
    const here = all.filter((p) => this.client.topics.has(p.topic));
    const parts = new Map(here.map((p) => [`${p.topic} ${p.partition}`, { topic: p.topic, partition: p.partition }]));
    const ends = parts.size > 0 ? await this.client.offsets('next', [...parts.values()]) : new Map<string, number>();
    return here
      .map((p) => ({
        group: p.group,
        topic: this.plain(p.topic),
        partition: p.partition,
        lag: Math.max(0, (ends.get(`${p.topic} ${p.partition}`) ?? p.next) - p.next),
      }))
      .sort((a, b) => (a.group + a.topic).localeCompare(b.group + b.topic) || a.partition - b.partition);
  }

  disks(): Promise<Disk[]> {
    return this.client.admin.disks();
  }

  async healthy(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, 2_000, false);
    });
    const look = this.client.refresh().then(
      () =>
        [...this.client.topics.values()].every((t) => t.leaders.every((l) => l >= 0)) &&
        this.appender.waitingMs < 2_000,
      () => false,
    );
    return Promise.race([look, late]).finally(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.all([...this.consumers].map((c) => c.close()));
    await this.looked;
    await this.appender.close();
    await this.client.close();
    log.debug('the bus is closed');
  }
}
