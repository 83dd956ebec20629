import { Migration } from '@mikro-orm/migrations';

/** Orders of tasks that are kept to begin with another time. */
export class Migration20261201TaskTemplate extends Migration {
  override up(): void {
    this.addSql(`
      create table "task_template" (
        "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "order" jsonb not null,
        "creator_id" uuid not null, "creator_name" varchar(128) not null, "updated_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql('create unique index "task_template_name" on "task_template" ("company_id", lower("name"))');
    this.addSql('alter table "task_template" enable row level security');
    this.addSql('alter table "task_template" force row level security');
    this.addSql(`
      create policy "task_template_company_policy" on "task_template"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
