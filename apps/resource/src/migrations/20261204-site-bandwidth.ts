import { Migration } from '@mikro-orm/migrations';

/** At which site a device is, and the bandwidth that sites have. */
export class Migration20261204SiteBandwidth extends Migration {
  override up(): void {
    this.addSql('alter table "device_copy" add column "site_id" uuid null');
    this.addSql(`create table "site_copy" (
      "id" uuid not null, "company_id" uuid not null, "parent_id" uuid null, "download_mbit" int null,
      "version" bigint not null, "era" int not null, primary key ("id"))`);
    this.addSql(`create index "site_copy_parent" on "site_copy" ("parent_id")`);
    this.addSql(`alter table "site_copy" enable row level security`);
    this.addSql(`alter table "site_copy" force row level security`);
    this.addSql(`create policy "site_copy_company_policy" on "site_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
