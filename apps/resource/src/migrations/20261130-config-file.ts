import { Migration } from '@mikro-orm/migrations';

/** Configuration that devices take as a file. */
export class Migration20261130ConfigFile extends Migration {
  override up(): void {
    this.addSql(`create table "config_file" (
      "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "description" varchar(256) not null,
      "models" text[] not null, "files" jsonb not null, "file_name" varchar(255) not null, "size" bigint not null,
      "file_version" int not null, "revision" int not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "config_file_name" on "config_file" ("company_id", lower("name"))`);
    this.addSql(`create index "config_file_files" on "config_file" using gin ("files" jsonb_path_ops)`);
    this.addSql(`alter table "config_file" enable row level security`);
    this.addSql(`alter table "config_file" force row level security`);
    this.addSql(`create policy "config_file_company_policy" on "config_file"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
    // A task may bring several files.
    this.addSql(`alter table "task_file_copy" add column "more_ids" uuid[] not null default '{}'`);
    this.addSql(
      `create index "task_file_copy_more" on "task_file_copy" using gin ("more_ids") where "ended_at" is null`,
    );
  }
}
