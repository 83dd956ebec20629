import { Migration } from '@mikro-orm/migrations';

/** How many devices each large task may tell now (TASK-07). A table of its own: the sums of a task are not locked for it. */
export class Migration20261121TaskRate extends Migration {
  override up(): void {
    this.addSql('create table "task_rate" ("task_id" uuid not null, "company_id" uuid not null, "rest" float8 not null, "given" int not null, "at" timestamptz not null, primary key ("task_id")) with (fillfactor = 50)');
    this.addSql('alter table "task_rate" enable row level security');
    this.addSql('alter table "task_rate" force row level security');
    this.addSql(`create policy "task_rate_company_policy" on "task_rate" using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
