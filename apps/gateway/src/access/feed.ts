import type { Message, TopicDefinition } from '@carillon/contracts';
import { fromRecord, type BusRecord } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';

const log = createLogger('gateway');

/**
 * The message of a record; `unreadable` when it fits no contract, undefined when its type is not known here. One bad
 * record must not take the rest of its batch with it, and what it would have said about rights has to count as no.
 */
export function readRecord<T extends TopicDefinition>(
  topic: T,
  record: BusRecord,
): Message<T> | 'unreadable' | undefined {
  try {
    return fromRecord(topic, record);
  } catch (err) {
    log.error(
      { err, topic: topic.name, partition: record.partition, offset: String(record.offset) },
      'a record cannot be read',
    );
    return 'unreadable';
  }
}
