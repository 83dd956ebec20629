import { Migration } from '@mikro-orm/migrations';

/**
 * A device without a template and an account has no configuration. Those that once had a template, and never an
 * account, still have an empty one: they are due once more, so that the services that copied it are told.
 */
export class Migration20261214ConfigEnd extends Migration {
  override up(): void {
    this.addSql(`
      alter table "device_config" alter column "content_id" drop not null, alter column "content_version" drop not null
    `);
    const tables = ['device_config', 'config_due'];
    // The owner reads past the policies, for as long as this transaction.
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`
      insert into "config_due" ("id", "company_id", "since")
      select c."id", c."company_id", now() from "device_config" c where c."lines" = '{}'
      on conflict ("id") do nothing
    `);
    for (const table of tables) this.addSql(`alter table "${table}" force row level security`);
  }
}
