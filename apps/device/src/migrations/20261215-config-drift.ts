import { Migration } from '@mikro-orm/migrations';

/**
 * Whether devices have drifted from the configuration that they are to have. Those that have it can drift from now on.
 * Publishes all devices once more, because `provisioning` records from now on which configuration they have.
 */
export class Migration20261215ConfigDrift extends Migration {
  override up(): void {
    this.addSql(`
      alter table "device"
        add column "config_had" varchar(32) null,
        add column "config_drifted_at" timestamptz(3) null
    `);
    this.addSql('alter table "device_config_copy" add column "since" timestamptz(3) not null default now()');
    this.addSql('alter table "device_config_copy" alter column "since" drop default');
    const tables = ['device', 'device_config_copy', 'device_republish'];
    // The owner reads past the policies, for as long as this transaction.
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`
      update "device" d
      set "config_had" = w."wanted"
      from "device_config_copy" w
      where w."id" = d."id" and d."configured" and d."config_version" = w."wanted"
    `);
    this.addSql(`
      insert into "device_republish" ("id", "company_id", "lease_until")
      select d."company_id", d."company_id", now() from "device" d group by d."company_id"
      on conflict ("id") do update set "after" = null, "lease_until" = excluded."lease_until"
    `);
    for (const table of tables) this.addSql(`alter table "${table}" force row level security`);
  }
}
