import { Controller } from '@nestjs/common';
import { orgCompany, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { currentSql } from '@carillon/persistence';

/** Names of companies, for who asks who he is. */
@Controller()
export class CompanyConsumer {
  @On(orgCompany, ['company'])
  async copy(messages: Message<typeof orgCompany>[]): Promise<void> {
    for (const { data, version } of messages) {
      if (!data) continue;
      await currentSql().query(`
        insert into company_copy as c (id, company_id, name, status, version) values ($1, $1, $2, $3, $4)
        on conflict (id) do update set name = excluded.name, status = excluded.status, version = excluded.version where c.version < excluded.version`,
      [data.id, data.name, data.status, version ?? 0]);
    }
  }
}
