import type { Message, TopicDefinition } from '@carillon/contracts';
import { fromRecord, type BusRecord } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';

const log = createLogger('gateway');

/**
 * Returns the message of a record; `unreadable` when it violates the contract, undefined for an unknown type. A bad
 * record must not stop the rest of its batch, and whatever it would have granted counts as refused.
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
