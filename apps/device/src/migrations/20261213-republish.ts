import { Migration } from '@mikro-orm/migrations';

/**
 * Publishes all devices once more, because `provisioning` copies more of them than before. The table has a row for each
 * company whose devices are still to be published.
 */
export class Migration20261213DeviceRepublish extends Migration {
  override up(): void {
    this.addSql(`
      create table "device_republish" (
        "id" uuid not null, "company_id" uuid not null, "after" uuid null, "lease_until" timestamptz(3) not null,
        primary key ("id"))
    `);
    this.addSql('alter table "device_republish" enable row level security');
    this.addSql('alter table "device_republish" force row level security');
    this.addSql(`
      create policy "device_republish_company_policy" on "device_republish"
        using ("company_id" = current_setting('app.company_id')::uuid)
    `);
    // The owner reads past the policies, for as long as this transaction.
    for (const table of ['device', 'device_republish'])
      this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`
      insert into "device_republish" ("id", "company_id", "lease_until")
      select d."company_id", d."company_id", now() from "device" d group by d."company_id"
    `);
    for (const table of ['device', 'device_republish']) this.addSql(`alter table "${table}" force row level security`);
  }
}
