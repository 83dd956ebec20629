import { Migration } from '@mikro-orm/migrations';
import { inboxDdl, outboxDdl } from '@carillon/messaging';
import { dataKeyDdl, deletedDdl } from '@carillon/service';

/** SIP servers and accounts, and copies of what they are shown with. */
export class Migration20261124Provisioning extends Migration {
  override up(): void {
    for (const sql of [...outboxDdl, ...inboxDdl, ...dataKeyDdl, ...deletedDdl]) this.addSql(sql);
    this.addSql(`create table "sip_server" (
      "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "address" varchar(253) not null,
      "port" int not null, "transport" varchar(8) not null, "domain" varchar(253) not null,
      "proxy_address" varchar(253) null, "proxy_port" int null, "backup_address" varchar(253) null,
      "backup_port" int null, "version" int not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "sip_server_name" on "sip_server" ("company_id", lower("name"))`);
    this.addSql(`create table "sip_account" (
      "id" uuid not null, "company_id" uuid not null, "org_id" uuid not null,
      "server_id" uuid not null references "sip_server" ("id"), "site_id" uuid null, "name" varchar(64) not null,
      "number" varchar(64) not null, "display_name" varchar(64) not null, "auth_user" varchar(128) not null,
      "auth_password" text null, "proxy_user" varchar(128) not null, "proxy_password" text null,
      "voicemail_number" varchar(64) not null, "voicemail_password" text null, "status" varchar(16) not null,
      "version" int not null, "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(
      `create unique index "sip_account_number" on "sip_account" ("company_id", "server_id", lower("number"))`,
    );
    this.addSql(
      `create index "sip_account_name" on "sip_account" ("company_id", lower("name"), "id") include ("org_id")`,
    );
    this.addSql(`create index "sip_account_status" on "sip_account" ("company_id", "status") include ("org_id")`);
    this.addSql(`create table "device_copy" (
      "id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "name" varchar(64) not null,
      "mac" varchar(12) not null, "accounts" jsonb not null, "version" bigint not null, "era" int not null,
      primary key ("id"))`);
    this.addSql(`create table "account_line" (
      "id" uuid not null, "company_id" uuid not null, "account_id" uuid not null, "device_id" uuid not null,
      "line" int not null, "status" varchar(16) not null, primary key ("id"))`);
    this.addSql(`create index "account_line_account" on "account_line" ("account_id")`);
    this.addSql(`create index "account_line_device" on "account_line" ("device_id")`);
    this.addSql(`create table "site_copy" (
      "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "version" bigint not null,
      "era" int not null, primary key ("id"))`);
    this.addSql(`create table "organization_copy" (
      "id" uuid not null, "company_id" uuid not null, "name" varchar(64) not null, "version" bigint not null,
      "era" int not null, primary key ("id"))`);
    for (const table of [
      'sip_server',
      'sip_account',
      'device_copy',
      'account_line',
      'site_copy',
      'organization_copy',
    ]) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
    const policy = `((select current_setting('app.org_ids')) = '*' or org_id = any (
      (select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))`;
    for (const table of ['sip_account', 'device_copy'])
      this.addSql(`create policy "organization" on "${table}" as restrictive using (${policy}) with check (${policy})`);
  }
}
