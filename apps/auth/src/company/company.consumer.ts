import { Controller } from '@nestjs/common';
import { orgCompany, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { columns, currentSql } from '@carillon/persistence';
import { accessChanged } from '../user/access.ts';
import { User } from '../user/user.entity.ts';
import { CompanyCopy } from './company.entity.ts';

const known = columns(CompanyCopy, 'c', ['status']);
const user = columns(User, 'u', ['id']);

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
      const [before] = await currentSql().rows(known, `select ${known} from company_copy c where c.id = $1`, [data.id]);
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
      const users = await currentSql().rows(user, `select ${user} from user_account u`);
      await accessChanged(users.map((u) => u.id));
    }
  }
}
