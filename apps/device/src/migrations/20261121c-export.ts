import { Migration } from '@mikro-orm/migrations';

/** Files of devices: what was ordered, how far it is, and the bytes in pieces. */
export class Migration20261121cDeviceExport extends Migration {
  override up(): void {
    this.addSql(`create table "device_export" ("id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "org_ids" jsonb not null, "wanted" jsonb not null, "status" varchar(16) not null, "done" int not null, "total" int not null, "lease_until" timestamptz not null, "created_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create table "device_export_part" ("id" uuid not null, "company_id" uuid not null, "export_id" uuid not null references "device_export" ("id") on delete cascade, "number" int not null, "bytes" bytea not null, primary key ("id"))`);
    this.addSql('create index "device_export_part_export" on "device_export_part" ("export_id", "number")');
    this.addSql(`create index "device_export_due" on "device_export" ("lease_until") where status = 'process'`);
    for (const table of ['device_export', 'device_export_part']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}" using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
