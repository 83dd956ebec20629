import { Controller, Inject } from '@nestjs/common';
import { audit, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { CONFIG, emitLive } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { chainKey } from './chain.ts';
import { appendEntries } from './operation-log.queries.ts';

/** Stores audit entries of the services, one statement per batch of a company. */
@Controller()
export class OperationLogConsumer {
  private readonly key: Buffer;

  constructor(@Inject(CONFIG) config: NotificationConfig) {
    this.key = chainKey(config.mailKey);
  }

  @On(audit, ['entry'])
  async append(messages: Message<typeof audit>[]): Promise<void> {
    const entries = await appendEntries(messages, this.key);
    const companyId = messages[0]?.companyId;
    if (!companyId) return;
    await emitLive(
      companyId,
      'operationLog',
      entries.filter((e) => e.orgIds === null).map((e) => e.id),
      null,
    );
    const shared = entries.filter((e) => e.orgIds !== null);
    await emitLive(
      companyId,
      'operationLog',
      shared.map((e) => e.id),
      shared.flatMap((e) => e.orgIds!),
    );
  }
}
