import { Migration } from '@mikro-orm/migrations';
import { segmentsSql } from '../site/site.entity.ts';

/** Publishes all sites once more, because `task` copies the time zone of each, too. */
export class Migration20261219SiteTold extends Migration {
  override up(): void {
    const tables = ['site', 'site_segment'];
    // The owner reads past the policies, for as long as this transaction.
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security`);
    this.addSql('update "site" set "version" = "version" + 1');
    this.addSql(`
      insert into "outbox" ("topic", "key", "headers", "value")
      select 'org.site.v1', s.id::text,
        jsonb_build_object(
          'id', gen_random_uuid()::text, 'type', 'site',
          'at', (extract(epoch from now()) * 1000)::bigint::text, 'era', '1', 'companyId', s.company_id::text,
          'actor', 'system', 'version', s.version::text
        ),
        jsonb_build_object(
          'id', s.id, 'companyId', s.company_id, 'parentId', s.parent_id, 'name', s.name,
          'segments', ${segmentsSql('s')}, 'autoAssign', s.auto_assign, 'downloadMbit', s.download_mbit,
          'timeZone', s.time_zone
        )::text
      from "site" s
      order by s.id
    `);
    for (const table of tables) this.addSql(`alter table "${table}" force row level security`);
  }
}
