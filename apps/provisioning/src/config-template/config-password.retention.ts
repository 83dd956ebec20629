import { Injectable } from '@nestjs/common';
import { passwordKeys } from '@carillon/contracts';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';

/** Deletes passwords that no template, none of its versions and no deleted template names any more. */
@Injectable()
export class ConfigPasswordRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'passwords that no configuration template has any more',
      everyMs: 3_600_000,
      forget: async () => {
        const { rowCount } = await currentSql().query(
          `
            delete from config_password p
            -- The transaction that uses it may not have stored its template yet.
            where p.used_at < now() - interval '1 hour' and p.id::text not in (
              select v ->> k
              from unnest($1::text[]) k,
                (
                  select t."values" from config_template t
                  union all
                  select o."values" from config_template_version o
                  union all
                  select d.row -> 'values' from deleted d where d.kind = 'configTemplate'
                ) a (v)
              where v ->> k is not null
            )
          `,
          [passwordKeys],
        );
        return rowCount;
      },
    });
  }
}
