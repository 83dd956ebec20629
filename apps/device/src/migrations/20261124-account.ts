import { Migration } from '@mikro-orm/migrations';

/** Which SIP account each line of a device is to have, and a copy of the accounts. */
export class Migration20261124DeviceAccount extends Migration {
  override up(): void {
    this.addSql(`alter table "device" add column "accounts" jsonb not null default '[]'`);
    this.addSql(`create index "device_accounts" on "device" using gin ("accounts" jsonb_path_ops)`);
    this.addSql(`create table "account_copy" (
      "id" uuid not null, "company_id" uuid not null, "org_id" uuid not null, "name" varchar(64) not null,
      "number" varchar(64) not null, "server" varchar(64) not null, "version" bigint not null, "era" int not null,
      primary key ("id"))`);
    this.addSql('create index "account_copy_company" on "account_copy" ("company_id", lower("name"))');
    this.addSql('alter table "account_copy" enable row level security');
    this.addSql('alter table "account_copy" force row level security');
    this.addSql(`create policy "account_copy_company_policy" on "account_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)`);
    const policy = `((select current_setting('app.org_ids')) = '*' or org_id = any (
      (select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))`;
    this.addSql(
      `create policy "organization" on "account_copy" as restrictive using (${policy}) with check (${policy})`,
    );
  }
}
