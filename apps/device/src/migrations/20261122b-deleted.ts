import { Migration } from '@mikro-orm/migrations';

const policy = `((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))`;

/** Rows of deleted devices, for as long as their deletion can be taken back. */
export class Migration20261122bDeviceDeleted extends Migration {
  override up(): void {
    this.addSql(`create table "device_deleted" ("id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "user_id" uuid not null, "mac" varchar(12) not null, "row" jsonb not null, "deleted_at" timestamptz not null, primary key ("id"))`);
    this.addSql('create index "device_deleted_at" on "device_deleted" ("deleted_at")');
    this.addSql('create index "device_deleted_mac" on "device_deleted" ("mac")');
    this.addSql('alter table "device_deleted" enable row level security');
    this.addSql('alter table "device_deleted" force row level security');
    this.addSql(`create policy "organization" on "device_deleted" as restrictive using (${policy}) with check (${policy})`);
    this.addSql(`create policy "device_deleted_company_policy" on "device_deleted" using ("company_id" = current_setting('app.company_id')::uuid)`);
  }
}
