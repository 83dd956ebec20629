import { Migration } from '@mikro-orm/migrations';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const all = `(select current_setting('app.org_ids')) = '*'`;
const organization = `(${all} or org_id = any (${own}::uuid[]))`;
const line = `(${all} or exists (select 1 from alarm_sum seen where seen.line_id = alarm_line.id))`;

/** Alarms: lines with their sums and episodes, what may become one, and copies of devices, sites and sessions. */
export class Migration20261125Alarm extends Migration {
  override up(): void {
    this.addSql(
      `create table "alarm_line" (
      "id" uuid not null,
      "company_id" uuid not null,
      "kind" int not null,
      "level" varchar(8) not null,
      "cause" varchar(8) not null,
      "cause_id" varchar(256) null,
      "cause_name" varchar(256) null,
      "began_at" timestamptz(3) not null,
      primary key ("id")
    )`,
    );
    this.addSql(
      `create index "alarm_line_cause" on "alarm_line"
      ("company_id", "kind", "cause", "cause_id", "began_at" desc)`,
    );
    this.addSql(
      `create table "alarm_sum" (
      "line_id" uuid not null,
      "org_id" uuid not null,
      "company_id" uuid not null,
      "devices" int not null,
      "open" int not null,
      "waiting" int not null,
      "silenced" int not null,
      "count" int not null,
      "began_at" timestamptz(3) not null,
      "last_at" timestamptz(3) not null,
      "ended_at" timestamptz(3) null,
      "raised_at" timestamptz(3) null,
      "device_id" uuid not null,
      "device_name" varchar(64) not null,
      "detail" varchar(256) null,
      primary key ("line_id", "org_id")
    )`,
    );
    this.addSql(
      `create table "alarm" (
      "id" uuid not null,
      "company_id" uuid not null,
      "org_id" uuid not null,
      "line_id" uuid not null,
      "kind" int not null,
      "device_id" uuid not null,
      "sub" int not null,
      "device_name" varchar(64) not null,
      "mac" varchar(12) not null,
      "site_id" uuid null,
      "detail" varchar(256) null,
      "count" int not null,
      "began_at" timestamptz(3) not null,
      "last_at" timestamptz(3) not null,
      "raised_at" timestamptz(3) not null,
      "ended_at" timestamptz(3) null,
      "ended" varchar(16) null,
      "acknowledged_at" timestamptz(3) null,
      "acknowledged_by" varchar(128) null,
      "silenced" boolean not null,
      primary key ("id")
    )`,
    );
    this.addSql(`create unique index "alarm_open" on "alarm" ("device_id", "kind", "sub") where "ended_at" is null`);
    this.addSql(`create index "alarm_device" on "alarm" ("device_id", "kind", "sub", "ended_at" desc)`);
    this.addSql(`create index "alarm_line_id" on "alarm" ("line_id", "ended_at" desc, "last_at" desc)`);
    this.addSql(`create index "alarm_ended" on "alarm" ("ended_at") where "ended_at" is not null`);
    this.addSql(
      `create table "alarm_signal" (
      "device_id" uuid not null,
      "kind" int not null,
      "sub" int not null,
      "company_id" uuid not null,
      "raised" boolean not null,
      "at" timestamptz(3) not null,
      "due_at" timestamptz(3) not null,
      "owner_epoch" int not null,
      "source" varchar(256) null,
      "detail" varchar(256) null,
      "ended" varchar(16) null,
      primary key ("device_id", "kind", "sub")
    )`,
    );
    this.addSql(`create index "alarm_signal_due" on "alarm_signal" ("due_at")`);
    this.addSql(
      `create table "alarm_order" (
      "device_id" uuid not null,
      "company_id" uuid not null,
      "kinds" int[] not null,
      "at" timestamptz(3) not null,
      "until" timestamptz(3) not null,
      primary key ("device_id")
    )`,
    );
    this.addSql(
      `create table "alarm_read" (
      "user_id" uuid not null,
      "line_id" uuid not null,
      "company_id" uuid not null,
      "at" timestamptz(3) not null,
      primary key ("user_id", "line_id")
    )`,
    );
    this.addSql(
      `create table "link_session" (
      "device_id" uuid not null,
      "company_id" uuid not null,
      "epoch" bigint not null,
      "owner_epoch" int not null,
      "online" boolean not null,
      "gateway" varchar(128) not null,
      "at" timestamptz(3) not null,
      primary key ("device_id")
    )`,
    );
    this.addSql(`create index "link_session_gateway" on "link_session" ("gateway") where online`);
    this.addSql(
      `create table "link_gateway" (
      "name" text not null,
      "gateway" text null,
      "at" double precision not null,
      primary key ("name")
    )`,
    );
    this.addSql(
      `create table "device_copy" (
      "id" uuid not null,
      "company_id" uuid not null,
      "org_id" uuid not null,
      "mac" varchar(12) not null,
      "name" varchar(64) not null,
      "site_id" uuid null,
      "owner_epoch" int not null,
      "enabled" boolean not null,
      "version" bigint not null,
      "era" int not null,
      primary key ("id")
    )`,
    );
    this.addSql(
      `create table "site_copy" (
      "id" uuid not null,
      "company_id" uuid not null,
      "name" varchar(64) not null,
      "version" bigint not null,
      "era" int not null,
      primary key ("id")
    )`,
    );
    for (const table of [
      'alarm_line',
      'alarm_sum',
      'alarm',
      'alarm_signal',
      'alarm_order',
      'alarm_read',
      'link_session',
      'device_copy',
      'site_copy',
    ]) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(
        `create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`,
      );
    }
    for (const table of ['alarm_sum', 'alarm', 'device_copy'])
      this.addSql(
        `create policy "organization" on "${table}" as restrictive
        using (${organization}) with check (${organization})`,
      );
    this.addSql(`create policy "organization" on "alarm_line" as restrictive
        using (${line}) with check (${line})`);
  }
}
