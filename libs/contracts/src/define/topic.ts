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

/** The user of Kafka that the processes of a service are; `admin` looks after the brokers. */
export const kafkaUserOf = (service: ServiceName | 'admin'): string => `carillon_${service}`;

export interface TopicDefinition {
  name: `${string}.v${number}`;
  /** Whoever publishes, `*` every service. Kafka refuses the others (docs/adr/0016-kafka-access.md). */
  writers: readonly ServiceName[] | '*';
  /** Whoever reads it. Kafka refuses the others; `apps/standalone/src/topic-access.spec.ts` compares it with the code. */
  readers: readonly ServiceName[];
  /** What the key is, in words; the order is kept per key. */
  key: string;
  /** Final: a change would break the order per key. The PostgreSQL log folds them into fewer. */
  partitions: number;
  /** `compact` keeps the last record of each key for ever; `delete` keeps all for `retentionMs`. */
  cleanup: 'compact' | 'delete';
  retentionMs?: number;
  /** Message types of this topic. */
  events: Record<string, z.ZodType>;
}

/** Declares a topic. Kafka topics, AsyncAPI and the consumers' types come from it. */
export function topic<const T extends TopicDefinition>(definition: T): T {
  return definition;
}

export type EventType<T extends TopicDefinition> = keyof T['events'] & string;
export type EventData<T extends TopicDefinition, K extends EventType<T> = EventType<T>> = z.output<T['events'][K]>;

/** What travels beside the data of every message, as headers on the bus. */
export interface Envelope {
  /** UUIDv7 of the message: a consumer's inbox drops the second with the same id. */
  id: string;
  type: string;
  /** Epoch milliseconds at the writer. */
  at: number;
  /** Tenant, or null for what belongs to the installation. */
  companyId: string | null;
  orgId?: string | null;
  /** User id, or `system`. */
  actor?: string;
  /** Row version of the aggregate: a copy ignores one that is not higher than its own. */
  version?: number;
  /** Raised at each restore from a backup: a lower era is dropped, a higher one resets versions. */
  era: number;
  /** Of a tombstone: why, where that makes a difference to who reads it. */
  reason?: string;
  /** W3C trace context. */
  traceparent?: string;
}

/** One message as a handler sees it. `data` is null for a tombstone of a compacted topic. */
export interface Message<T extends TopicDefinition = TopicDefinition> extends Envelope {
  topic: T['name'];
  key: string;
  data: EventData<T> | null;
}
