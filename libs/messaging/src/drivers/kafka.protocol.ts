/**
 * What the Kafka driver's files share of the protocol: error codes, shapes of requests and answers, and the encoding of
 * records.
 */
import type { fetchV15 } from '@platformatic/kafka';
import type { BusRecord, OutRecord } from '../bus.ts';

export interface TopicInfo {
  name: string;
  id: string;
  /** Node id of each partition's leader; negative while there is none. */
  leaders: number[];
  replicas: number;
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
export function addReason(error: unknown): void {
  const { errors } = error as { errors?: { apiId?: string }[] };
  const reasons = [...new Set(errors?.flatMap((e) => e?.apiId ?? []))];
  if (reasons.length > 0) (error as Error).message += `: ${reasons.join(', ')}`;
}

/** Returns the response of an error that concerns only parts of it; rethrows an error without one. */
export function partialAnswer<Answer>(error: unknown): Answer {
  const { response } = error as { response?: Answer };
  if (!response) throw error;
  return response;
}

/** The node id of a partition without a leader. */
export const noLeader = -1;
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

/** The part of a fetch response for one partition. */
type FetchedPartition = Awaited<ReturnType<typeof fetchV15.api.async>>['responses'][number]['partitions'][number];

/** Returns the records of one partition from the offset `from` on. */
export function readPartition(topic: string, from: number, p: FetchedPartition): Fetched {
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
