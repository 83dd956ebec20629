import { Migration } from '@mikro-orm/migrations';

const seesAll = `(select current_setting('app.org_ids')) = '*'`;
const ids = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const own = `(${seesAll} or org_id = any (${ids}::uuid[]))`;
const ofTask = `(${seesAll} or exists (select 1 from task seen where seen.id = task_run.task_id))`;
const sums = ['total', 'success', 'fail', 'timeout', 'cancel', 'process', 'wait'];

/**
 * A task has a time, and runs: each firing and each re-run is one, with rows of its own for its devices (TASK-01,
 * TASK-04). The defaults are for processes of the earlier version that still run.
 */
export class Migration20261125bTaskRun extends Migration {
  override up(): void {
    this.addSql(`
      alter table "task" add column "schedule" jsonb not null default '{"type":"now"}',
        add column "time_zone" varchar(64) not null default 'Etc/UTC', add column "duration_minutes" int null,
        add column "sync" int not null default 0, add column "version_range" jsonb null,
        add column "begin_at" timestamptz not null default now(), add column "end_at" timestamptz null,
        add column "due_at" timestamptz null, add column "runs" int not null default 1,
        add column "missed" int not null default 0, add column "window_ends_at" timestamptz null
    `);
    this.addSql(`
      create table "task_run" (
        "task_id" uuid not null, "run" int not null, "company_id" uuid not null, "cause" varchar(16) not null,
        "devices" varchar(8) not null, "status" varchar(16) not null, "due_at" timestamptz null,
        "started_at" timestamptz not null, "ended_at" timestamptz null, primary key ("task_id", "run")
      )
    `);
    this.addSql('alter table "task_run" add constraint "task_run_task_id_due_at_unique" unique ("task_id", "due_at")');
    // What is there already: the owner reads past the policies, for as long as this transaction.
    this.addSql('alter table "task" no force row level security');
    this.addSql('update "task" set "begin_at" = "created_at"');
    this.addSql(`
      insert into "task_run" (task_id, run, company_id, cause, devices, status, started_at, ended_at)
      select id, 1, company_id, 'schedule', 'all', status, coalesce(started_at, created_at), ended_at
      from task
    `);
    this.addSql('alter table "task" force row level security');
    this.addSql(`
      create table "task_run_organization" (
        "task_id" uuid not null, "run" int not null, "org_id" uuid not null, "company_id" uuid not null,
        ${sums.map((c) => `"${c}" int not null`).join(', ')}, primary key ("task_id", "run", "org_id")
      )
    `);
    this.addSql('alter table "task_device" add column "run" int not null default 1');
    this.addSql('alter table "task_device" drop constraint "task_device_pkey"');
    this.addSql('alter table "task_device" add primary key ("task_id", "run", "device_id")');
    this.addSql('drop index "task_unexpanded"');
    this.addSql('create index "task_unexpanded" on "task" ("created_at") where not expanded and runs > 0');
    this.addSql('create index "task_due" on "task" ("due_at") where due_at is not null');
    for (const table of ['task_run', 'task_run_organization']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`
        create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)
      `);
    }
    for (const [table, seen] of [
      ['task_run', ofTask],
      ['task_run_organization', own],
    ])
      this.addSql(`
        create policy "organization" on "${table}" as restrictive using (${seen}) with check (${seen})
      `);
  }
}
