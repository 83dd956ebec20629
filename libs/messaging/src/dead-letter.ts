import type { Bus, BusRecord, OutRecord, TopicSpec } from './bus.ts';

const day = 86_400_000;

/** Returns the topic for messages that a service cannot handle. */
export const deadTopic = (service: string): TopicSpec => ({
  name: `${service}.dead.v1`,
  partitions: 3,
  cleanup: 'delete',
  retentionMs: 30 * day,
});

export function toDeadLetter(service: string, record: BusRecord, error: unknown): OutRecord {
  return {
    topic: deadTopic(service).name,
    key: record.key,
    value: record.value,
    headers: {
      ...record.headers,
      'dead-topic': record.topic,
      'dead-partition': String(record.partition),
      'dead-offset': String(record.offset),
      'dead-at': String(Date.now()),
      'dead-tombstone': String(record.value === null),
      'dead-error': `${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`.slice(0, 500),
    },
  };
}

export interface DeadLetter {
  /** Id of the message. */
  id: string;
  topic: string;
  type: string;
  key: string;
  companyId: string | null;
  at: number;
  error: string;
  record: OutRecord;
}

/** Returns the dead letters that were neither retried nor dropped yet. */
export async function listDeadLetters(bus: Bus, service: string): Promise<DeadLetter[]> {
  await bus.ensureTopics([deadTopic(service)]);
  const letters = new Map<string, DeadLetter>();
  const reader = await bus.fanout({
    topics: [deadTopic(service).name],
    from: 'start',
    handle(batch) {
      for (const record of batch.records) {
        const h = record.headers;
        const id = h['id'] ?? `${h['dead-topic']}/${h['dead-partition']}/${h['dead-offset']}`;
        if (h['dead-done']) {
          letters.delete(h['dead-done']);
          continue;
        }
        const headers = Object.fromEntries(Object.entries(h).filter(([name]) => !name.startsWith('dead-')));
        letters.set(id, {
          id,
          topic: h['dead-topic'] ?? '',
          type: h['type'] ?? '',
          key: record.key,
          companyId: h['companyId'] ?? null,
          at: Number(h['dead-at']),
          error: h['dead-error'] ?? '',
          record: {
            topic: h['dead-topic'] ?? '',
            key: record.key,
            headers,
            value: h['dead-tombstone'] === 'true' ? null : record.value,
          },
        });
      }
    },
  });
  await reader.caughtUp;
  await reader.close();
  return [...letters.values()].sort((a, b) => a.at - b.at);
}

/** A tombstone with the letter's own key, so that it follows the letter in the same partition. */
const done = (service: string, letter: DeadLetter): OutRecord => ({
  topic: deadTopic(service).name,
  key: letter.key,
  headers: { 'dead-done': letter.id },
  value: null,
});

/** Publishes dead letters again to their topics. Services that had handled them recognize the ids and do nothing. */
export async function retryDeadLetters(bus: Bus, service: string, letters: readonly DeadLetter[]): Promise<void> {
  for (const letter of letters) await bus.publish([letter.record, done(service, letter)]);
}

export async function dropDeadLetters(bus: Bus, service: string, letters: readonly DeadLetter[]): Promise<void> {
  await bus.publish(letters.map((letter) => done(service, letter)));
}
