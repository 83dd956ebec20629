import { v7 as uuidv7 } from 'uuid';
import type { Envelope, Message, TopicDefinition } from '@carillon/contracts';
import type { BusRecord, OutRecord } from './bus.ts';

/**
 * Converts the envelope to headers of the bus; the value holds only the data. Null and absent fields have no header.
 */
export function toHeaders(envelope: Envelope): Record<string, string> {
  const headers: Record<string, string> = {
    id: envelope.id,
    type: envelope.type,
    at: String(envelope.at),
    era: String(envelope.era),
  };
  if (envelope.companyId) headers['companyId'] = envelope.companyId;
  if (envelope.orgId) headers['orgId'] = envelope.orgId;
  if (envelope.actor) headers['actor'] = envelope.actor;
  if (envelope.version !== undefined) headers['version'] = String(envelope.version);
  if (envelope.reason) headers['reason'] = envelope.reason;
  if (envelope.traceparent) headers['traceparent'] = envelope.traceparent;
  return headers;
}

/** Returns an envelope with a new id and the current time. */
export function envelope(
  type: string,
  given: Omit<Partial<Envelope>, 'type'> & { companyId: string | null },
): Envelope {
  return { ...given, id: given.id ?? uuidv7(), type, at: given.at ?? Date.now(), era: given.era ?? 1 };
}

export function toRecord(topic: TopicDefinition, key: string, data: unknown, envelope: Envelope): OutRecord {
  return { topic: topic.name, key, headers: toHeaders(envelope), value: data === null ? null : JSON.stringify(data) };
}

/** A record whose envelope or data violates its contract: retrying cannot help. */
export class PoisonError extends Error {}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the message of a record, checked against its topic; undefined when its type is unknown here (a newer writer).
 */
export function fromRecord<T extends TopicDefinition>(topic: T, record: BusRecord): Message<T> | undefined {
  const { id, type, at, era, companyId, orgId, actor, version, reason, traceparent } = record.headers;
  if (!id || !type || !uuid.test(id)) throw new PoisonError('the envelope has no id or no type');
  if (companyId && !uuid.test(companyId)) throw new PoisonError('the company is no id');
  const schema = topic.events[type];
  if (!schema) return undefined;
  let data: unknown = null;
  if (record.value !== null) {
    let json: unknown;
    try {
      json = JSON.parse(record.value);
    } catch {
      throw new PoisonError('the value is not JSON');
    }
    const parsed = schema.safeParse(json);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new PoisonError(`the data does not fit ${topic.name} ${type}: ${issue?.path.join('.')} ${issue?.message}`);
    }
    data = parsed.data;
  }
  return {
    topic: topic.name,
    key: record.key,
    id,
    type,
    at: Number(at ?? record.timestamp),
    era: Number(era ?? 1),
    companyId: companyId ?? null,
    orgId: orgId ?? null,
    ...(actor ? { actor } : {}),
    ...(version ? { version: Number(version) } : {}),
    ...(reason ? { reason } : {}),
    ...(traceparent ? { traceparent } : {}),
    data: data as Message<T>['data'],
  };
}
