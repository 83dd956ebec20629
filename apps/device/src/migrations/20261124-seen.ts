import { Migration } from '@mikro-orm/migrations';

/**
 * When a device was last seen, which is now for one that is online. Before, its time was when it came, so that a device
 * that was online for weeks stood behind one that had gone yesterday. The sort has an index on it; the few disabled
 * devices have one of their own.
 */
export class Migration20261124DeviceSeen extends Migration {
  override up(): void {
    this.addSql(
      `alter table "device" add column "seen_at" timestamptz generated always as (case when online then 'infinity' else last_online_at end) stored`,
    );
    this.addSql('drop index "device_company_last_online"');
    this.addSql(
      'create index "device_company_seen" on "device" ("company_id", "seen_at" desc nulls last, "id") include ("org_id")',
    );
    this.addSql('create index "device_disabled" on "device" ("company_id") where (not enabled)');
  }
}
