import type { TopicDefinition } from '@carillon/contracts';
import type { Bus } from './bus.ts';
import { fromRecord } from './record.ts';

/**
 * Reads a compacted topic to its end. Returns the newest version of each key that is not deleted, 0 where a record has
 * none. A publisher compares it with its table when it starts: a new or restored bus lacks records.
 */
export async function publishedVersions(bus: Bus, topic: TopicDefinition): Promise<ReadonlyMap<string, number>> {
  const known = new Map<string, number>();
  const copy = await bus.fanout({
    topics: [topic.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const message = fromRecord(topic, record);
        if (message?.data) known.set(record.key, message.version ?? 0);
        else known.delete(record.key);
      }
    },
  });
  await copy.caughtUp;
  await copy.close();
  return known;
}
