import { Migration } from '@mikro-orm/migrations';

/** Which configuration each device had when, and the versions by which contents are found. */
export class Migration20261215ConfigPeriod extends Migration {
  override up(): void {
    this.addSql('alter table "device_config" add column "sources" jsonb null');
    this.addSql('alter table "config_content" add column "version" varchar(32) null');
    const tables = ['device_config', 'config_content'];
    // The owner reads past the policies, for as long as this transaction.
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`
      update "config_content" x set "version" = c."content_version" from "device_config" c where c."content_id" = x."id"
    `);
    for (const table of tables) this.addSql(`alter table "${table}" force row level security`);
    this.addSql('create index "config_content_version" on "config_content" ("company_id", "version")');
    this.addSql(`create table "config_period" (
      "id" uuid not null, "company_id" uuid not null, "device_id" uuid not null, "version" varchar(128) not null,
      "content_id" uuid null, "sources" jsonb null, "way" varchar(8) not null, "from_at" timestamptz(3) not null,
      "until_at" timestamptz(3) null, primary key ("id"))`);
    this.addSql(`create unique index "config_period_open" on "config_period" ("device_id") where ("until_at" is null)`);
    this.addSql(`create index "config_period_device" on "config_period" ("device_id", "from_at" desc)`);
    this.addSql(`create index "config_period_content" on "config_period" ("content_id")`);
    this.addSql(`create index "config_period_until" on "config_period" ("until_at")`);
    this.addSql(`alter table "config_period" enable row level security`);
    this.addSql(`alter table "config_period" force row level security`);
    this.addSql(`create policy "config_period_company_policy" on "config_period"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
