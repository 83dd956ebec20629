import { Migration } from '@mikro-orm/migrations';

const isolated = (table: string): string[] => [
  `alter table "${table}" enable row level security`,
  `alter table "${table}" force row level security`,
  `create policy "${table}_company_policy" on "${table}"
    using ("company_id" = current_setting('app.company_id')::uuid)`,
];

/** Whose a MAC is, what companies have in stock and gave to their channels, and who had it when. */
export class Migration20261127DeviceChannelOrder extends Migration {
  override up(): void {
    this.addSql(`create table "mac_owner" ("mac" varchar(12) not null, "company_id" uuid not null,
      "proof" varchar(16) not null, "epoch" int not null, "since" timestamptz not null, primary key ("mac"))`);
    this.addSql('create index "mac_owner_company" on "mac_owner" ("company_id")');
    // Every device that is there, or can come back, has its MAC already: the owner reads past the policies for that.
    for (const table of ['device', 'device_deleted']) this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`insert into "mac_owner" ("mac", "company_id", "proof", "epoch", "since")
      select "mac", "company_id", 'typed', "owner_epoch", "created_at" from "device"`);
    this.addSql(`insert into "mac_owner" ("mac", "company_id", "proof", "epoch", "since")
      select "mac", "company_id", 'typed', 1, "deleted_at" from "device_deleted" on conflict ("mac") do nothing`);
    for (const table of ['device', 'device_deleted']) this.addSql(`alter table "${table}" force row level security`);
    for (const sql of isolated('mac_owner')) this.addSql(sql);
    this.addSql('alter table "device" drop constraint "device_mac_unique"');
    this.addSql('create unique index "device_company_mac" on "device" ("company_id", "mac")');
    this.addSql('create index "device_mac" on "device" ("mac")');

    this.addSql(`create table "mac_dispute" ("id" uuid not null, "company_id" uuid not null,
      "mac" varchar(12) not null, "model" varchar(64) not null, "at" timestamptz not null, primary key ("id"))`);
    this.addSql('create unique index "mac_dispute_once" on "mac_dispute" ("company_id", "mac")');
    this.addSql('create index "mac_dispute_mac" on "mac_dispute" ("mac")');
    for (const sql of isolated('mac_dispute')) this.addSql(sql);

    this.addSql(`create table "channel_copy" ("id" uuid not null, "company_id" uuid not null,
      "name" varchar(128) not null, "status" varchar(32) not null, "path" text not null, "version" bigint not null,
      "era" int not null, primary key ("id"))`);
    this.addSql('create index "channel_copy_company" on "channel_copy" ("company_id", lower("name"))');
    for (const sql of isolated('channel_copy')) this.addSql(sql);

    this.addSql(`create table "channel_order" ("id" uuid not null, "company_id" uuid not null,
      "mac" varchar(12) not null, "model" varchar(64) not null, "order_name" varchar(64) not null,
      "source" varchar(16) not null, "from_name" varchar(128) null, "status" varchar(16) not null,
      "in_at" timestamptz(3) not null, "assigned_at" timestamptz(3) null, "receiver_id" uuid null,
      "receiver" varchar(128) null, "device_id" uuid null, primary key ("id"))`);
    this.addSql('create unique index "channel_order_mac" on "channel_order" ("company_id", "mac")');
    this.addSql('create index "channel_order_in" on "channel_order" ("company_id", "in_at" desc, "mac")');
    this.addSql(`create index "channel_order_receiver" on "channel_order" ("receiver_id")
      where "receiver_id" is not null`);
    this.addSql('create index "channel_order_device" on "channel_order" ("device_id") where "device_id" is not null');
    for (const sql of isolated('channel_order')) this.addSql(sql);

    this.addSql(`create table "custody" ("id" uuid not null, "company_id" uuid not null, "mac" varchar(12) not null,
      "step" varchar(16) not null, "other_name" varchar(128) null, "at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql('create index "custody_mac" on "custody" ("company_id", "mac", "at" desc)');
    for (const sql of isolated('custody')) this.addSql(sql);
  }
}
