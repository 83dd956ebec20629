import { Migration } from '@mikro-orm/migrations';

const policy = `((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))`;

/** What happened to devices (SYS-05). No reference to the device: its log outlives it. */
export class Migration20261122DeviceLog extends Migration {
  override up(): void {
    this.addSql('create table "device_log" ("id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "device_id" uuid not null, "mac" varchar(12) not null, "at" timestamptz(3) not null, "kind" varchar(32) not null, "detail" jsonb not null, primary key ("id"))');
    this.addSql('alter table "device_log" enable row level security');
    this.addSql('alter table "device_log" force row level security');
    this.addSql(`create policy "organization" on "device_log" as restrictive using (${policy}) with check (${policy})`);
    this.addSql(`create policy "device_log_company_policy" on "device_log" using ("company_id" = current_setting('app.company_id')::uuid)`);
    // Newest first, with what the policies and the filter of kinds read: a count looks into nothing else.
    this.addSql('create index "device_log_company_at" on "device_log" ("company_id", "at", "id") include ("org_id", "kind")');
    this.addSql('create index "device_log_device_at" on "device_log" ("device_id", "at", "id") include ("company_id", "org_id", "kind")');
    this.addSql('create index "device_log_at" on "device_log" using brin ("at")');
  }
}
