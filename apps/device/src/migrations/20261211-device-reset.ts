import { Migration } from '@mikro-orm/migrations';

/** Devices that changed hands after they were in use, until they are reset. */
export class Migration20261211DeviceReset extends Migration {
  override up(): void {
    this.addSql(`
      create table "device_reset" (
        "id" uuid not null, "company_id" uuid not null, "device_id" uuid not null, "mac" varchar(12) not null,
        "since" timestamptz not null, primary key ("id")
      )
    `);
    this.addSql('create unique index "device_reset_mac" on "device_reset" ("mac")');
    this.addSql('create index "device_reset_since" on "device_reset" ("since")');
    this.addSql('alter table "device_reset" enable row level security');
    this.addSql('alter table "device_reset" force row level security');
    this.addSql(`
      create policy "device_reset_company_policy" on "device_reset"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
    this.addSql('alter table "device" add column "reset_id" uuid null');
  }
}
