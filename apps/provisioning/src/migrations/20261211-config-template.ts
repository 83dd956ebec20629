import { Migration } from '@mikro-orm/migrations';

/** Configuration templates, and what each device gets of them. */
export class Migration20261211ConfigTemplate extends Migration {
  override up(): void {
    this.addSql(`
      alter table "device_copy"
        add column "model" varchar(128) not null default '',
        add column "owner_epoch" int not null default 0,
        add column "site_id" uuid null,
        add column "group_ids" uuid[] not null default '{}'
    `);
    this.addSql(`create index "device_copy_model" on "device_copy" ("company_id", "model", "id")`);
    this.addSql(`alter table "site_copy" add column "parent_id" uuid null`);
    this.addSql(`create table "config_template" (
      "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "description" varchar(256) not null,
      "level" varchar(16) not null, "target" varchar(64) null, "values" jsonb not null, "version" int not null,
      "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "config_template_name" on "config_template" ("company_id", lower("name"))`);
    this.addSql(`
      create unique index "config_template_target" on "config_template" ("company_id", "level", coalesce("target", ''))
    `);
    this.addSql(`create table "config_due" (
      "id" uuid not null, "company_id" uuid not null, "since" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create index "config_due_company" on "config_due" ("company_id", "id")`);
    this.addSql(`create table "config_change" (
      "id" uuid not null, "company_id" uuid not null, "concern" varchar(16) not null, "targets" text[] not null,
      primary key ("id"))`);
    this.addSql(`create index "config_change_company" on "config_change" ("company_id", "id")`);
    this.addSql(`create table "config_content" (
      "id" uuid not null, "company_id" uuid not null, "sealed" text not null, "used_at" timestamptz(3) not null,
      primary key ("id"))`);
    this.addSql(`create table "device_config" (
      "id" uuid not null, "company_id" uuid not null, "content_id" uuid not null, "content_version" varchar(32) not null,
      "revision" int not null, "lines" int[] not null, "changed_at" timestamptz(3) not null,
      "loaded_at" timestamptz(3) null, "loaded_version" varchar(32) null, primary key ("id"))`);
    this.addSql(`create index "device_config_content" on "device_config" ("content_id")`);
    for (const table of ['config_template', 'config_change', 'config_due', 'config_content', 'device_config']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
