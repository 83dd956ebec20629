import { Migration } from '@mikro-orm/migrations';

/** External apps in the menu. */
export class Migration20261121fExternalApp extends Migration {
  override up(): void {
    this.addSql(`create table "external_app_copy" ("id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "address" varchar(512) not null, "icon" varchar(64) not null, "role_ids" uuid[] null, "version" bigint not null, "era" int not null, primary key ("id"))`);
    this.addSql(`create index "external_app_copy_company" on "external_app_copy" ("company_id")`);
    this.addSql(`alter table "external_app_copy" enable row level security`);
    this.addSql(`alter table "external_app_copy" force row level security`);
    this.addSql(`create policy "external_app_copy_company_policy" on "external_app_copy" using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
