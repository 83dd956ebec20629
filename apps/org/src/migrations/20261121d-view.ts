import { Migration } from '@mikro-orm/migrations';

/** Saved views of lists. */
export class Migration20261121dView extends Migration {
  override up(): void {
    this.addSql(`create table "view" ("id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "list" varchar(32) not null, "name" varchar(64) not null, "shared" boolean not null, "state" jsonb not null, "layout" jsonb not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "view_name" on "view" ("company_id", "list", "user_id", lower("name"))`);
    this.addSql(`alter table "view" enable row level security`);
    this.addSql(`alter table "view" force row level security`);
    this.addSql(`create policy "view_company_policy" on "view" using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
