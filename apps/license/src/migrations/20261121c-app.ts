import { Migration } from '@mikro-orm/migrations';

/** External apps of a company. */
export class Migration20261121cApp extends Migration {
  override up(): void {
    this.addSql(`create table "external_app" ("id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "address" varchar(512) not null, "icon" varchar(64) not null, "role_ids" uuid[] null, "version" int not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create index "external_app_company" on "external_app" ("company_id")`);
    this.addSql(`alter table "external_app" enable row level security`);
    this.addSql(`alter table "external_app" force row level security`);
    this.addSql(`create policy "external_app_company_policy" on "external_app" using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
