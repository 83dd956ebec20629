import { Migration } from '@mikro-orm/migrations';
import { inboxDdl, outboxDdl } from '@carillon/messaging';
import { deletedDdl, exportDdl } from '@carillon/service';

/** Uploads, the bytes that they become, and resource files. */
export class Migration20261125Resource extends Migration {
  override up(): void {
    for (const sql of [...outboxDdl, ...inboxDdl, ...deletedDdl, ...exportDdl]) this.addSql(sql);
    this.addSql(`create table "stored_file" (
      "id" uuid not null, "company_id" uuid not null, "sha256" varchar(64) not null, "size" bigint not null,
      "used_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "stored_file_sha256" on "stored_file" ("company_id", "sha256")`);
    this.addSql(`create table "upload" (
      "id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "noun" varchar(32) not null,
      "name" varchar(255) not null, "size" bigint not null, "stored_id" uuid null, "writer" uuid null,
      "writing_until" timestamptz(3) null, "expires_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create index "upload_user" on "upload" ("user_id")`);
    this.addSql(`create index "upload_expires" on "upload" ("expires_at")`);
    this.addSql(`create table "resource_file" (
      "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "type" varchar(16) not null,
      "description" varchar(256) not null, "files" jsonb not null, "file_names" text not null, "size" bigint not null,
      "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "resource_file_name" on "resource_file" ("company_id", lower("name"))`);
    this.addSql(`create index "resource_file_files" on "resource_file" using gin ("files" jsonb_path_ops)`);
    for (const table of ['stored_file', 'upload', 'resource_file']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
