import { Migration } from '@mikro-orm/migrations';

const tenantTables = {
  first_access: `"open_until" timestamptz null, "network" varchar(64) null, "ended_at" timestamptz null`,
  first_ask: `"device_id" uuid not null, "network" varchar(64) not null, "address" varchar(45) not null,
    "user_agent" varchar(256) not null, "times" int not null, "last_at" timestamptz(3) not null`,
  known_network: `"network" varchar(64) not null, "last_at" timestamptz not null`,
};

/** First access of phones by their MAC. Devices that have loaded their file before had theirs. */
export class Migration20261216FirstAccess extends Migration {
  override up(): void {
    for (const [table, columns] of Object.entries(tenantTables)) {
      this.addSql(`create table "${table}" ("id" uuid not null, "company_id" uuid not null, ${columns},
        primary key ("id"))`);
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
    this.addSql(`create unique index "first_ask_network" on "first_ask" ("device_id", "network")`);
    this.addSql(`create index "first_ask_company" on "first_ask" ("company_id", "last_at")`);
    this.addSql(`create unique index "known_network_once" on "known_network" ("company_id", "network")`);
    this.addSql(`create table "unclaimed_phone" (
      "mac" varchar(12) not null, "maker" varchar(32) not null, "user_agent" varchar(256) not null,
      "address" varchar(45) not null, "times" int not null, "first_at" timestamptz(3) not null,
      "last_at" timestamptz(3) not null, primary key ("mac"))`);
    this.addSql(`create index "unclaimed_phone_last" on "unclaimed_phone" ("last_at")`);
    this.addSql(`create index "device_copy_mac" on "device_copy" ("mac")`);
    // The owner reads past the policies, for as long as this transaction.
    for (const table of ['device_config', 'first_access'])
      this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`
      insert into "first_access" ("id", "company_id", "ended_at")
      select c."id", c."company_id", c."loaded_at" from "device_config" c where c."loaded_at" is not null
    `);
    for (const table of ['device_config', 'first_access'])
      this.addSql(`alter table "${table}" force row level security`);
  }
}
