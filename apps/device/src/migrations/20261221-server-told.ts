import { Migration } from '@mikro-orm/migrations';

/** Publishes all devices once more, because `provisioning` copies the SIP server that was chosen for each. */
export class Migration20261221DeviceServerTold extends Migration {
  override up(): void {
    // The owner reads past the policies, for as long as this transaction.
    for (const table of ['device', 'device_republish'])
      this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`
      insert into "device_republish" ("id", "company_id", "lease_until")
      select d."company_id", d."company_id", now() from "device" d group by d."company_id"
      on conflict ("id") do update set "after" = null, "lease_until" = excluded."lease_until"
    `);
    for (const table of ['device', 'device_republish']) this.addSql(`alter table "${table}" force row level security`);
  }
}
