import { Migration } from '@mikro-orm/migrations';

/** Which site a device is in, and a copy of the sites with their segments. */
export class Migration20261121bDeviceSite extends Migration {
  override up(): void {
    this.addSql('alter table "device" add column "site_id" uuid null, add column "placed" boolean not null default false');
    // Who was in contact before is no new device: the owner reads past the policies, for as long as this transaction.
    this.addSql('alter table "device" no force row level security');
    this.addSql('update "device" set "placed" = true where "public_ip" is not null');
    this.addSql('alter table "device" force row level security');
    this.addSql('create index "device_company_site" on "device" ("company_id", "site_id") include ("org_id")');
    this.addSql('create table "site_copy" ("id" uuid not null, "company_id" uuid not null, "parent_id" uuid null, "name" varchar(64) not null, "auto_assign" boolean not null, "segments" cidr[] not null, "version" bigint not null, "era" int not null, primary key ("id"))');
    this.addSql('alter table "site_copy" enable row level security');
    this.addSql('alter table "site_copy" force row level security');
    this.addSql(`create policy "site_copy_company_policy" on "site_copy" using ("company_id" = current_setting('app.company_id')::uuid)`);
    // What a device says is its address may be any text; one that is none lies nowhere. IPv4 inside of IPv6 is IPv4.
    this.addSql(`create function device_ip(said text) returns inet language sql stable parallel safe as $$
      select case when pg_input_is_valid(a, 'inet') then host(a::inet)::inet end from (select regexp_replace(regexp_replace(said, '%.*$', ''), '^::ffff:(?=\\d+\\.)', '', 'i') as a) x $$`);
  }
}
