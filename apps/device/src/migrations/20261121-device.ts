import { Migration } from '@mikro-orm/migrations';
import { inboxDdl, outboxDdl } from '@carillon/messaging';

/** Devices with their policies, and the two sides of the bus. */
export class Migration20261121Device extends Migration {
  override up(): void {
    this.addSql(`create table "device" ("id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "mac" varchar(12) not null, "name" varchar(64) not null, "model" varchar(128) not null, "sn" varchar(128) not null, "firmware" varchar(128) null, "hardware" varchar(128) null, "lte" varchar(128) null, "internal_ip" varchar(64) null, "public_ip" varchar(64) null, "dnd" varchar(16) null, "certificate" boolean null, "lines" jsonb not null, "calls" int not null, "capabilities" jsonb not null, "config_version" varchar(128) null, "configured" boolean not null, "config_failed" boolean not null, "failed_lines" int not null, "online" boolean not null, "epoch" bigint not null, "gateway" varchar(128) null, "state" varchar(16) generated always as (case when not configured then 'notConfigured' when online and (failed_lines > 0 or config_failed) then 'abnormal' when online then 'online' when true then 'offline' end) stored not null, "owner_epoch" int not null, "version" int not null, "secret_hash" varchar(64) not null, "previous_hash" varchar(64) null, "last_online_at" timestamptz null, "last_config_at" timestamptz null, "created_at" timestamptz not null, primary key ("id"))`);
    this.addSql('alter table "device" add constraint "device_mac_unique" unique ("mac")');
    this.addSql('create index "device_company_name" on "device" ("company_id", "name", "id")');
    this.addSql('create index "device_company_state" on "device" ("company_id", "state")');
    // The rows that a dead gateway leaves behind are found without reading the others.
    this.addSql('create index "device_online_gateway" on "device" ("gateway") where online');
    this.addSql('alter table "device" set (fillfactor = 85)');
    this.addSql('alter table "device" enable row level security');
    this.addSql('alter table "device" force row level security');
    this.addSql(`create policy "organization" on "device" as restrictive using (((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))) with check (((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[])))`);
    this.addSql(`create policy "device_company_policy" on "device" using ("company_id" = current_setting('app.company_id')::uuid)`);
    for (const sql of [...outboxDdl, ...inboxDdl]) this.addSql(sql);
  }
}
