/**
 * All code that knows the client package (ADR 0008): its connections and its encoding of Kafka's protocol. The other
 * `kafka.*` files decide what is sent when and to which broker, and what is retried after which answer, in Kafka's own
 * terms.
 */
import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  AclOperations,
  AclPermissionTypes,
  alterUserScramCredentialsV0,
  apiVersionsV3,
  ConfigResourceTypes,
  Connection,
  consumerGroupHeartbeatV1,
  createAclsV3,
  createTopicsV7,
  deleteAclsV3,
  describeAclsV3,
  describeConfigsV4,
  describeLogDirsV4,
  FetchIsolationLevels,
  fetchV15,
  FindCoordinatorKeyTypes,
  findCoordinatorV4,
  IncrementalAlterConfigOperationTypes,
  incrementalAlterConfigsV1,
  initProducerIdV5,
  listGroupsV5,
  ListOffsetTimestamps,
  listOffsetsV8,
  metadataV12,
  NumericMap,
  offsetCommitV9,
  offsetFetchV9,
  ProduceAcks,
  produceV11,
  ResourcePatternTypes,
  ResourceTypes,
  ScramMechanisms,
  type Acl,
  type API,
  type ConnectionOptions,
  type SASLOptions,
} from '@platformatic/kafka';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { createLogger } from '@carillon/observability';
import type { BusRecord, Disk, OutRecord } from '../bus.ts';

const log = createLogger('bus');

export interface KafkaConnection {
  /** `host:port` of some brokers; the others are discovered from them. */
  brokers: readonly string[];
  clientId?: string;
  tls?: TlsOptions;
  sasl?: SASLOptions;
}

export interface TopicInfo {
  name: string;
  id: string;
  /** Node id of each partition's leader; negative while there is none. */
  leaders: number[];
  replicas: number;
}

/** Permissions of a user on the brokers; everything else is refused. */
export interface KafkaRights {
  name: string;
  /** Topics. */
  writes: readonly string[];
  reads: readonly string[];
  /** Consumer groups that it joins. */
  groups: readonly string[];
  /** Whether it may read the disk usage of the brokers. */
  seesDisks?: boolean;
}
export interface KafkaUser extends KafkaRights {
  password: string;
}

/** Error codes of Kafka's protocol, by their names there. */
export const code = {
  none: 0,
  offsetOutOfRange: 1,
  unknownTopic: 3,
  notLeader: 6,
  replicaNotAvailable: 9,
  messageTooLarge: 10,
  coordinatorLoading: 14,
  coordinatorNotAvailable: 15,
  notCoordinator: 16,
  recordListTooLarge: 18,
  unknownMember: 25,
  topicExists: 36,
  outOfOrderSequence: 45,
  duplicateSequence: 46,
  invalidProducerEpoch: 47,
  unknownProducer: 59,
  fencedMemberEpoch: 110,
  staleMemberEpoch: 113,
  invalidRecord: 87,
  corruptMessage: 2,
  topicAuthorization: 29,
  groupAuthorization: 30,
  policyViolation: 44,
} as const;

/**
 * Returns the error code that a broker answered with, or `undefined` when no broker answered: the connection failed, or
 * it took too long.
 */
export function errorCodeOf(error: unknown): number | undefined {
  const { errors } = error as { errors?: { apiCode?: number }[] };
  return errors?.find((e) => typeof e?.apiCode === 'number')?.apiCode;
}

/** Adds the broker's reason to the package's message, which names only the call. */
function tellReason(error: unknown): void {
  const { errors } = error as { errors?: { apiId?: string }[] };
  const reasons = [...new Set(errors?.flatMap((e) => e?.apiId ?? []))];
  if (reasons.length > 0) (error as Error).message += `: ${reasons.join(', ')}`;
}

/** Returns the response of an error that concerns only parts of it; rethrows an error without one. */
function partialAnswer<Answer>(error: unknown): Answer {
  const { response } = error as { response?: Answer };
  if (!response) throw error;
  return response;
}

/** Kafka's "none" for the epoch of a leader in a request. */
const noLeaderEpoch = -1;
/** The replica id of a client that is not a broker. */
const noReplica = -1;
/** The epoch of a client that reads a group's positions without being a member. */
const noMemberEpoch = -1;
/** Kafka's "the broker's default" for the number of replicas in a request. */
const defaultReplicas = -1;
/** The node id of a partition without a leader. */
const noLeader = -1;
/** The protocol requires a transaction timeout, although no transaction is begun. */
const transactionTimeoutMs = 60_000;
/** How long the leader waits for its replicas to store a batch. */
const produceTimeoutMs = 4_000;
/** How long the controller waits until a new topic is known everywhere. */
const createTimeoutMs = 15_000;
/** Most bytes of one partition in one fetch. */
const partitionBytes = 262_144;
/** A fetch without a session: each request names all its partitions. */
const noFetchSession = { id: 0, epoch: -1, forgottenTopics: [], rack: '' };
/** The epochs with which a group member joins and leaves. */
export const joiningEpoch = 0;
export const leavingEpoch = -1;

export interface ProducerId {
  id: bigint;
  epoch: number;
}
export interface EncodedRecord {
  key: Buffer;
  value: Buffer | null;
  headers: Map<Buffer, Buffer>;
  bytes: number;
}
export interface ProduceBatch {
  topic: string;
  partition: number;
  sequence: number;
  records: EncodedRecord[];
}
export interface Fetched {
  topic: string;
  partition: number;
  error: number;
  records: BusRecord[];
  bytes: number;
  /** The offset behind everything fetched, with or without records for this client. */
  next: number;
  /** All offsets below are stored durably. */
  end: number;
}
export interface Assigned {
  topicId: string;
  partitions: number[];
}
export interface Heartbeat {
  epoch: number;
  intervalMs: number;
  assignment: Assigned[] | null;
}
interface Node {
  host: string;
  port: number;
}

const keyOf = promisify(pbkdf2);
/**
 * Kafka's minimum for SCRAM is 4,096; the passwords are random, so more iterations would cost time and protect nothing.
 */
const scramIterations = 4_096;

const anyHost = '*';
const operationNames = new Map<number, string>(
  Object.entries(AclOperations).map(([name, n]) => [n, name.toLowerCase().replaceAll('_', ' ')]),
);
const textOf = (acl: Acl): string =>
  [acl.resourceType, acl.resourcePatternType, acl.resourceName, acl.principal, acl.host, acl.operation].join(' ');

/** Returns a user's permissions as Kafka ACLs; describing follows from reading and writing. */
function aclsOf({ name, writes, reads, groups, seesDisks }: KafkaRights): Acl[] {
  const { READ, WRITE, DESCRIBE, DESCRIBE_CONFIGS } = AclOperations;
  const { TOPIC, GROUP, CLUSTER } = ResourceTypes;
  const acl = (resourceType: Acl['resourceType'], resourceName: string, operation: Acl['operation']): Acl => ({
    resourceType,
    resourceName,
    resourcePatternType: ResourcePatternTypes.LITERAL,
    principal: `User:${name}`,
    host: anyHost,
    operation,
    permissionType: AclPermissionTypes.ALLOW,
  });
  return [
    ...writes.map((topic) => acl(TOPIC, topic, WRITE)),
    ...reads.map((topic) => acl(TOPIC, topic, READ)),
    ...groups.flatMap((group) => [acl(GROUP, group, READ), acl(GROUP, group, DESCRIBE_CONFIGS)]),
    ...(seesDisks ? [acl(CLUSTER, 'kafka-cluster', DESCRIBE)] : []),
  ];
}

export function encode(record: OutRecord): EncodedRecord {
  const key = Buffer.from(record.key);
  const value = record.value === null ? null : Buffer.from(record.value);
  const headers = new Map<Buffer, Buffer>();
  let bytes = key.length + (value?.length ?? 0) + 40;
  for (const name in record.headers) {
    const [k, v] = [Buffer.from(name), Buffer.from(record.headers[name]!)];
    headers.set(k, v);
    bytes += k.length + v.length + 6;
  }
  return { key, value, headers, bytes };
}

const isControl = 0x20;
const isLogAppendTime = 0x08;
/** A broker that hangs answers nothing, and another one may lead its partitions by then. */
const timeouts: Record<string, number> = { control: 2_000, admin: 20_000, group: 3_000, produce: 5_000, fetch: 5_000 };

/** The part of a fetch response for one partition. */
type FetchedPartition = Awaited<ReturnType<typeof fetchV15.api.async>>['responses'][number]['partitions'][number];

/** Returns the records of one partition from the offset `from` on. */
function readPartition(topic: string, from: number, p: FetchedPartition): Fetched {
  const fetched: Fetched = {
    topic,
    partition: p.partitionIndex,
    error: p.errorCode,
    records: [],
    bytes: 0,
    next: from,
    end: Number(p.highWatermark),
  };
  for (const batch of p.records ?? []) {
    const first = Number(batch.firstOffset);
    const firstAt = Number(batch.firstTimestamp);
    const stamp = (batch.attributes & isLogAppendTime) !== 0 ? Number(batch.maxTimestamp) : undefined;
    fetched.next = first + batch.lastOffsetDelta + 1;
    fetched.bytes += batch.length;
    if ((batch.attributes & isControl) !== 0) continue;
    for (const r of batch.records) {
      // A batch is stored and sent as a whole, even if it begins before the requested offset.
      if (first + r.offsetDelta < from) continue;
      const headers: Record<string, string> = {};
      for (const [k, v] of r.headers) headers[k?.toString() ?? ''] = v?.toString() ?? '';
      fetched.records.push({
        topic: fetched.topic,
        partition: fetched.partition,
        offset: BigInt(first + r.offsetDelta),
        timestamp: stamp ?? firstAt + Number(r.timestampDelta),
        key: r.key?.toString() ?? '',
        headers,
        value: r.value?.toString() ?? null,
      });
    }
  }
  return fetched;
}

export class KafkaClient {
  readonly topics = new Map<string, TopicInfo>();
  /** Topics that this user may not describe. */
  readonly refused = new Set<string>();
  private readonly byId = new Map<string, TopicInfo>();
  private readonly options: KafkaConnection;
  private readonly connections = new Map<string, Promise<Connection>>();
  private nodes = new Map<number, Node>();
  private readonly coordinators = new Map<string, Node>();
  private refreshing: Promise<void> | undefined;
  private lastGood: Node | undefined;
  private closed = false;

  constructor(options: KafkaConnection) {
    this.options = options;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(
      [...this.connections.values()].map((c) =>
        c.then(
          (connection) => connection.close(),
          () => undefined,
        ),
      ),
    );
  }

  /**
   * Retries while no broker answers, until this value of `performance.now`. An error answered by a broker is thrown at
   * once.
   */
  async patiently<R>(until: number, ask: () => Promise<R>): Promise<R> {
    for (let wait = 50; ; wait = Math.min(2 * wait, 1_000)) {
      try {
        return await ask();
      } catch (error) {
        if (this.closed || errorCodeOf(error) !== undefined || performance.now() + wait > until) throw error;
        if (wait === 50)
          log.warn(
            { brokers: this.options.brokers, error: (error as Error).message },
            'no broker answers: waiting for one',
          );
      }
      await new Promise((resolve) => {
        setTimeout(resolve, wait);
      });
    }
  }

  /** Throws a clear error when the brokers are too old or require a login. */
  async check(withinMs: number): Promise<void> {
    const { apiKeys } = await this.patiently(performance.now() + withinMs, async () => {
      const versions = await this.any(apiVersionsV3.api, 'carillon', '1');
      // Versions are answered to anyone, metadata only after a login.
      await this.read([]);
      return versions;
    });
    for (const api of [consumerGroupHeartbeatV1.api, produceV11.api, fetchV15.api] as {
      key: number;
      version: number;
    }[]) {
      if ((apiKeys.find((k) => k.apiKey === api.key)?.maxVersion ?? -1) < api.version)
        throw new Error('this Kafka is too old: 4.0 or newer is needed');
    }
  }

  private connection(node: Node, purpose: string): Promise<Connection> {
    if (this.closed) return Promise.reject(new Error('the bus is closed'));
    const at = `${node.host}:${node.port}/${purpose}`;
    let found = this.connections.get(at);
    if (!found) {
      const options: ConnectionOptions = {
        connectTimeout: 3_000,
        requestTimeout: timeouts[purpose.split('#')[0]!]!,
        maxInflights: 64,
        ...(this.options.tls ? { tls: this.options.tls } : {}),
        ...(this.options.sasl ? { sasl: this.options.sasl } : {}),
      };
      const made = new Connection(this.options.clientId ?? 'carillon', options);
      const forget = (): void => {
        if (this.connections.get(at) === found) this.connections.delete(at);
      };
      made.on('error', forget);
      made.on('close', forget);
      found = Promise.resolve(made.connect(node.host, node.port)).then(() => made);
      found.catch(forget);
      this.connections.set(at, found);
    }
    return found;
  }

  /** Fails the pending requests of this lane. */
  async release(purpose: string): Promise<void> {
    const mine = [...this.connections].filter(([at]) => at.endsWith(`/${purpose}`));
    for (const [at] of mine) this.connections.delete(at);
    await Promise.all(
      mine.map(([, c]) =>
        c.then(
          (connection) => connection.close(),
          () => undefined,
        ),
      ),
    );
  }

  private async call<A extends unknown[], R>(node: Node, purpose: string, api: API<A, R>, ...args: A): Promise<R> {
    try {
      return await api.async(await this.connection(node, purpose), ...args);
    } catch (error) {
      tellReason(error);
      throw error;
    }
  }

  /** Sends a request to any broker that answers. */
  private any<A extends unknown[], R>(api: API<A, R>, ...args: A): Promise<R> {
    return this.anyOn('control', api, ...args);
  }

  private async anyOn<A extends unknown[], R>(purpose: string, api: API<A, R>, ...args: A): Promise<R> {
    const known = [
      ...this.nodes.values(),
      ...this.options.brokers.map((b): Node => ({
        host: b.slice(0, b.lastIndexOf(':')),
        port: Number(b.slice(b.lastIndexOf(':') + 1)),
      })),
    ];
    const candidates = new Map(
      [...(this.lastGood ? [this.lastGood] : []), ...known].map((n) => [`${n.host}:${n.port}`, n]),
    ).values();
    let last: unknown;
    for (const node of candidates) {
      try {
        const answer = await this.call(node, purpose, api, ...args);
        this.lastGood = node;
        return answer;
      } catch (error) {
        if (errorCodeOf(error) !== undefined) throw error;
        last = error;
        this.lastGood = undefined;
      }
    }
    throw last;
  }

  private node(id: number): Node {
    const node = this.nodes.get(id);
    if (!node) throw new Error(id < 0 ? 'the partition has no leader now' : `broker ${id} is not there`);
    return node;
  }

  /** Reads the leaders of all known topics and of these. A topic that does not exist is left out. */
  async refresh(names: readonly string[] = []): Promise<void> {
    if (names.every((n) => this.topics.has(n)))
      return (this.refreshing ??= this.read([...this.topics.keys()]).finally(() => {
        this.refreshing = undefined;
      }));
    await this.read([...new Set([...this.topics.keys(), ...names])]);
  }

  private async read(names: string[]): Promise<void> {
    // Some topics may have errors of their own; the rest of the response is valid.
    const answer = await this.any(metadataV12.api, names, false, false).catch(
      partialAnswer<Awaited<ReturnType<typeof metadataV12.api.async>>>,
    );
    this.nodes = new Map(answer.brokers.map((b) => [b.nodeId, { host: b.host, port: b.port }]));
    for (const t of answer.topics) {
      if (t.name && t.errorCode === code.topicAuthorization) this.refused.add(t.name);
      if (!t.name || t.errorCode !== code.none || t.partitions.length === 0) continue;
      this.refused.delete(t.name);
      const leaders: number[] = [];
      for (const p of t.partitions)
        // A missing replica does not stop the leader.
        leaders[p.partitionIndex] =
          p.errorCode === code.none || p.errorCode === code.replicaNotAvailable ? p.leaderId : noLeader;
      const info = { name: t.name, id: t.topicId, leaders, replicas: t.partitions[0]!.replicaNodes.length };
      this.topics.set(t.name, info);
      this.byId.set(t.topicId, info);
    }
  }

  nameOf(topicId: string): TopicInfo | undefined {
    return this.byId.get(topicId);
  }

  /** Gives up the pending requests to this broker. */
  abandon(node: number): Promise<void> {
    return this.release(`produce#${node}`);
  }

  async createTopics(
    topics: readonly { name: string; partitions: number; configs: Record<string, string> }[],
  ): Promise<void> {
    const wanted = topics.map((t) => ({
      name: t.name,
      numPartitions: t.partitions,
      replicationFactor: defaultReplicas,
      assignments: [],
      configs: Object.entries(t.configs).map(([name, value]) => ({ name, value })),
    }));
    try {
      await this.anyOn('admin', createTopicsV7.api, wanted, createTimeoutMs, false);
    } catch (error) {
      const { errors } = error as { errors?: { apiCode?: number }[] };
      // Another process may have been faster.
      if (!errors?.length || errors.some((e) => e.apiCode !== code.topicExists)) throw error;
    }
  }

  /** Returns settings by resource name. */
  async describe(
    type: 'TOPIC' | 'GROUP',
    names: readonly string[],
    keys: string[],
  ): Promise<Map<string, Record<string, string | null>>> {
    const answer = await this.any(
      describeConfigsV4.api,
      names.map((resourceName) => ({ resourceType: ConfigResourceTypes[type], resourceName, configurationKeys: keys })),
      false,
      false,
    );
    return new Map(
      answer.results.map((r) => [r.resourceName, Object.fromEntries(r.configs.map((c) => [c.name, c.value ?? null]))]),
    );
  }

  async configure(topics: readonly { topic: string; configs: Record<string, string> }[]): Promise<void> {
    await this.anyOn(
      'admin',
      incrementalAlterConfigsV1.api,
      topics.map((t) => ({
        resourceType: ConfigResourceTypes.TOPIC,
        resourceName: t.topic,
        configs: Object.entries(t.configs).map(([name, value]) => ({
          name,
          configOperation: IncrementalAlterConfigOperationTypes.SET,
          value,
        })),
      })),
      false,
    );
  }

  /**
   * Sets passwords of users and grants missing permissions. Revokes none, because processes of the previous version are
   * still running during an installation.
   */
  async admit(users: readonly KafkaUser[]): Promise<void> {
    const credentials = await Promise.all(
      users.map(async ({ name, password }) => {
        const salt = randomBytes(24);
        return {
          name,
          mechanism: ScramMechanisms.SCRAM_SHA_256,
          iterations: scramIterations,
          salt,
          saltedPassword: await keyOf(password, salt, scramIterations, 32, 'sha256'),
        };
      }),
    );
    await this.anyOn('admin', alterUserScramCredentialsV0.api, [], credentials);
    for (const user of users) {
      const there = new Set((await this.acls(user.name)).map(textOf));
      const missing = aclsOf(user).filter((acl) => !there.has(textOf(acl)));
      if (missing.length > 0) await this.anyOn('admin', createAclsV3.api, missing);
    }
  }

  /** Returns permissions of users beyond these; `takeBack` revokes them. */
  async surplus(users: readonly KafkaRights[], takeBack: boolean): Promise<string[]> {
    const found: Acl[] = [];
    for (const user of users) {
      const wanted = new Set(aclsOf(user).map(textOf));
      found.push(...(await this.acls(user.name)).filter((acl) => !wanted.has(textOf(acl))));
    }
    if (takeBack && found.length > 0) await this.anyOn('admin', deleteAclsV3.api, found);
    return found.map(({ principal, operation, resourceName }) =>
      [principal.replace('User:', ''), operationNames.get(operation) ?? operation, resourceName].join(' '),
    );
  }

  private async acls(name: string): Promise<Acl[]> {
    const { resources } = await this.anyOn('admin', describeAclsV3.api, {
      resourceType: ResourceTypes.ANY,
      resourceName: null,
      resourcePatternType: ResourcePatternTypes.ANY,
      principal: `User:${name}`,
      host: null,
      operation: AclOperations.ANY,
      permissionType: AclPermissionTypes.ANY,
    });
    return resources.flatMap(({ acls, ...target }) => acls.map((permission) => ({ ...target, ...permission })));
  }

  async newProducer(): Promise<ProducerId> {
    const noTransactions = null;
    const { producerId, producerEpoch } = await this.any(initProducerIdV5.api, noTransactions, transactionTimeoutMs);
    return { id: producerId, epoch: producerEpoch };
  }

  /** Stores batches on all in-sync replicas. Returns the error code of each batch, in order. */
  async produce(node: number, producer: ProducerId, batches: readonly ProduceBatch[]): Promise<number[]> {
    const sequences = new NumericMap(batches.map((b) => [`${b.topic}:${b.partition}`, b.sequence]));
    const data = batches.flatMap((b) =>
      b.records.map((r) => ({
        topic: b.topic,
        partition: b.partition,
        key: r.key,
        value: r.value as Buffer,
        headers: r.headers,
      })),
    );
    const options = { producerId: producer.id, producerEpoch: producer.epoch, sequences, compression: 'none' as const };
    type Answer = { responses: { name: string; partitionResponses: { index: number; errorCode: number }[] }[] };
    // With acknowledgements requested, the result is never the bare "sent" of the package's type.
    const answer = (await this.call(
      this.node(node),
      `produce#${node}`,
      produceV11.api,
      ProduceAcks.ALL,
      produceTimeoutMs,
      data,
      options,
    ).catch(partialAnswer<Answer>)) as Answer;
    const codes = new Map(
      answer.responses.flatMap((t) => t.partitionResponses.map((p) => [`${t.name}:${p.index}`, p.errorCode])),
    );
    return batches.map((b) => codes.get(`${b.topic}:${b.partition}`) ?? code.notLeader);
  }

  /**
   * Fetches records and waits up to `maxWaitMs` for the first one. Each `lane` has its own connection, because a
   * waiting fetch blocks the requests behind it.
   */
  async fetch(
    node: number,
    lane: string,
    wanted: readonly { topic: TopicInfo; partition: number; from: number }[],
    maxWaitMs: number,
    maxBytes: number,
  ): Promise<Fetched[]> {
    const topics = [...Map.groupBy(wanted, (w) => w.topic.id)].map(([topicId, partitions]) => ({
      topicId,
      partitions: partitions.map((w) => ({
        partition: w.partition,
        currentLeaderEpoch: noLeaderEpoch,
        fetchOffset: BigInt(w.from),
        lastFetchedEpoch: noLeaderEpoch,
        partitionMaxBytes: Math.min(maxBytes, partitionBytes),
      })),
    }));
    type Answer = Awaited<ReturnType<typeof fetchV15.api.async>>;
    // The first record ends the wait.
    const minBytes = 1;
    const answer = await this.call(
      this.node(node),
      `fetch#${lane}`,
      fetchV15.api,
      maxWaitMs,
      minBytes,
      maxBytes,
      FetchIsolationLevels.READ_UNCOMMITTED,
      noFetchSession.id,
      noFetchSession.epoch,
      topics,
      noFetchSession.forgottenTopics,
      noFetchSession.rack,
    ).catch((error: unknown) => {
      const response = partialAnswer<Answer>(error);
      if (response.errorCode !== code.none) throw error;
      return response;
    });
    const from = new Map(wanted.map((w) => [`${w.topic.id} ${w.partition}`, w]));
    return answer.responses.flatMap((t) =>
      t.partitions.flatMap((p): Fetched[] => {
        const asked = from.get(`${t.topicId} ${p.partitionIndex}`);
        if (!asked) return [];
        return [readPartition(asked.topic.name, asked.from, p)];
      }),
    );
  }

  /** Returns the first or next offset of each partition; missing when the leader did not answer. */
  async offsets(
    at: 'first' | 'next',
    partitions: readonly { topic: string; partition: number }[],
  ): Promise<Map<string, number>> {
    const byLeader = Map.groupBy(partitions, (p) => this.topics.get(p.topic)?.leaders[p.partition] ?? noLeader);
    const result = new Map<string, number>();
    await Promise.all(
      [...byLeader].map(async ([leader, mine]) => {
        const topics = [...Map.groupBy(mine, (p) => p.topic)].map(([name, parts]) => ({
          name,
          partitions: parts.map((p) => ({
            partitionIndex: p.partition,
            currentLeaderEpoch: noLeaderEpoch,
            timestamp: at === 'first' ? ListOffsetTimestamps.EARLIEST : ListOffsetTimestamps.LATEST,
          })),
        }));
        const answer = await this.call(
          this.node(leader),
          'control',
          listOffsetsV8.api,
          noReplica,
          FetchIsolationLevels.READ_UNCOMMITTED,
          topics,
        );
        for (const t of answer.topics)
          for (const p of t.partitions) result.set(`${t.name} ${p.partitionIndex}`, Number(p.offset));
      }),
    );
    return result;
  }

  private async coordinator<A extends unknown[], R>(group: string, api: API<A, R>, ...args: A): Promise<R> {
    try {
      let node = this.coordinators.get(group);
      if (!node) {
        const {
          coordinators: [found],
        } = await this.any(findCoordinatorV4.api, FindCoordinatorKeyTypes.GROUP, [group]);
        this.coordinators.set(group, (node = { host: found!.host, port: found!.port }));
      }
      return await this.call(node, `group#${group}`, api, ...args);
    } catch (error) {
      const answered = errorCodeOf(error);
      if (answered === undefined || answered === code.coordinatorNotAvailable || answered === code.notCoordinator)
        this.coordinators.delete(group);
      throw error;
    }
  }

  /**
   * Sends a heartbeat. `joiningEpoch` joins, `leavingEpoch` leaves. `owned` are the partitions that this member works
   * on: a partition moves to another member only when it is no longer in `owned`.
   */
  async heartbeat(
    group: string,
    member: string,
    epoch: number,
    topics: readonly string[],
    owned: readonly Assigned[],
    rebalanceMs: number,
  ): Promise<Heartbeat> {
    const answer = await this.coordinator(
      group,
      consumerGroupHeartbeatV1.api,
      group,
      member,
      epoch,
      null,
      null,
      rebalanceMs,
      [...topics],
      null,
      null,
      [...owned],
    );
    return {
      epoch: answer.memberEpoch,
      intervalMs: answer.heartbeatIntervalMs,
      assignment: answer.assignment?.topicPartitions ?? null,
    };
  }

  async commit(
    group: string,
    member: string,
    epoch: number,
    positions: readonly { topic: string; partition: number; next: number }[],
  ): Promise<void> {
    await this.coordinator(
      group,
      offsetCommitV9.api,
      group,
      epoch,
      member,
      null,
      [...Map.groupBy(positions, (p) => p.topic)].map(([name, partitions]) => ({
        name,
        partitions: partitions.map((p) => ({
          partitionIndex: p.partition,
          committedOffset: BigInt(p.next),
          committedLeaderEpoch: noLeaderEpoch,
          committedMetadata: '',
        })),
      })),
    );
  }

  /** Returns the stored positions of a group, by `topic partition`. */
  async committed(group: string): Promise<Map<string, number>> {
    const {
      groups: [found],
    } = await this.coordinator(
      group,
      offsetFetchV9.api,
      [{ groupId: group, memberId: null, memberEpoch: noMemberEpoch, topics: null }],
      true,
    );
    return new Map(
      found!.topics.flatMap((t) =>
        t.partitions
          .filter((p) => p.committedOffset >= 0n)
          .map((p) => [`${t.name} ${p.partitionIndex}`, Number(p.committedOffset)]),
      ),
    );
  }

  /** Returns the log folders of all brokers with their disks. */
  async disks(): Promise<Disk[]> {
    if (this.nodes.size === 0) await this.refresh();
    const answers = await Promise.all(
      [...this.nodes].map(async ([id, node]) => {
        const { results } = await this.call(node, 'control', describeLogDirsV4.api, []);
        return results.map((dir) => ({
          name: `kafka-${id}:${dir.logDir}`,
          freeBytes: Number(dir.usableBytes),
          totalBytes: Number(dir.totalBytes),
        }));
      }),
    );
    return answers.flat();
  }

  async groups(): Promise<string[]> {
    if (this.nodes.size === 0) await this.refresh();
    const answers = await Promise.all(
      [...this.nodes.values()].map((node) => this.call(node, 'control', listGroupsV5.api, [], [])),
    );
    return [...new Set(answers.flatMap((a) => a.groups.map((g) => g.groupId)))];
  }
}
