/**
 * With the files that it imports, all code that knows the client package (ADR 0008): its connections and its encoding
 * of Kafka's protocol. The other `kafka.*` files decide what is sent when and to which broker, and what is retried after
 * which answer, in Kafka's own terms.
 */
import {
  consumerGroupHeartbeatV1,
  FetchIsolationLevels,
  fetchV15,
  FindCoordinatorKeyTypes,
  findCoordinatorV4,
  initProducerIdV5,
  ListOffsetTimestamps,
  listOffsetsV8,
  NumericMap,
  offsetCommitV9,
  offsetFetchV9,
  ProduceAcks,
  produceV11,
  type API,
} from '@platformatic/kafka';
import { KafkaAdminClient } from './kafka.admin.ts';
import { KafkaConnections, type Node } from './kafka.connections.ts';
import {
  code,
  errorCodeOf,
  noLeader,
  partialAnswer,
  readPartition,
  type Assigned,
  type Fetched,
  type Heartbeat,
  type ProduceBatch,
  type ProducerId,
  type TopicInfo,
} from './kafka.protocol.ts';

/** Kafka's "none" for the epoch of a leader in a request. */
const noLeaderEpoch = -1;
/** The replica id of a client that is not a broker. */
const noReplica = -1;
/** The epoch of a client that reads a group's positions without being a member. */
const noMemberEpoch = -1;
/** The protocol requires a transaction timeout, although no transaction is begun. */
const transactionTimeoutMs = 60_000;
/** How long the leader waits for its replicas to store a batch. */
const produceTimeoutMs = 4_000;
/** Most bytes of one partition in one fetch. */
const partitionBytes = 262_144;
/** A fetch without a session: each request names all its partitions. */
const noFetchSession = { id: 0, epoch: -1, forgottenTopics: [], rack: '' };

/** Produces, fetches, and keeps the positions and memberships of consumer groups. */
export class KafkaClient extends KafkaConnections {
  readonly admin = new KafkaAdminClient(this);
  private readonly coordinators = new Map<string, Node>();

  /** Gives up the pending requests to this broker. */
  abandon(node: number): Promise<void> {
    return this.release(`produce#${node}`);
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
}
