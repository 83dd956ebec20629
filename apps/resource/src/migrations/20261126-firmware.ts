import { Migration } from '@mikro-orm/migrations';

/** Firmware of companies, official firmware for all of them, and which companies there are. */
export class Migration20261126Firmware extends Migration {
  override up(): void {
    const columns = `"name" varchar(64) not null, "version" varchar(32) not null, "models" text[] not null,
      "description" varchar(2000) not null, "files" jsonb not null, "size" bigint not null,
      "notice_whom" varchar(16) not null, "notice_at" timestamptz(3) null, "noticed_at" timestamptz(3) null,
      "updated_at" timestamptz(3) not null, primary key ("id")`;
    this.addSql(`create table "firmware" ("id" uuid not null, "company_id" uuid not null, ${columns})`);
    this.addSql(`create unique index "firmware_version" on "firmware" ("company_id", lower("name"), lower("version"))`);
    this.addSql(`create table "official_firmware" ("id" uuid not null, "owner_id" uuid not null, ${columns})`);
    this.addSql(
      `create unique index "official_firmware_version" on "official_firmware" (lower("name"), lower("version"))`,
    );
    for (const table of ['firmware', 'official_firmware'])
      this.addSql(`create index "${table}_files" on "${table}" using gin ("files" jsonb_path_ops)`);
    this.addSql(`create table "company_copy" (
      "id" uuid not null, "company_id" uuid not null, "version" bigint not null, "era" int not null,
      primary key ("id"))`);
    for (const table of ['firmware', 'company_copy']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
