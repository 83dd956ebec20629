import { Migration } from '@mikro-orm/migrations';

/** Whether devices have drifted from the configuration that they are to have. Those that have it can drift from now on. */
export class Migration20261215ConfigDrift extends Migration {
  override up(): void {
    this.addSql(`
      alter table "device"
        add column "config_had" varchar(32) null,
        add column "config_drifted_at" timestamptz(3) null
    `);
    this.addSql('alter table "device_config_copy" add column "since" timestamptz(3) not null default now()');
    this.addSql('alter table "device_config_copy" alter column "since" drop default');
    const tables = ['device', 'device_config_copy'];
    // The owner reads past the policies, for as long as this transaction.
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`
      update "device" d
      set "config_had" = w."wanted"
      from "device_config_copy" w
      where w."id" = d."id" and d."configured" and d."config_version" = w."wanted"
    `);
    for (const table of tables) this.addSql(`alter table "${table}" force row level security`);
  }
}
