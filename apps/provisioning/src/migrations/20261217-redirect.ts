import { Migration } from '@mikro-orm/migrations';

const own = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
const organization = `((select current_setting('app.org_ids')) = '*' or org_id = any (${own}::uuid[]))`;

/** Accounts at makers' redirect services, and the devices that they are to know. */
export class Migration20261217Redirect extends Migration {
  override up(): void {
    this.addSql(`create table "redirect_service" (
      "id" uuid not null, "company_id" uuid not null, "kind" varchar(16) not null, "maker" varchar(16) not null,
      "address" varchar(255) not null, "user_name" varchar(128) not null, "secret" text not null,
      "enabled" boolean not null, "failing_since" timestamptz(3) null, "failure" varchar(64) null,
      "failure_values" jsonb not null, "tries" int not null, "retry_at" timestamptz(3) null, "version" int not null,
      "updated_at" timestamptz(3) not null, primary key ("id"))`);
    this.addSql(`create unique index "redirect_service_maker" on "redirect_service" ("company_id", "maker")`);
    this.addSql(`create table "redirect_device" (
      "id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "service_id" uuid not null,
      "device_id" uuid not null, "device_name" varchar(64) not null, "mac" varchar(12) not null,
      "wanted" boolean not null, "state" varchar(16) not null, "address" varchar(255) null,
      "since" timestamptz(3) null, "failure" varchar(64) null, "failure_values" jsonb not null, "tries" int not null,
      "revision" int not null, "next_at" timestamptz(3) null, "leased_until" timestamptz(3) null,
      "notice_id" uuid null, primary key ("id"))`);
    this.addSql(`create unique index "redirect_device_mac" on "redirect_device" ("service_id", "mac")`);
    this.addSql(`create index "redirect_device_device" on "redirect_device" ("device_id")`);
    this.addSql(`create index "redirect_device_other" on "redirect_device" ("mac")`);
    this.addSql(`create index "redirect_device_due" on "redirect_device" ("service_id", "next_at", "id")
      where "next_at" is not null`);
    this.addSql(`create index "redirect_device_leased" on "redirect_device" ("leased_until")
      where "leased_until" is not null`);
    this.addSql(`create index "redirect_device_noticed" on "redirect_device" ("service_id")
      where "notice_id" is not null`);
    for (const table of ['redirect_service', 'redirect_device']) {
      this.addSql(`alter table "${table}" enable row level security`);
      this.addSql(`alter table "${table}" force row level security`);
      this.addSql(`create policy "${table}_company_policy" on "${table}"
        using ("company_id" = current_setting('app.company_id')::uuid)`);
    }
    this.addSql(`create policy "organization" on "redirect_device" as restrictive
      using (${organization}) with check (${organization})`);
  }
}
