import { Migration } from '@mikro-orm/migrations';

/** Approval of tasks by a second person: the rule of a company, and what was asked and said of a task (TASK-08). */
export class Migration20261202TaskApproval extends Migration {
  override up(): void {
    this.addSql('alter table "task" add column "approval" jsonb null, add column "approval_from" int null');
    this.addSql(`create index "task_asked" on "task" ("company_id") where "approval" ->> 'state' = 'asked'`);
    this.addSql(`
      create table "approval_rule" (
        "id" uuid not null, "company_id" uuid not null, "devices" int null, "actions" jsonb not null,
        "updated_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql('alter table "approval_rule" enable row level security');
    this.addSql('alter table "approval_rule" force row level security');
    this.addSql(`
      create policy "approval_rule_company_policy" on "approval_rule"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
  }
}
