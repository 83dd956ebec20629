import { Migration } from '@mikro-orm/migrations';

/** Files that commands tell phones over HTTP to load. */
export class Migration20261218PhoneFile extends Migration {
  override up(): void {
    this.addSql(`alter table phone_command
      add column "task_id" uuid null,
      add column "file" jsonb null,
      add column "firmware_before" varchar(128) null,
      add column "ends_at" timestamptz(3) not null default now()`);
    // It has a meaning for commands with a file only, and there is none yet.
    this.addSql('alter table phone_command alter column ends_at drop default');
    this.addSql(
      `create index phone_command_file on phone_command (ends_at) where state <> 'done' and file is not null`,
    );
    this.addSql(
      `create index phone_command_task on phone_command (task_id) where state <> 'done' and file is not null`,
    );
    this.addSql(
      `create index phone_command_loaded on phone_command (device_id) where state = 'done' and file is not null`,
    );
  }
}
