import { Controller } from '@nestjs/common';
import { resourceDownload, taskFile, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { afterCommit } from '@carillon/persistence';
import { PhoneFileLoop } from './phone-file.loop.ts';
import { keepEnds, takeDownloads } from './phone-file.queries.ts';

/** Learns from the store how far phones are with their files, and from the tasks which of these they may load. */
@Controller()
export class PhoneFileConsumer {
  constructor(private readonly loop: PhoneFileLoop) {}

  @On(resourceDownload, ['begun', 'loaded'])
  async download(messages: Message<typeof resourceDownload>[]): Promise<void> {
    const idsOf = (type: 'begun' | 'loaded') =>
      messages.flatMap((message) => (message.type === type ? (message.data?.commandId ?? []) : []));
    await takeDownloads(idsOf('begun'), idsOf('loaded'));
  }

  /** A tombstone means that the task has ended. Its commands, which may be many, are ended by the loop. */
  @On(taskFile, ['file'])
  async task(messages: Message<typeof taskFile>[]): Promise<void> {
    const over = messages.flatMap(({ key, companyId, version, at, data }) =>
      companyId && data?.stopped !== false ? [{ taskId: key, companyId, at: version ?? at }] : [],
    );
    if (over.length === 0) return;
    await keepEnds(over);
    afterCommit(() => this.loop.wake());
  }
}
