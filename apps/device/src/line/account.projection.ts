import { Controller } from '@nestjs/common';
import { provisioningAccount, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { AccountCopy } from './account-copy.entity.ts';
import { releaseAccounts } from './line.queries.ts';

@Controller()
export class AccountProjection {
  @On(provisioningAccount, ['account'])
  async account(messages: Message<typeof provisioningAccount>[]): Promise<void> {
    await project(AccountCopy, messages, ({ companyId, orgId, name, number, server, closed }) => ({
      companyId,
      orgId,
      name,
      number,
      server,
      closed,
    }));
    const gone = messages.filter((m) => m.data === null).map((m) => m.key);
    if (gone.length > 0) await releaseAccounts(gone);
  }
}
