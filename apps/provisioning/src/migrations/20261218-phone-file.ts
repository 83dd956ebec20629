import { Migration } from '@mikro-orm/migrations';

/** Files that commands tell phones over HTTP to load, and the tasks that ended. */
export class Migration20261218PhoneFile extends Migration {
  override up(): void {
    // Processes of the release before insert commands without these columns while this release starts.
    this.addSql(`alter table phone_command
      add column "task_id" uuid null,
      add column "file" jsonb null,
      add column "firmware_before" varchar(128) null,
      add column "ends_at" timestamptz(3) not null default now(),
      add column "start_due" boolean not null default false`);
    this.addSql(
      `create index phone_command_file on phone_command (ends_at) where state <> 'done' and file is not null`,
    );
    this.addSql(
      `create index phone_command_task on phone_command (task_id) where state <> 'done' and file is not null`,
    );
    this.addSql(`create index phone_command_start on phone_command (device_id) where start_due`);
    this.addSql(`create table "ended_task" (
      "id" uuid not null, "company_id" uuid not null, "task_id" uuid not null, "ended_at" timestamptz(3) not null,
      primary key ("id"))`);
    this.addSql(`create unique index "ended_task_task" on "ended_task" ("company_id", "task_id")`);
    this.addSql(`create index "ended_task_end" on "ended_task" ("ended_at")`);
    this.addSql(`alter table "ended_task" enable row level security`);
    this.addSql(`alter table "ended_task" force row level security`);
    this.addSql(`create policy "ended_task_company_policy" on "ended_task"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
