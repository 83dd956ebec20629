import { Controller } from '@nestjs/common';
import { orgCompany, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { currentSql } from '@carillon/persistence';

@Controller()
export class CompanyProjection {
  @On(orgCompany, ['company'])
  async company(messages: Message<typeof orgCompany>[]): Promise<void> {
    for (const { data, version, era } of messages) {
      if (!data) continue;
      await currentSql().query(
        `
          insert into company_copy as c (id, company_id, version, era)
          values ($1, $1, $2, $3)
          on conflict (id) do update set version = excluded.version, era = excluded.era
          where (c.era, c.version) < (excluded.era, excluded.version)
        `,
        [data.id, version ?? 0, era],
      );
    }
  }
}
