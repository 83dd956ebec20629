import { Controller } from '@nestjs/common';
import { resourceDownload, taskFile, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { endOfTasks, takeDownloads } from './phone-file.queries.ts';

/** Learns from the store how far phones are with their files, and from the tasks which of these they may load. */
@Controller()
export class PhoneFileConsumer {
  @On(resourceDownload, ['begun', 'loaded'])
  async download(messages: Message<typeof resourceDownload>[]): Promise<void> {
    for (const type of ['begun', 'loaded'] as const) {
      const ids = messages.flatMap((message) => (message.type === type ? (message.data?.commandId ?? []) : []));
      if (ids.length > 0) await takeDownloads(type, ids);
    }
  }

  /** A tombstone means that the task has ended. */
  @On(taskFile, ['file'])
  async task(messages: Message<typeof taskFile>[]): Promise<void> {
    const over = messages.filter(({ data }) => data?.stopped !== false);
    if (over.length > 0) await endOfTasks(over.map(({ key, at }) => ({ taskId: key, at })));
  }
}
