import { Controller } from '@nestjs/common';
import { orgCompany, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { currentSql } from '@carillon/persistence';
import { accessChanged } from '../user/access.ts';

/**
 * Names and states of companies: a company that is locked or deactivated is as closed to its users as a disabled
 * account (AUTH-06).
 */
@Controller()
export class CompanyConsumer {
  @On(orgCompany, ['company'])
  async copy(messages: Message<typeof orgCompany>[]): Promise<void> {
    for (const { data, version } of messages) {
      if (!data) continue;
      const {
        rows: [before],
      } = await currentSql().query<{ status: string }>('select status from company_copy where id = $1', [data.id]);
      await currentSql().query(
        `
          insert into company_copy as c (id, company_id, name, status, version)
          values ($1, $1, $2, $3, $4)
          on conflict (id) do update set name = excluded.name, status = excluded.status, version = excluded.version
          where c.version < excluded.version
        `,
        [data.id, data.name, data.status, version ?? 0],
      );
      if ((before?.status ?? 'normal') === data.status) continue;
      // The policies of its company are in force here, so these are all of its users.
      await accessChanged(
        (await currentSql().query<{ id: string }>('select id from user_account')).rows.map((u) => u.id),
      );
    }
  }
}
