import { Controller } from '@nestjs/common';
import { audit, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { appendEntries } from './operation-log.queries.ts';
import { emitLive } from '@carillon/service';

/** What the services say was done: a batch of one company is one statement. */
@Controller()
export class OperationLogConsumer {
  @On(audit, ['entry'])
  async append(messages: Message<typeof audit>[]): Promise<void> {
    const ids = await appendEntries(messages);
    const companyId = messages[0]?.companyId;
    if (companyId) await emitLive(companyId, 'operationLog', ids, null);
  }
}
