import { Injectable } from '@nestjs/common';
import { currentSql, Database } from '@carillon/persistence';
import { Retention } from '@carillon/service';

/** Deletes the versions of templates whose deletion can no longer be undone. */
@Injectable()
export class ConfigTemplateVersionRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'versions of configuration templates that do not exist any more',
      everyMs: 3_600_000,
      forget: async () => {
        const { rowCount } = await currentSql().query(`
          delete from config_template_version v
          where not exists (select 1 from config_template t where t.id = v.template_id)
            and not exists (select 1 from deleted d where d.id = v.template_id)
        `);
        return rowCount;
      },
    });
  }
}
