import type { z } from 'zod';

/** Names of the services, as they appear in topics, contexts and process lists. */
export const services = [
  'gateway',
  'auth',
  'org',
  'device',
  'provisioning',
  'resource',
  'task',
  'notification',
  'license',
  'mqtt-gateway',
] as const;
export type ServiceName = (typeof services)[number];

/** Returns the Kafka user of a service's processes; `admin` manages the brokers. */
export const kafkaUserOf = (service: ServiceName | 'admin'): string => `carillon_${service}`;

export interface TopicDefinition {
  name: `${string}.v${number}`;
  /** Services that publish, `*` for all. Kafka refuses the others (docs/adr/0016-kafka-access.md). */
  writers: readonly ServiceName[] | '*';
  /**
   * Services that read. Kafka refuses the others; `apps/standalone/src/topic-access.spec.ts` compares this with the
   * code.
   */
  readers: readonly ServiceName[];
  /** Description of the key; messages are ordered per key. */
  key: string;
  /** Final: a change would break the order per key. The PostgreSQL log maps them to fewer. */
  partitions: number;
  /** `compact` keeps the last record of each key forever; `delete` keeps all for `retentionMs`. */
  cleanup: 'compact' | 'delete';
  retentionMs?: number;
  /** Message types of this topic. */
  events: Record<string, z.ZodType>;
}

/** Declares a topic. Kafka topics, AsyncAPI and the types of consumers are derived from it. */
export function topic<const T extends TopicDefinition>(definition: T): T {
  return definition;
}

export type EventType<T extends TopicDefinition> = keyof T['events'] & string;
export type EventData<T extends TopicDefinition, K extends EventType<T> = EventType<T>> = z.output<T['events'][K]>;

/** Headers of every message on the bus. */
export interface Envelope {
  /** UUIDv7 of the message: a consumer's inbox drops a second message with the same id. */
  id: string;
  type: string;
  /** Unix time in milliseconds at the writer. */
  at: number;
  /** Tenant, or null for messages of the whole installation. */
  companyId: string | null;
  orgId?: string | null;
  /** User id, or `system`. */
  actor?: string;
  /** Row version of the aggregate: a copy ignores a version that is not higher than its own. */
  version?: number;
  /** Raised at each restore from a backup: a lower era is dropped, a higher one resets versions. */
  era: number;
  /** Reason of a tombstone, when readers need it. */
  reason?: string;
  /** W3C trace context. */
  traceparent?: string;
}

/** One message as a handler receives it. `data` is null for a tombstone of a compacted topic. */
export interface Message<T extends TopicDefinition = TopicDefinition> extends Envelope {
  topic: T['name'];
  key: string;
  data: EventData<T> | null;
}
