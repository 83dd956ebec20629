import { Migration } from '@mikro-orm/migrations';
import { deletedDdl } from '@carillon/service';

/**
 * When no task changes devices (TASK-12), with the tree of sites; how far a task is that runs on so many devices at
 * once (TASK-09); which of its devices wait for the end of a call (TASK-11).
 */
export class Migration20261126FreezePeriod extends Migration {
  override up(): void {
    this.addSql(`
      create table "freeze_period" (
        "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "site_ids" uuid[] not null,
        "begin_local" varchar(16) not null, "end_local" varchar(16) not null, "time_zone" varchar(64) not null,
        "begins_at" timestamptz(3) not null, "ends_at" timestamptz(3) not null, "thawed" boolean not null,
        "updated_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql('create index "freeze_period_end" on "freeze_period" ("company_id", "ends_at")');
    this.addSql('create index "freeze_period_to_thaw" on "freeze_period" ("ends_at") where not thawed');
    this.addSql(`
      create table "site_copy" (
        "id" uuid not null, "company_id" uuid not null, "parent_id" uuid null, "name" varchar(64) not null,
        "version" bigint not null, "era" int not null,
        primary key ("id")
      )
    `);
    this.addSql('create index "site_copy_parent" on "site_copy" ("parent_id")');
    this.addSql(`
      create table "task_sync" (
        "task_id" uuid not null, "company_id" uuid not null, "walked" uuid not null, "walked_at" timestamptz not null,
        "again" boolean not null,
        primary key ("task_id")
      ) with (fillfactor = 50)
    `);
    for (const table of ['freeze_period', 'site_copy', 'task_sync']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`
        create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)
      `);
    }
    this.addSql('alter table "task" add column "override_freeze" boolean not null default false');
    // Tasks that may go on, among all that there ever were.
    this.addSql('create index "task_going" on "task" ("company_id") where ended_at is null');
    this.addSql(`create index "task_device_busy" on "task_device" ("task_id") where code = 'busy'`);
    for (const sql of deletedDdl) this.addSql(sql);
  }
}
