import { Migration } from '@mikro-orm/migrations';

/** Changes of many devices, with what became of each (DEV-05). */
export class Migration20261127bDeviceChange extends Migration {
  override up(): void {
    this.addSql(`create table "device_change" (
      "id" uuid not null, "company_id" uuid not null, "user_id" uuid not null, "access" jsonb not null,
      "kind" varchar(16) not null, "set" jsonb not null, "names" jsonb not null, "status" varchar(16) not null,
      "total" int not null, "done" int not null, "unchanged" int not null, "failed" int not null,
      "lease_until" timestamptz not null, "created_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create table "device_change_row" (
      "id" uuid not null, "company_id" uuid not null,
      "change_id" uuid not null references "device_change" ("id") on delete cascade, "device_id" uuid not null,
      "name" varchar(64) not null, "mac" varchar(12) not null, "state" varchar(16) not null, "error" varchar(64) null,
      primary key ("id"))`);
    this.addSql(`create index "device_change_due" on "device_change" ("lease_until") where status = 'process'`);
    this.addSql(`create index "device_change_user" on "device_change" ("user_id")`);
    this.addSql(`create index "device_change_row_state" on "device_change_row" ("change_id", "state", "device_id")`);
    for (const table of ['device_change', 'device_change_row']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
