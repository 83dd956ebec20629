import { Migration } from '@mikro-orm/migrations';

/** Downloads by devices, and copies of who may load and of what is in use. */
export class Migration20261127Download extends Migration {
  override up(): void {
    this.addSql(`create table "device_copy" (
      "id" uuid not null, "company_id" uuid not null, "model" varchar(128) not null,
      "firmware" varchar(128) null, "previous_firmware" varchar(128) null, "owner_epoch" int not null,
      "version" bigint not null, "era" int not null, primary key ("id"))`);
    this.addSql(`create index "device_copy_model" on "device_copy" ("model")`);
    this.addSql(`create table "task_file_copy" (
      "id" uuid not null, "company_id" uuid not null, "noun" varchar(32) not null, "object_id" uuid not null,
      "stopped" boolean not null, "ended_at" timestamptz(3) null, "version" bigint not null, "era" int not null,
      primary key ("id"))`);
    this.addSql(`create index "task_file_copy_object" on "task_file_copy" ("object_id") where "ended_at" is null`);
    this.addSql(`create table "download" (
      "id" uuid not null, "company_id" uuid not null, "device_id" uuid not null, "file_id" uuid not null,
      "begun_at" timestamptz(3) not null, "until" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create index "download_until" on "download" ("until")`);
    this.addSql(`create index "download_file" on "download" ("file_id")`);
    for (const table of ['device_copy', 'task_file_copy', 'download']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
