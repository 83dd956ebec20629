import { Migration } from '@mikro-orm/migrations';

/** Records when a delivery list named a device, and which company used its code. */
export class Migration20261220DeviceDeliveryList extends Migration {
  override up(): void {
    const passed = ['mac_owner', 'import', 'import_row'];
    this.addSql('alter table "delivered_device" add column "imported_at" timestamptz null');
    this.addSql('alter table "delivered_device" add column "claimed_by" uuid null');
    // The owner reads past the policies, for as long as this transaction.
    for (const table of passed) this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`
      update "delivered_device" d
      set "claimed_by" = o.company_id
      from "mac_owner" o
      where o.mac = d.mac and o.proof = 'claim' and d.claimed_at is not null
    `);
    // The import of an old list may be deleted: its devices get the earliest time that is known to be later.
    this.addSql(`
      update "delivered_device" d
      set "imported_at" = coalesce(i.at, d.claimed_at, now())
      from "delivered_device" e
      left join (
        select r.object_id, max(m.created_at) as at
        from "import_row" r
        join "import" m on m.id = r.import_id
        where m.noun = 'delivery'
        group by r.object_id
      ) i on i.object_id = e.id
      where e.id = d.id
    `);
    for (const table of passed) this.addSql(`alter table "${table}" force row level security`);
    this.addSql('alter table "delivered_device" alter column "imported_at" set not null');
    this.addSql('create index "delivered_device_imported" on "delivered_device" ("imported_at" desc, "mac")');
  }
}
