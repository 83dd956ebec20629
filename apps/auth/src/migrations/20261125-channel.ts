import { Migration } from '@mikro-orm/migrations';

/** What a login tells of a company's limits, what may be given below it, and which account is its channel account. */
export class Migration20261125AuthChannel extends Migration {
  override up(): void {
    this.addSql(`
      alter table "company_copy"
        add column "type" varchar(32) not null default 'enterprise',
        add column "parent_id" uuid null,
        add column "account_id" uuid null,
        add column "create_sub_limit" int not null default 0,
        add column "fcs_limit" int not null default 0,
        add column "license_granting" boolean not null default false,
        add column "fcs_enabled" boolean not null default false,
        add column "local_sync" boolean not null default false
    `);
    // The policies bind the owner too, but not while it changes what they read.
    for (const table of ['company_copy', 'user_account'])
      this.addSql(`alter table "${table}" no force row level security`);
    this.addSql(`
      update "company_copy" c
      set "account_id" = (
        select u."id" from "user_account" u where u."company_id" = c."id" order by u."created_at", u."id" limit 1
      )
    `);
    for (const table of ['company_copy', 'user_account'])
      this.addSql(`alter table "${table}" force row level security`);
    this.addSql('create index "company_copy_parent" on "company_copy" ("parent_id")');
    this.addSql(`
      create table "channel_address_copy" (
        "id" uuid not null,
        "company_id" uuid not null,
        "version" bigint not null,
        "era" int not null,
        primary key ("id")
      )
    `);
    this.addSql(`alter table "channel_address_copy" enable row level security`);
    this.addSql(`alter table "channel_address_copy" force row level security`);
    this.addSql(`
      create policy "channel_address_copy_company_policy" on "channel_address_copy"
      using ("company_id" = current_setting('app.company_id')::uuid)
    `);
    this.addSql('create index "channel_address_copy_company" on "channel_address_copy" ("company_id")');
  }
}
