import { Migration } from '@mikro-orm/migrations';

/** The firmware that a model, a site or a group is to have (STORE-07), and the tasks that bring it. */
export class Migration20261128TaskBaseline extends Migration {
  override up(): void {
    this.addSql(`
      create table "baseline" (
        "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "firmware_id" uuid not null,
        "model" varchar(128) null, "site_id" uuid null, "group_id" uuid null, "active" boolean not null,
        "from_local" varchar(5) null, "to_local" varchar(5) null, "time_zone" varchar(64) null,
        "creator_id" uuid not null, "creator_name" varchar(128) not null, "retried_at" timestamptz(3) not null,
        "look_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql('create unique index "baseline_name" on "baseline" ("company_id", lower("name"))');
    this.addSql('create index "baseline_look" on "baseline" ("look_at") where active');
    this.addSql('alter table "baseline" enable row level security');
    this.addSql('alter table "baseline" force row level security');
    this.addSql(`
      create policy "baseline_company_policy" on "baseline"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
    this.addSql('alter table "task" add column "baseline_id" uuid null');
    this.addSql('create index "task_baseline" on "task" ("baseline_id") where baseline_id is not null');
  }
}
