import { Migration } from '@mikro-orm/migrations';

/** LDAP servers, how their syncs go, their accounts, and the devices that may load these as a phonebook. */
export class Migration20261126Ldap extends Migration {
  override up(): void {
    this.addSql(`create table "ldap_server" (
      "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "enabled" boolean not null,
      "host" varchar(253) not null, "port" int not null, "security" varchar(16) not null,
      "check_certificate" boolean not null, "ca" text null, "user_name" varchar(255) not null, "password" text null,
      "base" varchar(1024) not null, "filter" varchar(1024) not null, "attributes" jsonb not null,
      "cycle" varchar(8) not null, "time" varchar(5) not null, "weekday" int not null, "timezone_id" int not null,
      "next_sync_at" timestamptz(3) null, "version" int not null, "updated_at" timestamptz(3) not null,
      primary key ("id"))`);
    this.addSql(`create unique index "ldap_server_name" on "ldap_server" ("company_id", lower("name"))`);
    this.addSql(`create index "ldap_server_due" on "ldap_server" ("next_sync_at") where next_sync_at is not null`);
    this.addSql(`create table "ldap_sync" (
      "id" uuid not null, "company_id" uuid not null,
      "server_id" uuid not null references "ldap_server" ("id") on delete cascade, "status" varchar(16) not null,
      "by_hand" boolean not null, "attempts" int not null, "runner" uuid null, "lease_until" timestamptz(3) not null,
      "started_at" timestamptz(3) not null, "ended_at" timestamptz(3) null, "read" int not null, "added" int not null,
      "changed" int not null, "removed" int not null, "error" varchar(64) null, "error_values" jsonb not null,
      primary key ("id"))`);
    this.addSql(`create unique index "ldap_sync_server" on "ldap_sync" ("server_id")`);
    this.addSql(`create index "ldap_sync_waiting" on "ldap_sync" ("lease_until") where ended_at is null`);
    this.addSql(`create table "ldap_account" (
      "id" uuid not null, "company_id" uuid not null,
      "server_id" uuid not null references "ldap_server" ("id") on delete cascade, "entry" varchar(1024) not null,
      "name" varchar(128) not null, "number" varchar(64) not null, "mailbox" varchar(254) not null,
      "department" varchar(128) not null, "supervisor" varchar(128) not null, "ad_account" varchar(128) not null,
      "missing" boolean not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "ldap_account_entry" on "ldap_account" ("server_id", "entry")`);
    this.addSql(`create index "ldap_account_name" on "ldap_account" ("company_id", lower("name"), "id")`);
    this.addSql(`create table "phonebook_link" (
      "id" uuid not null, "company_id" uuid not null, "version" int not null, "loaded_at" timestamptz(3) null,
      primary key ("id"))`);
    for (const table of ['ldap_server', 'ldap_sync', 'ldap_account', 'phonebook_link']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
  }
}
