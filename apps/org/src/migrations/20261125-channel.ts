import { Migration } from '@mikro-orm/migrations';

/** The tree of channels: who is above a company, what it was given, what the one above knows of it, and addresses. */
export class Migration20261125Channel extends Migration {
  override up(): void {
    this.addSql(`
      alter table "company"
        add column "parent_id" uuid null,
        add column "closed_by" uuid null,
        add column "create_sub_limit" int not null default 0,
        add column "sub_given" int not null default 0,
        add column "fcs_limit" int not null default 0,
        add column "fcs_given" int not null default 0,
        add column "license_granting" boolean not null default false,
        add column "fcs_enabled" boolean not null default false,
        add column "local_sync" boolean not null default false,
        add column "fcs_url" varchar(256) not null default '',
        add column "fcs_domain" varchar(253) not null default ''
    `);
    this.addSql(`
      create table "channel_address" (
        "id" uuid not null,
        "company_id" uuid not null,
        "parent_id" uuid null references "channel_address" ("id"),
        "name" varchar(64) not null,
        "description" text not null,
        "version" int not null,
        "updated_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql(`
      create table "channel" (
        "id" uuid not null,
        "company_id" uuid not null,
        "name" varchar(128) not null,
        "type" varchar(32) not null,
        "status" varchar(32) not null,
        "remarks" text not null,
        "create_sub_limit" int not null,
        "subs" int not null,
        "fcs_limit" int not null,
        "license_granting" boolean not null,
        "fcs_enabled" boolean not null,
        "local_sync" boolean not null,
        "fcs_url" varchar(256) not null,
        "fcs_domain" varchar(253) not null,
        "address_id" uuid null,
        "username" varchar(128) not null,
        "nickname" varchar(128) not null,
        "email" varchar(254) null,
        "account_status" varchar(32) not null,
        "language" varchar(8) null,
        "timezone_id" int null,
        "country_id" int not null,
        "created_at" timestamptz(3) not null,
        "updated_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql(`
      create table "channel_code" (
        "id" uuid not null,
        "company_id" uuid not null,
        "hash" bytea not null,
        "expires_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    // The policies bind the owner too, but not while it changes what they read.
    this.addSql('alter table "company" no force row level security');
    // Ids from the top down: the one before the last is whose channel it is. Versions rise, so that all are published
    // again.
    this.addSql(`
      update "company"
      set "parent_id" = nullif(split_part(trim(both '/' from "path"), '/', -2), '')::uuid, "version" = "version" + 1
    `);
    // What the installation's own may give has no bound in practice.
    this.addSql(`
      update "company"
      set "create_sub_limit" = 1000000, "fcs_limit" = 1000000, "license_granting" = true, "fcs_enabled" = true,
        "local_sync" = true
      where "parent_id" is null
    `);
    this.addSql(`
      update "company" p
      set "sub_given" = (select count(*) from "company" c where c."parent_id" = p."id")
    `);
    this.addSql(`
      insert into "channel"
      select c."id", c."parent_id", c."name", c."type", c."status", c."remarks", 0, 0, 0, false, false, false, '', '',
        null, '', '', null, 'normal', null, null, 1, c."created_at", c."updated_at"
      from "company" c
      where c."parent_id" is not null
    `);
    this.addSql('alter table "company" force row level security');
    this.addSql('create index "company_parent" on "company" ("parent_id")');
    this.addSql(`
      create unique index "channel_address_name"
      on "channel_address" ("company_id", coalesce("parent_id", "company_id"), lower("name"))
    `);
    this.addSql('create index "channel_address_parent" on "channel_address" ("parent_id")');
    this.addSql('create index "channel_company" on "channel" ("company_id", lower("name"))');
    this.addSql('create index "channel_address_id" on "channel" ("address_id")');
    this.addSql('create unique index "channel_code_company" on "channel_code" ("company_id")');
    this.addSql('create unique index "channel_code_hash" on "channel_code" ("hash")');
    for (const table of ['channel_address', 'channel', 'channel_code']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`
        create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)
      `);
    }
  }
}
