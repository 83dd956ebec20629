import { Migration } from '@mikro-orm/migrations';

/** Configuration templates, and what each device gets of them. */
export class Migration20261211ConfigTemplate extends Migration {
  override up(): void {
    this.addSql(`
      alter table "device_copy"
        add column "model" varchar(128) not null default '',
        add column "owner_epoch" int not null default 0
    `);
    this.addSql(`create index "device_copy_model" on "device_copy" ("company_id", "model", "id")`);
    this.addSql(`create table "config_template" (
      "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "description" varchar(256) not null,
      "level" varchar(16) not null, "model" varchar(64) null, "values" jsonb not null, "version" int not null,
      "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "config_template_name" on "config_template" ("company_id", lower("name"))`);
    this.addSql(`
      create unique index "config_template_target" on "config_template" ("company_id", "level", coalesce("model", ''))
    `);
    this.addSql(`create table "config_pass" (
      "id" uuid not null, "company_id" uuid not null, "model" varchar(64) null, "after" uuid null,
      "lease_until" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create table "config_content" (
      "id" uuid not null, "company_id" uuid not null, "values" jsonb not null, "text" text not null,
      "sha256" varchar(64) not null,
      "made_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create table "device_config" (
      "id" uuid not null, "company_id" uuid not null, "content_id" uuid not null, "content_version" varchar(32) not null,
      "revision" int not null, "changed_at" timestamptz(3) not null, "loaded_at" timestamptz(3) null,
      "loaded_version" varchar(32) null, primary key ("id"))`);
    for (const table of ['config_template', 'config_pass', 'config_content', 'device_config']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
