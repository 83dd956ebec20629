import { Migration } from '@mikro-orm/migrations';

/** How a task paces itself: tries of a device, its place in a spread, and limits by site (TASK-07, TASK-09). */
export class Migration20261201TaskPace extends Migration {
  override up(): void {
    this.addSql('alter table "task" add column "pace" jsonb null');
    this.addSql(`
      alter table "task_device" add column "try_number" int not null default 1, add column "not_before" timestamptz null,
        add column "tried" jsonb not null default '[]', add column "site_id" uuid null
    `);
    this.addSql(`
      create index "task_device_paced" on "task_device" ("not_before")
      where "not_before" is not null and "status" = 'wait'
    `);
    this.addSql(`
      create index "task_device_site" on "task_device" ("task_id", "site_id", "device_id")
      where "site_id" is not null and "ended_at" is null
    `);
    this.addSql(`
      create table "task_site" (
        "task_id" uuid not null, "site_id" uuid not null, "company_id" uuid not null, "told" timestamptz[] not null default '{}',
        primary key ("task_id", "site_id")
      )
    `);
    this.addSql('alter table "task_site" enable row level security');
    this.addSql('alter table "task_site" force row level security');
    this.addSql(`
      create policy "task_site_company_policy" on "task_site"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
